"""Hand-made mutants that the checks must catch: (module, text in it that occurs once, what replaces it)."""

from __future__ import annotations

#: Where samples and proofs do not look: the unit tests that do.
TESTS: dict[str, str] = {
    "privref.exact.rounding": "tests/exact/test_rounding.py",
    "privref.exact.enclosure": "tests/exact/test_enclosure.py",
    "privref.exact.second": "tests/exact/test_engines.py",
    "privref.exact.decide": "tests/exact/test_engines.py",
    "privref.audit.engines": "tests/audit/test_decisions.py",
}

REQUIRED: dict[str, tuple[str, str, str]] = {
    "1 for 2 under the root of advanced composition": (
        "privref.composition.basic",
        "eps * ar.sqrt(2 * k * ar.log(1 / delta_hat))",
        "eps * ar.sqrt(k * ar.log(1 / delta_hat))",
    ),
    "1 for 2 under the root of equation (2)": (
        "privref.composition.basic",
        "ar.sqrt(2 * ar.log(1 / delta_prime)",
        "ar.sqrt(ar.log(1 / delta_prime)",
    ),
    "log2 for log in the zCDP conversion": (
        "privref.guarantees.conversions",
        "2 * ar.sqrt(rho * ar.log(1 / delta_prime))",
        "2 * ar.sqrt(rho * ar.log(1 / delta_prime) / ar.log(2))",
    ),
    "delta for delta/2 in the Rogers odometer's budget": (
        "privref.adaptive.rogers",
        '    if total(delta) > delta_g / 2:\n        return "inf"',
        '    if total(delta) > delta_g:\n        return "inf"',
    ),
    ">= for > in basic composition's filter": (
        "privref.adaptive.additive",
        "or total(eps) > eps_g else",
        "or total(eps) >= eps_g else",
    ),
    ">= for > in the output-DP filter": ("privref.adaptive.output_dp", "eps_sum > eps_t", "eps_sum >= eps_t"),
    "a cell's delta is not charged": (
        "privref.adaptive.output_dp",
        "(eps_r - spend, delta_r - delta)",
        "(eps_r - spend, delta_r)",
    ),
    "a dropped round in the zCDP filter": (
        "privref.adaptive.additive",
        "enumerate(zip(rhos, deltas, strict=True))",
        "enumerate(zip(rhos[1:], deltas[1:], strict=True))",
    ),
    "the printed y* (eps for 2 eps)": ("privref.adaptive.whitehouse", "+ 2 * eps", "+ eps"),
    "0.71 for 0.72 in the stitched boundary": (
        "privref.adaptive.martingale",
        "Fraction(72, 100)",
        "Fraction(71, 100)",
    ),
    "half the deltas in the optimal composition": (
        "privref.composition.iterative",
        "1 - (1 - delta) ** k * (1 - pure)",
        "1 - (1 - delta / 2) ** k * (1 - pure)",
    ),
    "rounding a decimal inward": (
        "privref.exact.rounding",
        'return floor if direction == "down" or floor == value else floor + 1',
        'return floor if direction == "up" or floor == value else floor + 1',
    ),
    "enclosures printed with both ends down": (
        "privref.exact.enclosure",
        'to_decimal(self.upper, digits, "up")',
        'to_decimal(self.upper, digits, "down")',
    ),
    "the second engine's sqrt rounds its lower end up": (
        "privref.exact.second",
        "libmp.mpf_sqrt(x.lower, p, _DOWN)",
        "libmp.mpf_sqrt(x.lower, p, _UP)",
    ),
    "a comparison decided by the wrong end": (
        "privref.exact.decide",
        "    if found.lower > 0:\n        return 1\n    if found.upper < 0:",
        "    if found.upper > 0:\n        return 1\n    if found.lower < 0:",
    ),
    "an audit confirms at the lower end": (
        "privref.audit.engines",
        "    if known.upper <= claimed:\n        return False",
        "    if known.lower <= claimed:\n        return False",
    ),
    "a batch with the cap of others is not cut by one more": (
        "privref.profiles.truncated",
        "tail(ar, q, truncation.records, truncation.cap)",
        "tail(ar, q, truncation.records, truncation.cap + 1)",
    ),
    "an addition's term without e^eps": (
        "privref.profiles.truncated",
        "ar.exp(eps) * ar.hull(drawn.lower, drawn.upper)",
        "ar.hull(drawn.lower, drawn.upper)",
    ),
    "the lower bound is not lowered by the term": (
        "privref.profiles.truncated",
        "Enclosure(found.lower - grown.upper, found.upper - grown.lower)",
        "Enclosure(found.lower, found.upper)",
    ),
}
