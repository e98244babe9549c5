"""opendp: conversions from zCDP, compositions, the filter of its combinators, and mechanisms with their own maps."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from inputs import at_most, flat
from laws import law
from serving import Function, Skip, serve

HEAD = 'import opendp.prelude as dp; dp.enable_features("contrib", "honest-but-curious")\n'
SPACE = "space = dp.atom_domain(T=bool), dp.discrete_distance(), dp.{}\n"
RUN = 'run = lambda loss: dp.m.make_user_measurement(*space, lambda x: 0, lambda d: loss, TO="i32")\n'
EACH = " for _ in range(n)"
ZCDP, PURE, APPROXIMATE = "zero_concentrated_divergence()", "max_divergence()", "approximate(dp.max_divergence())"


def pure(inputs: dict[str, Any]) -> dict[str, Any]:
    """Rounds without deltas."""
    given = flat(inputs)
    if any(value for value, _ in given["delta"]) or not given["eps"]:
        raise Skip("deltas among the rounds, or no epsilon")
    return {"eps": given["eps"], "eps_g": given["eps_g"]}


def noise_for_range(inputs: dict[str, Any]) -> dict[str, Any]:
    """The scale for which selection has a range of eps: scores that move by 1 move apart by 2."""
    if inputs["eps"] == 0:
        raise Skip("no noise has a range of 0")
    return {"scale": 2 / inputs["eps"]}


def its_range(names: dict[str, Any]) -> dict[str, Any]:
    """The range for exactly this scale."""
    scale = names["scale"]
    return {"eps": str(2 / Fraction(scale)) if scale - scale == 0 and scale else str(scale)}


def thresholds(inputs: dict[str, Any]) -> dict[str, Any]:
    """A threshold above 1."""
    if inputs["threshold"] <= 1 or inputs["keys"] > 10**6:
        raise Skip("a threshold of 1, or more keys than it takes")
    return inputs


def code(measure: str, last: str) -> str:
    return f"{HEAD}{SPACE.format(measure)}{RUN}{last}"


def asked(measure: str, budget: str, losses: str) -> str:
    """A filter, asked for one measurement after another."""
    return (
        f"{HEAD}{SPACE.format(measure)}"
        f"ask = dp.c.make_privacy_filter(dp.c.make_fully_adaptive_composition(*space), d_in=1, d_out={budget})(True)\n"
        '[ask(dp.m.make_user_measurement(*space, lambda x: 0, lambda d, loss=loss: loss, TO="i32"))'
        f' for loss in {losses}] and "CONT"'
    )


FUNCTIONS = [
    *(
        Function(
            "make_zCDP_to_approxDP",
            f"cks2020/zcdp2dp.{quantity}",
            code(ZCDP, f"dp.c.make_zCDP_to_approxDP(run(rho)).map(1).{get}"),
        )
        for quantity, get in (("eps", "epsilon(delta)"), ("delta", "delta(eps)"))
    ),
    Function(
        "make_pureDP_to_zCDP",
        "whitehouse2023/lem1.dp2zcdp.rho",
        code(PURE, "dp.c.make_pureDP_to_zCDP(run(eps)).map(1)"),
    ),
    Function(
        "make_composition",
        "rogers2016/thm2.9.eps",
        code(PURE, "dp.c.make_composition([run(e) for e, n in eps for _ in range(n)]).map(1)"),
        flat,
    ),
    *(
        Function(
            "make_composition, approximate",
            f"rogers2016/thm2.9.{name}",
            code(
                APPROXIMATE, f"dp.c.make_composition([run({loss}) for x, n in {name} for _ in range(n)]).map(1)[{at}]"
            ),
            flat,
        )
        for name, loss, at in (("eps", "(x, 0.0)", 0), ("delta", "(0.0, x)", 1))
    ),
    Function(
        "make_composition",
        "whitehouse2023/thm1.rho",
        code(ZCDP, "dp.c.make_composition([run(r) for r, n in rhos for _ in range(n)]).map(1)"),
        flat,
    ),
    Function(
        "make_privacy_filter",
        "rogers2016/thm3.3.filter",
        asked(PURE, "eps_g", f"[e for e, n in eps{EACH}]"),
        pure,
        halts=("OpenDPException",),
    ),
    Function(
        "make_privacy_filter, approximate",
        "rogers2016/thm3.3.filter",
        asked(
            APPROXIMATE, "(eps_g, delta_g)", f"[(e, 0.0) for e, n in eps{EACH}] + [(0.0, d) for d, n in delta{EACH}]"
        ),
        lambda inputs: at_most(100)(flat(inputs)),  # its time grows with the square of the rounds
        halts=("OpenDPException",),
    ),
    Function(
        "make_noisy_max, zCDP",
        "cesar2021/br2zcdp.rho",
        'import opendp.prelude as dp; dp.enable_features("contrib")\nscores = dp.vector_domain(dp.atom_domain(T=int))\n'
        "space = scores, dp.linf_distance(T=int), dp.zero_concentrated_divergence()\n"
        "dp.m.make_noisy_max(*space, scale).map(1)",
        noise_for_range,
        its_range,
    ),
    Function(
        "make_laplace_threshold, its delta",
        "rogers2023/threshold.delta",
        'import opendp.prelude as dp; dp.enable_features("contrib")\n'
        "counts = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int))\n"
        "space = counts, dp.l01inf_distance(dp.absolute_distance(T=int))\n"
        "dp.m.make_laplace_threshold(*space, scale, threshold).map((keys, keys, 1))[1]",
        thresholds,
        part="make_laplace_threshold",
    ),
    Function(
        "make_laplace, composed",
        "zdw2022/thm10.eps",
        'import opendp.prelude as dp; dp.enable_features("contrib")\n'
        "space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)\n"
        "dp.c.make_composition([dp.m.make_laplace(*space, scale)] * count).map(1.0)",
        law("laplace", lambda names: names["delta"] == 0),
        part="make_laplace",
    ),
]

if __name__ == "__main__":
    serve("opendp", FUNCTIONS)
