"""What one raw event promises: its parameters, cells, law and pair of laws, read from the document by the checker."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from privref.audit.checker.basis import Mismatch, in_domain
from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from privref.exact.numbers import count as read_count
from privref.exact.numbers import rational, spell
from privref.exact.rounding import to_decimal
from privref.exact.work import spend
from privref.guarantees.model import GaussianDP
from privref.profiles.declared import Mechanism, counted, mechanism_from, under


def of_group(event: Mapping[str, Any], k: int) -> Mapping[str, Any]:
    """The raw guarantee of an event for a group of k."""
    kind = event["kind"]
    if kind == "gaussian-dp":
        return {"kind": kind, "mu": spell(k * in_domain(rational(event["mu"], "mu"), "mu"))}
    if kind == "bounded-range":
        return {"kind": kind, "epsilon": spell(k * parameters_of(event, "dp")[0])}
    if kind == "zcdp" and not parameters_of(event, "zcdp")[1]:
        return {"kind": kind, "rho": spell(k * k * parameters_of(event, "zcdp")[0])}
    if kind == "rdp":
        c = 0
        while 2**c < k:
            c += 1
        if rational(event.get("delta", "0"), "delta"):
            raise Mismatch("approximate Renyi DP of a group is not known")
        costs = {
            spell(rational(order, "orders") / 2**c): spell(3**c * in_domain(rational(cost, "orders"), "orders"))
            for order, cost in event["orders"].items()
            if rational(order, "orders") >= 2 ** (c + 1)
        }
        return {"kind": kind, "orders": costs}
    eps, delta = parameters_of(event, "dp")
    if not delta:
        return {"kind": "pure-dp", "epsilon": spell(k * eps)}

    def geometric(ar: Arithmetic) -> Scalar:
        # 1 + e^eps + ... + e^((k-1) eps), by squaring: the sum of 2n terms is that of n times 1 + e^(n eps).
        def terms(n: int) -> Any:
            if n == 1:
                return ar.real(Fraction(1))
            half = terms(n // 2)
            doubled = half * (1 + ar.exp(eps * (n // 2)))
            return doubled if n % 2 == 0 else doubled + ar.exp(eps * (n - 1))

        return delta * terms(k)  # type: ignore[no-any-return]

    if Fraction(2) ** min(int((k - 1) * eps), 10**6) * delta >= 1:
        # Already with powers of 2 for those of e: every mechanism has delta = 1.
        return {"kind": "approx-dp", "epsilon": spell(k * eps), "delta": "1"}
    for digits in (40, 120, 480):
        found = decide.enclose(geometric, decide.engine("mpmath"), Fraction(1, 10**digits))
        if not eps:
            # An exact number, which may be a decimal of 30 digits; any other delta of a group is no rational.
            found = Enclosure(k * delta, k * delta)
        ends = [Fraction(text) for text in (to_decimal(found.lower, 30, "up"), to_decimal(found.upper, 30, "up"))]
        if found.lower >= 1:
            ends = [Fraction(1), Fraction(1)]
        if ends[0] == ends[1]:
            return {"kind": "approx-dp", "epsilon": spell(k * eps), "delta": spell(min(ends[0], Fraction(1)))}
    raise Mismatch("the delta of the group can not be rounded up")


def law_of(event: Mapping[str, Any]) -> Mechanism | None:
    """The declared mechanism of a raw event, where its law is known."""
    if "mechanism" not in event:
        return None
    found = under(mechanism_from(event["mechanism"], "ledger: mechanism"), event["neighbours"])
    return None if found.upper is None else found


def mu_of(event: Mapping[str, Any]) -> Fraction:
    """The mu of a raw event: its Gaussian mechanism's where that is rational, else its guarantee's."""
    law = law_of(event)
    if law is not None and isinstance(law.guarantee, GaussianDP):
        return law.guarantee.mu
    if event["kind"] != "gaussian-dp":
        raise Mismatch(f"an event of kind {event['kind']} is no Gaussian one")
    return in_domain(rational(event["mu"], "mu"), "mu")


def square_of_irrational_mu(event: Mapping[str, Any]) -> Fraction | None:
    """The mu^2 of a raw event whose Gaussian mechanism's mu is no rational, and that is not declared Gaussian DP."""
    law = law_of(event)
    if law is None or law.kind != "gaussian" or isinstance(law.guarantee, GaussianDP) or event["kind"] == "gaussian-dp":
        return None
    return 2 * rho_of(law)


def pair_of(event: Mapping[str, Any]) -> Mechanism:
    """The pair of laws of a raw event: its mechanism's, or the worst case of its guarantee."""
    law = law_of(event)
    if law is not None:
        return law
    if event["kind"] == "gaussian-dp":
        document: dict[str, Any] = {"kind": "gaussian-dp", "mu": event["mu"]}
    elif event["kind"] == "pure-dp":
        document = {"kind": "pure-dp", "epsilon": event["epsilon"]}
    else:
        epsilon, delta = parameters_of(event, "dp")
        document = {"kind": "approx-dp", "epsilon": spell(epsilon), "delta": spell(delta)}
    return counted(document, "ledger: guarantee")[0]


