"""opendp: conversions from zCDP, compositions and the filter of its combinators."""

from __future__ import annotations

from typing import Any

from serving import Function, serve
from with_diffprivlib import flat

HEAD = 'import opendp.prelude as dp; dp.enable_features("contrib", "honest-but-curious")\n'
SPACE = "space = dp.atom_domain(T=bool), dp.discrete_distance(), dp.{}()\n"
RUN = 'run = lambda loss: dp.m.make_user_measurement(*space, lambda x: 0, lambda d: loss, TO="i32")\n'
ZCDP, PURE = "zero_concentrated_divergence", "max_divergence"


def pure(inputs: dict[str, Any]) -> dict[str, Any]:
    """Rounds without deltas."""
    given = flat(inputs)
    if given.pop("delta") or given.pop("delta_g"):
        raise ValueError("deltas among the rounds")
    return given


def code(measure: str, last: str) -> str:
    return f"{HEAD}{SPACE.format(measure)}{RUN}{last}"


FUNCTIONS = [
    Function(
        "make_zCDP_to_approxDP",
        "cks2020/zcdp2dp.eps",
        code(ZCDP, "dp.c.make_zCDP_to_approxDP(run(rho)).map(1).epsilon(delta)"),
    ),
    Function(
        "make_zCDP_to_approxDP",
        "cks2020/zcdp2dp.delta",
        code(ZCDP, "dp.c.make_zCDP_to_approxDP(run(rho)).map(1).delta(eps)"),
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
    Function(
        "make_composition",
        "whitehouse2023/thm1.rho",
        code(ZCDP, "dp.c.make_composition([run(r) for r, n in rhos for _ in range(n)]).map(1)"),
        flat,
    ),
    Function(
        "make_privacy_filter",
        "rogers2016/thm3.3.filter",
        f"{HEAD}{SPACE.format(PURE)}"
        "ask = dp.c.make_privacy_filter(dp.c.make_fully_adaptive_composition(*space), d_in=1, d_out=eps_g)(True)\n"
        '[ask(dp.m.make_user_measurement(*space, lambda x: 0, lambda d, e=e: e, TO="i32"))'
        ' for e, n in eps for _ in range(n)] and "CONT"',
        pure,
        halts=("OpenDPException",),
    ),
]

if __name__ == "__main__":
    serve("opendp", FUNCTIONS)