def sampled_query(event: Mapping[str, Any]) -> tuple[Fraction, Fraction, str, bool] | None:
    """Of a raw subsampled event with one Gaussian query: rate, squared noise multiplier, sampling, and if attained.

    Poisson samples that may be cut are ``truncated``.
    """
    said = event.get("mechanism", {})
    if said.get("kind") != "subsampled" or said["base"]["kind"] != "gaussian":
        return None
    base = said["base"]

    def square(name: str) -> Fraction:
        if f"{name}_squared" in base:
            return rational(base[f"{name}_squared"], f"ledger: base.{name}_squared")
        return rational(base[name], f"ledger: base.{name}") ** 2

    sensitivity = square("sensitivity")
    if not sensitivity:
        return None
    attained = said.get("attained", True) and base.get("attained", True)
    sampling = "truncated" if cap_of(event) is not None else said["sampling"]
    return rational(said["rate"], "ledger: rate"), square("sigma") / sensitivity, sampling, attained


def cap_of(event: Mapping[str, Any]) -> tuple[int, int] | None:
    """The cap of a raw subsampled event, and the records it rests on, where a sample may be above it."""
    said = event.get("mechanism", {})
    if "batch_cap" not in said:
        return None
    cap, records = (read_count(int(rational(said[name], name)), name, least=1) for name in ("batch_cap", "records"))
    return (cap, records) if cap <= records else None


def cut_or_pair_of(event: Mapping[str, Any]) -> Mechanism:
    """The mechanism of a raw event with samples that may be cut, and of any other the pair of laws."""
    if cap_of(event) is None:
        return pair_of(event)
    found = under(mechanism_from(event["mechanism"], "ledger: mechanism"), event["neighbours"])
    if found.whole is None or found.whole.upper is None:
        raise Mismatch("an event on samples that may be cut has no law of its own")
    return found


def rho_of(law: Mechanism) -> Fraction:
    """Half the sum of the squared shifts over sigma^2, from the raw parameters."""
    said = law.document

    def square(name: str) -> Fraction:
        if f"{name}_squared" in said:
            return rational(said[f"{name}_squared"], name)
        return rational(said[name], name) ** 2

    if law.kind == "gaussian":
        return square("sensitivity") / square("sigma") / 2
    shifts = said["shifts"]
    assert isinstance(shifts, list)
    return sum((rational(shift, "shifts") ** 2 for shift in shifts), Fraction(0)) / square("sigma") / 2


def parameters_of(guarantee: Mapping[str, Any], notion: str) -> tuple[Fraction, Fraction]:
    """(epsilon, delta) or (rho, delta) of one raw event; Mismatch where it has no such guarantee."""

    def number(key: str) -> Fraction:
        return in_domain(rational(guarantee.get(key, "0"), key), key)

    kind = guarantee["kind"]
    if kind in ("pure-dp", "approx-dp", "pdp"):
        eps, delta = number("epsilon"), number("delta")
        return (eps, delta) if notion == "dp" else (eps * eps / 2, delta)
    if kind == "bounded-range":
        # An interval of that width that holds 0; and its losses have variance at most eps^2/4 under every tilt.
        return (number("epsilon"), Fraction(0)) if notion == "dp" else (number("epsilon") ** 2 / 8, Fraction(0))
    if kind == "output-dp":
        eps, delta = max(cell_costs(guarantee).values()), number("delta")
        return (eps, delta) if notion == "dp" else (eps * eps / 2, delta)
    if notion == "zcdp" and kind == "zcdp":
        return number("rho"), number("delta")
    if notion == "zcdp" and kind == "gaussian-dp":
        return number("mu") ** 2 / 2, Fraction(0)
    raise Mismatch(f"an event of kind {kind} has no {notion} guarantee")


#: What each rule of a partition takes. This checker does not derive the cells of the others.
_RULE_FIELDS = {
    "svt-count": {"eps1", "eps2", "c"},
    "ptr": {"eps"},
    "constant": {"cells", "eps"},
    "iterations": {"k", "E"},
}

#: A partition has at most so many cells, as for the audit's reader.
_MOST_CELLS = 100_000


def cell_costs(guarantee: Mapping[str, Any]) -> dict[str, Fraction]:
    """The cells of a raw output-DP guarantee, listed or by a rule; InputError for a rule that an audit refuses too."""
    if "cells" in guarantee:
        return {cell: in_domain(rational(cost, "cells"), "cells") for cell, cost in guarantee["cells"].items()}
    rule = guarantee["partition"]
    name = rule.get("rule")
    if not isinstance(name, str):
        raise InputError("ledger: partition.rule", name, "give the name of a rule")
    if name not in _RULE_FIELDS:
        raise Mismatch(f"this checker does not derive the cells of the rule {name!r}")
    for key in sorted(set(rule) ^ {"rule", *_RULE_FIELDS[name]}):
        raise InputError(
            f"ledger: partition.{key}",
            rule.get(key, "(missing)"),
            f"the rule {name} takes {', '.join(sorted(_RULE_FIELDS[name]))}",
        )

    def number(key: str) -> Fraction:
        return in_domain(rational(rule[key], f"ledger: partition.{key}"), key)

    def entries(key: str) -> list[Any]:
        if not isinstance(rule[key], list) or not 1 <= len(rule[key]) <= _MOST_CELLS:
            raise InputError(f"ledger: partition.{key}", rule[key], f"give a list of 1 to {_MOST_CELLS} entries")
        return list(rule[key])

    match name:
        case "svt-count":
            c = read_count(rule["c"], "ledger: partition.c", least=1)
            if c >= _MOST_CELLS:
                raise InputError("ledger: partition.c", rule["c"], f"a partition has at most {_MOST_CELLS} cells")
            eps1, eps2 = number("eps1"), number("eps2")
            spend(3 * c)
            return {str(tops): eps1 + eps2 * tops / c for tops in range(c + 1)}
        case "ptr":
            return {"answer": 2 * number("eps"), "bottom": number("eps")}
        case "constant":
            cells, eps = entries("cells"), number("eps")
            if not all(isinstance(cell, str) for cell in cells) or len(set(cells)) < len(cells):
                raise InputError("ledger: partition.cells", cells, "give the name of every cell once")
            return dict.fromkeys(cells, eps)
        case _:
            stops = [read_count(k, "ledger: partition.k", least=1) for k in entries("k")]
            costs = [in_domain(rational(cost, "ledger: partition.E"), "partition.E") for cost in entries("E")]
            if any(later <= earlier for earlier, later in itertools.pairwise(stops)):
                raise InputError("ledger: partition.k", rule["k"], "stopping points must be strictly increasing")
            if len(costs) != len(stops):
                raise InputError(
                    "ledger: partition.E", rule["E"], f"give one cost for each of the {len(stops)} stopping points"
                )
            return dict(zip(map(str, stops), costs, strict=True))


def renyi_cost(guarantee: Mapping[str, Any], order: Fraction) -> tuple[Fraction, Fraction]:
    """What a raw event promises at a Renyi order, and its delta."""
    if guarantee["kind"] == "rdp":
        declared = {rational(name, "orders"): cost for name, cost in guarantee["orders"].items()}
        if len(declared) < len(guarantee["orders"]):
            raise InputError("ledger: orders", ", ".join(guarantee["orders"]), "an order stands twice; keep one")
        above = [other for other in declared if other >= order]
        if not above:
            raise Mismatch(f"an event promises nothing at the order {order}")
        cost, delta = rational(declared[min(above)], "orders"), rational(guarantee.get("delta", "0"), "delta")
        return in_domain(cost, "orders"), in_domain(delta, "delta")
    rho, delta = parameters_of(guarantee, "zcdp")
    if guarantee["kind"] in ("zcdp", "gaussian-dp"):
        return rho * order, delta
    epsilon = parameters_of(guarantee, "dp")[0]
    if guarantee["kind"] == "bounded-range" or not epsilon:
        return min(rho * order, epsilon), delta
    if 1024 * epsilon * order <= 1:
        # Small rounds are charged their bound, which is a millionth more.
        return rho * order, delta
    return min(_response_cost(epsilon, order), rho * order, epsilon), delta


def _response_cost(epsilon: Fraction, order: Fraction) -> Fraction:
    """Randomized response's divergence, by its definition on two outcomes, rounded up to a multiple of 2^-96."""

    if epsilon >= 128:
        # Within 2^-96 of it.
        return epsilon
    if 2**96 * order**3 * epsilon**4 <= 1:
        return min(order * epsilon**2 / 2, epsilon)

    def divergence(ar: Arithmetic) -> Scalar:
        # p^a q^(1-a) + q^a p^(1-a) with p = 1/(1 + e^-epsilon), q = 1 - p, over e^((a-1) epsilon).
        likely, unlikely = 1 / (1 + ar.exp(-epsilon)), 1 / (1 + ar.exp(epsilon))
        moment = likely + unlikely * ar.exp(-2 * (order - 1) * epsilon)
        return epsilon + ar.log(moment) / (order - 1)

    for bits in (128, 512, 2048):
        found = decide.enclose(divergence, decide.engine("mpmath", bits), Fraction(1, 2**bits))
        ends = {-(-(end * 2**96).numerator // (end * 2**96).denominator) for end in (found.lower, found.upper)}
        if len(ends) == 1:
            return Fraction(ends.pop(), 2**96)
    raise Mismatch("the divergence of an event at the order can not be rounded up")
