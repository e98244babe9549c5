"""Lean certificates: a numeric privacy claim as a file that Lean's kernel checks.

`lean_certificate` writes, for a claim by one of the statements below, a Lean file that holds the
ledger's groups and proves the statement's inequality for every exponential function that satisfies
`exp (a + b) = exp a * exp b` and `1 + x <= exp x`, and with it the privacy of the ledger's rounds, run one
after another with parameters fixed in advance; its header says of which interactions, and of which fields.

The file is evidence, this module is not: it proposes the bounds of a logarithm or a root and the
precision, and Lean verifies them. A claim below the bound gets a file too, which Lean rejects.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

__all__ = ["LEAN_STATEMENTS", "lean_certificate"]


class _Group(NamedTuple):
    rounds: int
    par: Fraction
    delta: Fraction


@dataclass(frozen=True)
class Precision:
    """`squarings` of `1 + q/2^squarings` in fixed point with `bits` binary places."""

    squarings: int
    bits: int


# Tried in order; the last is far beyond any printed claim, and still a fraction of a second in the kernel.
_PRECISIONS = tuple(Precision(k, 2 * k + 64) for k in (32, 64, 96, 128, 192, 256))
_DEFAULT = Precision(128, 320)


def exp_numerator(q: Fraction, at: Precision) -> int:
    """Numerator over `2^bits` of the lower bound of exp(q), step for step as `expNum` in Lean."""
    scale = q.denominator << at.squarings
    n = max(((scale + q.numerator) << at.bits) // scale, 0)
    for _ in range(at.squarings):
        n = (n * n) >> at.bits
    return n


def _exp_lo(q: Fraction, at: Precision) -> Fraction:
    return Fraction(exp_numerator(q, at), 1 << at.bits)


def _exp_hi(q: Fraction, at: Precision) -> Fraction:
    """Upper bound of exp(q), or 0 when the precision does not suffice, as `expHi` in Lean."""
    n = exp_numerator(-q, at)
    return Fraction((1 << 2 * at.bits) // n + 1, 1 << at.bits) if n else Fraction(0)


def _down(x: Fraction, bits: int) -> Fraction:
    return Fraction(math.floor(x * (1 << bits)), 1 << bits)


def _crude_log(delta: Fraction) -> Fraction:
    """Some upper bound of log(1/delta), for claims where its size does not matter."""
    return Fraction(max(math.ceil(1 / delta).bit_length(), 1))


# --- reading the inputs -------------------------------------------------------------------------


def _number(where: Mapping[str, object], name: str, default: Fraction | None = None) -> Fraction:
    value = where.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise ValueError(f"{name}: an exact rational is needed, not {value!r}")
    return Fraction(value)


def _count(value: object, name: str) -> int:
    if isinstance(value, Fraction) and value.denominator == 1:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{name}: a whole number of rounds is needed, not {value!r}")
    return value


def _groups(inputs: Mapping[str, object]) -> list[_Group]:
    given = inputs.get("groups")
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise ValueError("groups: a list of (count, parameter) or (count, parameter, delta) is needed")
    found = []
    for i, group in enumerate(given):
        if not isinstance(group, Sequence) or isinstance(group, str) or len(group) not in (2, 3):
            raise ValueError(f"groups[{i}]: (count, parameter) or (count, parameter, delta) is needed")
        fields = {"par": group[1], "delta": group[2] if len(group) == 3 else Fraction(0)}
        found.append(_Group(_count(group[0], f"groups[{i}].count"), _number(fields, "par"), _number(fields, "delta")))
    return found


def _probability(value: Fraction, name: str) -> Fraction:
    if not 0 < value <= 1:
        raise ValueError(f"{name}: must lie in (0, 1], not {value}")
    return value


# --- writing Lean -------------------------------------------------------------------------------


def _lean_rat(q: Fraction) -> str:
    body = f"{abs(q.numerator)}" if q.denominator == 1 else f"{abs(q.numerator)}/{q.denominator}"
    return f"(-({body}))" if q < 0 else f"({body})"


def _lean_groups(groups: Sequence[_Group]) -> str:
    rows = [f"⟨{g.rounds}, {_lean_rat(g.par)[1:-1]}, {_lean_rat(g.delta)[1:-1]}⟩" for g in groups]
    return "[" + ",\n    ".join(rows) + "]"


class _Written(NamedTuple):
    """Lean's proposition, the lemma that proves it, the lemma's proposed bounds, and what the privacy theorem names.

    That is the order, `delta_prime` or `delta_hat`, and for equal rounds their number and parameters.
    """

    proposition: str
    lemma: str
    proposed: Mapping[str, Fraction]
    chosen: Fraction = Fraction(0)
    more: Mapping[str, object] = {}


#: What is written, at which precision, and the ledger's groups where the file lists them.
_Made = tuple[_Written, Precision, list[_Group] | None]


@dataclass(frozen=True)
class _Privacy:
    """The theorem that makes privacy of the claim: where it is, and what a file says with it, `@name@` filled in."""

    module: str
    text: str

    def written(self, values: Mapping[str, object]) -> str:
        text = self.text
        for name, value in values.items():
            text = text.replace(f"@{name}@", str(value))
        return text


@dataclass(frozen=True)
class _Statement:
    """What the header says about a statement, and how its certificate is found.

    `gives` is what the theorem `proved` concludes and `asks` what it asks of the field, the laws and the functions of
    the view; `parameter` is what the ledger lists of a round besides its δ.
    """

    theorem: str
    formula: str
    gives: str
    asks: str
    proved: str
    parameter: str
    write: Callable[[Mapping[str, object], Mapping[str, Fraction]], _Made]
    privacy: _Privacy


def _search(attempt: Callable[[Precision], tuple[bool, _Written]]) -> tuple[_Written, Precision]:
    """The lowest precision that Lean will accept; the default one where none is, for Lean to reject."""
    for at in _PRECISIONS:
        accepted, written = attempt(at)
        if accepted:
            return written, at
    return attempt(_DEFAULT)[1], _DEFAULT


def _basic(inputs: Mapping[str, object], claim: Mapping[str, Fraction]) -> _Made:
    eps, delta = _number(claim, "epsilon"), _number(claim, "delta")
    proposition = f"BasicBound ledger {_lean_rat(eps)} {_lean_rat(delta)}"
    return _Written(proposition, "basic_sound", {}), _DEFAULT, _groups(inputs)


def _advanced(inputs: Mapping[str, object], claim: Mapping[str, Fraction]) -> _Made:
    n = _count(inputs.get("k"), "k")
    eps, delta = _number(inputs, "eps"), _number(inputs, "delta", Fraction(0))
    delta_hat = _probability(_number(inputs, "delta_hat"), "delta_hat")
    eps_g, delta_g = _number(claim, "epsilon"), _number(claim, "delta")
    proposition = f"AdvancedBound {n} " + " ".join(map(_lean_rat, (eps, delta, delta_hat, eps_g, delta_g)))
    equal = {"rounds": n, "each_eps": _lean_rat(eps), "each_delta": _lean_rat(delta)}

    def attempt(at: Precision) -> tuple[bool, _Written]:
        if eps > 0 and n > 0:
            root = max(_down((eps_g - n * eps * (_exp_hi(eps, at) - 1)) / eps, at.squarings), Fraction(0))
            log = root * root / (2 * n)
        else:
            log = _crude_log(delta_hat)
            root = n * log + 1
        accepted = (
            n * eps * (_exp_hi(eps, at) - 1) + eps * root <= eps_g
            and _exp_hi(eps, at) > 0
            and delta_hat * _exp_lo(log, at) >= 1
        )
        return accepted, _Written(proposition, "advanced_sound", {"U": log, "S": root}, delta_hat, equal)

    return *_search(attempt), None


def _tanh_hi(eps: Fraction, at: Precision) -> Fraction:
    """Upper bound of tanh(eps/2), as `tanhHi` in Lean."""
    top = _exp_hi(eps, at)
    return _down((top - 1) / (top + 1), at.bits) + Fraction(1, 1 << at.bits) if top else Fraction(1)


def _drift(inputs: Mapping[str, object], claim: Mapping[str, Fraction]) -> _Made:
    groups = _groups(inputs)
    delta_prime = _probability(_number(inputs, "delta_prime"), "delta_prime")
    eps, delta = _number(claim, "epsilon"), _number(claim, "delta")
    proposition = f"DriftBound ledger {_lean_rat(delta_prime)} {_lean_rat(eps)} {_lean_rat(delta)}"
    squares = sum((g.rounds * g.par**2 for g in groups), Fraction(0))

    def attempt(at: Precision) -> tuple[bool, _Written]:
        drift = sum((g.rounds * g.par * _tanh_hi(g.par, at) for g in groups), Fraction(0))
        log = _crude_log(delta_prime)
        if squares:
            log = _down(max(eps - drift, Fraction(0)) ** 2 / (2 * squares), at.squarings)
        accepted = drift <= eps and delta_prime * _exp_lo(log, at) >= 1
        return accepted, _Written(proposition, "drift_sound", {"U": log, "D": drift}, delta_prime)

    return *_search(attempt), groups


def _log_bound(lemma: str, proposition: str, delta_prime: Fraction, log: Fraction | None) -> tuple[_Written, Precision]:
    """The certificates whose only transcendental step is log(1/delta') <= log."""
    bound = _crude_log(delta_prime) if log is None else log

    def attempt(at: Precision) -> tuple[bool, _Written]:
        return delta_prime * _exp_lo(bound, at) >= 1, _Written(proposition, lemma, {"U": bound}, delta_prime)

    return _search(attempt)


def _behind(name: str, cost: Callable[[_Group], Fraction]) -> Callable[..., _Made]:
    """The statements about a filter: spent + 2 sqrt(spent log(1/delta')) is at most epsilon."""

    def write(inputs: Mapping[str, object], claim: Mapping[str, Fraction]) -> _Made:
        groups = _groups(inputs)
        delta_prime = _probability(_number(inputs, "delta_prime"), "delta_prime")
        eps, delta = _number(claim, "epsilon"), _number(claim, "delta")
        spent = sum((g.rounds * cost(g) for g in groups), Fraction(0))
        log = max(eps - spent, Fraction(0)) ** 2 / (4 * spent) if spent else None
        proposition = f"{name}Bound ledger {_lean_rat(delta_prime)} {_lean_rat(eps)} {_lean_rat(delta)}"
        return *_log_bound(f"{name.lower()}_sound", proposition, delta_prime, log), groups

    return write


def _best_order(rho: float, eps: float) -> Fraction:
    """A good order for the CKS bound by ternary search; any order > 1 gives a valid bound."""

    def exponent(order: float) -> float:
        return (order - 1) * (order * rho - eps) + (order - 1) * math.log1p(-1 / order) - math.log(order)

    low, high = 1 + 1e-9, max(3.0, 4 * (eps + 2) / rho)
    for _ in range(200):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, b) if exponent(a) < exponent(b) else (a, high)
    return max(Fraction((low + high) / 2).limit_denominator(10**6), 1 + Fraction(1, 10**6))


def _cks(inputs: Mapping[str, object], claim: Mapping[str, Fraction]) -> _Made:
    groups = _groups(inputs)
    if any(g.rounds and g.delta for g in groups):
        raise ValueError("cks2020/zcdp2dp: the Lean checker takes rounds with delta = 0 only")
    eps, delta = _number(claim, "epsilon"), _number(claim, "delta")
    total = sum((g.rounds * g.par for g in groups), Fraction(0))
    order = _best_order(float(total), float(eps)) if total > 0 else Fraction(max(math.ceil(1 / delta), 2) + 1)
    proposition = f"CksBound ledger {_lean_rat(order)} {_lean_rat(eps)} {_lean_rat(delta)}"

    def attempt(at: Precision) -> tuple[bool, _Written]:
        # The least dyadic upper bound of log(1 - 1/order) that this precision can verify.
        target = 1 - 1 / order
        unit = Fraction(1, 1 << at.squarings // 2)
        low, high = -math.ceil(-math.log(target) / unit) - 2, 0
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if _exp_lo(middle * unit, at) >= target else (middle, high)
        log = high * unit
        value = _exp_hi((order - 1) * (order * total - eps) + order * log, at)
        accepted = _exp_lo(log, at) >= target and 0 < value <= delta * (order - 1)
        return accepted, _Written(proposition, "cks_sound", {"U": log}, order)

    return *_search(attempt), groups


def _kov(inputs: Mapping[str, object], claim: Mapping[str, Fraction]) -> _Made:
    n = _count(inputs.get("k"), "k")
    eps, delta = _number(inputs, "eps"), _number(inputs, "delta", Fraction(0))
    eps_g, delta_g = _number(claim, "epsilon"), _number(claim, "delta")
    proposition = f"KovBound {n} " + " ".join(map(_lean_rat, (eps, delta, eps_g, delta_g)))
    if delta == 0:
        left = delta_g
    elif delta < 1:
        left = max(_down(1 - (1 - delta_g) / (1 - delta) ** n, 256), Fraction(0))
    else:
        left = Fraction(1)
    equal = {"rounds": n, "each_eps": _lean_rat(eps), "each_delta": _lean_rat(delta)}
    lost = [i for i in range(n + 1) if (n - 2 * i) * eps > eps_g]

    def attempt(at: Precision) -> tuple[bool, _Written]:
        # One half of the terms are exactly zero, which needs no precision.
        tops = [_exp_hi((n - i) * eps, at) for i in lost]
        total = sum(
            (math.comb(n, i) * (top - _exp_lo(eps_g + i * eps, at)) for i, top in zip(lost, tops, strict=True)),
            Fraction(0),
        )
        accepted = all(top > 0 for top in tops) and total <= left * (1 + _exp_lo(eps, at)) ** n
        return accepted, _Written(proposition, "kov_sound", {"D": left}, more=equal)

    return *_search(attempt), None


def _of_every_test(game: str, view: str, hypotheses: str, proof: str) -> str:
    """Indistinguishability of the views of a game, in both directions."""
    return f"""
/-- Whatever is asked behind the filter whose budget is what the ledger spends, the view is (ε, δ)-indistinguishable in
both directions, for every function of the view that is measurable along the tree. -/
theorem privacy.{{u}} (F : ExpField) {hypotheses}
    {game}
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    {view.replace("@bit@", "b")}
      ≤ ofRat @delta@ + F.exp (ofRat @eps@)
        * {view.replace("@bit@", "(!b)")} :=
  {proof} g f hf h0 h1 b
"""


_ZCDP_GAME = """(g : RenyiAnalyst.{u} (expFieldLike F) (allOrders F.K)) (f : g.View → F.K)
    (hf : RenyiAnalyst.Adm (ledgerFilter F ledger) (ledgerStart F ledger) g f)"""
_ZCDP_VIEW = "RenyiAnalyst.expect (ledgerFilter F ledger) @bit@ (ledgerStart F ledger) g f"
_LEMMA_1 = _Privacy(
    "PrivRef.Thm.ZcdpCertificate",
    _of_every_test(
        _ZCDP_GAME,
        _ZCDP_VIEW,
        "(L s : F.K) (hL : F.exp (-L) = ofRat @chosen@) (hs : 0 ≤ s)\n    (hsL : s * s = ofRat (totalPar ledger) * L)",
        "zcdp_certificate_is_a_privacy_guarantee ledger _ _ _ claim F L s hL hs hsL",
    ),
)
_TIGHT = _Privacy(
    "PrivRef.Thm.ZcdpCertificate",
    _of_every_test(
        _ZCDP_GAME,
        _ZCDP_VIEW,
        "(M : F.K) (hM : F.exp M = ofRat (1 - 1 / @chosen@))",
        "cks_certificate_is_a_privacy_guarantee ledger _ _ _ claim F M hM",
    ),
)
_DP_GAME = """(g : DpAnalyst.{u} (expFieldLike F)) (f : g.View → F.K)
    (hf : DpAnalyst.Adm (ledgerSquares F ledger) (ledgerSquaresStart F ledger) g f)"""
_DP_VIEW = "DpAnalyst.expect (ledgerSquares F ledger) @bit@ (ledgerSquaresStart F ledger) g f"
_FILTER = _Privacy(
    "PrivRef.Thm.DpCertificate",
    "\nattribute [local instance] Lean.Grind.Semiring.natCast\n"
    + _of_every_test(
        _DP_GAME,
        _DP_VIEW,
        "(arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (L s : F.K)\n"
        "    (hL : F.exp (-L) = ofRat @chosen@) (hs : 0 ≤ s) (hsL : s * s = 2 * L * ofRat (totalSq ledger))",
        "filter_certificate_is_a_privacy_guarantee ledger _ _ _ claim F arch L s hL hs hsL",
    ),
)
_DRIFT = _Privacy(
    "PrivRef.Thm.DpCertificate",
    "\nattribute [local instance] Lean.Grind.Semiring.natCast\n"
    + _of_every_test(
        _DP_GAME.replace("ledgerSquares", "ledgerDrift"),
        _DP_VIEW.replace("ledgerSquares", "ledgerDrift"),
        "(arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (L s : F.K)\n"
        "    (hL : F.exp (-L) = ofRat @chosen@) (hs : 0 ≤ s) (hsL : s * s = 2 * L * ofRat (totalSq ledger))",
        "drift_certificate_is_a_privacy_guarantee ledger _ _ _ claim F arch L s hL hs hsL",
    ),
)
_ADVANCED = _Privacy(
    "PrivRef.Thm.DpCertificate",
    "\nattribute [local instance] Lean.Grind.Semiring.natCast\n"
    "\n/-- The rounds, as a ledger. -/\ndef ledger : List Group := [⟨@rounds@, @each_eps@, @each_delta@⟩]\n"
    + _of_every_test(
        _DP_GAME,
        _DP_VIEW,
        "(arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (L s : F.K)\n"
        "    (hL : F.exp (-L) = ofRat @chosen@) (hs : 0 ≤ s) (hsL : s * s = 2 * ((@rounds@ : Nat) : F.K) * L)",
        "advanced_certificate_is_a_privacy_guarantee @rounds@ _ _ _ _ _ claim F arch L s hL hs hsL",
    ),
)
_BASIC = _Privacy(
    "PrivRef.Thm.Certificate",
    """
/-- Whatever is asked in these rounds, in this order, the view is (ε, δ)-indistinguishable in both directions, for every
function of the view that is measurable along the tree. -/
theorem privacy.{u} (F : ExpField) (g : FixedAdversary.{u} (expFieldLike F) (rounds F ledger))
    (f : g.View → F.K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) :
    g.expect false f ≤ ofRat @delta@ + F.exp (ofRat @eps@) * g.expect true f ∧
    g.expect true f ≤ ofRat @delta@ + F.exp (ofRat @eps@) * g.expect false f :=
  basic_certificate_is_a_privacy_guarantee ledger _ _ claim F g f hf h0 h1
""",
)
_OPTIMAL = _Privacy(
    "PrivRef.Thm.DpCertificate",
    """
/-- Whatever mechanisms with finite laws are chosen, one after the other, their outputs are (ε, δ)-DP together. -/
theorem privacy.{u} (F : ExpField) {D O : Type u} (nbr : Neighbours D) (M : Iteration F.K D O)
    (hM : ∀ past, IsDPSet (expFieldLike F) nbr (M past) (ofRat @each_eps@) (ofRat @each_delta@)) :
    ∀ x x', nbr.rel x x' → ∀ S : List O → Prop, compositionPr M @rounds@ x S
      ≤ F.exp (ofRat @eps@) * compositionPr M @rounds@ x' S + ofRat @delta@ :=
  kov_certificate_is_a_privacy_guarantee @rounds@ _ _ _ _ claim F nbr M hM
""",
)

#: What the theorems about general laws ask of the functions of the view.
_MEASURABLE = "functions of the view that are measurable along the tree (hf)"
_BEHIND = (
    "every interaction behind the filter that lets a round through while {sums} are at most\n"
    "the ledger's is (ε, δ)-DP; the ledger's rounds, one after another, are one that it never stops"
)
_SQUARES = _BEHIND.format(sums="Σ ε_i² and Σ δ_i")
_RHOS = _BEHIND.format(sums="Σ ρ_i and Σ δ_i")

_STATEMENTS: Mapping[str, _Statement] = {
    "rogers2016/thm2.9": _Statement(
        "Rogers, Roth, Ullman, Vadhan 2016, Theorem 2.9 (basic composition)",
        "Σ ε_i ≤ ε and Σ δ_i ≤ δ",
        "every interaction whose rounds have the ledger's parameters, in its order, is (ε, δ)-DP",
        _MEASURABLE,
        "Proved in this library: PrivRef.basic_certificate_is_a_privacy_guarantee.",
        "ε",
        _basic,
        _BASIC,
    ),
    "rogers2016/thm2.10": _Statement(
        "Rogers, Roth, Ullman, Vadhan 2016, Theorem 2.10 (advanced composition)",
        "k ε₀ (exp ε₀ - 1) + ε₀ √(2 k log(1/δ̂)) ≤ ε and k δ₀ + δ̂ ≤ δ",
        _SQUARES,
        f"an Archimedean field with log(1/δ̂) and the root of 2 k log(1/δ̂);\n{_MEASURABLE}",
        "Proved in this library: PrivRef.advanced_certificate_is_a_privacy_guarantee.",
        "ε",
        _advanced,
        _ADVANCED,
    ),
    "whitehouse2023/eq2": _Statement(
        "Whitehouse, Ramdas, Rogers, Wu 2023, equation (2) (advanced composition of different rounds;\n"
        "Kairouz, Oh, Viswanath 2015, Theorem 3.5)",
        "√(2 log(1/δ') Σ ε_i²) + Σ ε_i tanh(ε_i/2) ≤ ε, and δ' + Σ δ_i ≤ δ",
        _BEHIND.format(sums="Σ ε_i², Σ ε_i tanh(ε_i/2) and Σ δ_i"),
        f"an Archimedean field with log(1/δ') and the root of 2 log(1/δ') Σ ε_i²;\n{_MEASURABLE}",
        "Proved in this library: PrivRef.drift_certificate_is_a_privacy_guarantee.",
        "ε",
        _drift,
        _DRIFT,
    ),
    "whitehouse2023/thm2": _Statement(
        "Whitehouse, Ramdas, Rogers, Wu 2023, Theorem 2 (privacy filter, ICML version)",
        "√(2 log(1/δ') V) + V/2 ≤ ε with V = Σ ε_i², and δ' + Σ δ_i ≤ δ",
        _SQUARES,
        f"an Archimedean field with log(1/δ') and the root of 2 log(1/δ') V;\n{_MEASURABLE}",
        "Proved in this library: PrivRef.filter_certificate_is_a_privacy_guarantee.",
        "ε",
        _behind("Filter", lambda group: group.par**2 / 2),
        _FILTER,
    ),
    "whitehouse2023/lem1": _Statement(
        "Whitehouse, Ramdas, Rogers, Wu 2023, Theorem 1 with Lemma 1 (zCDP filter, converted to DP)",
        "ρ + 2 √(ρ log(1/δ')) ≤ ε with ρ = Σ ρ_i, and D + (1 - D) δ' ≤ δ with D = Σ δ_i",
        _RHOS,
        f"a field with log(1/δ') and the root of ρ log(1/δ');\n{_MEASURABLE}",
        "Proved in this library: PrivRef.zcdp_certificate_is_a_privacy_guarantee.",
        "ρ",
        _behind("Zcdp", lambda group: group.par),
        _LEMMA_1,
    ),
    "cks2020/zcdp2dp": _Statement(
        "Canonne, Kamath, Steinke 2020, Corollary 13 (zCDP to DP), behind the zCDP filter",
        "exp((α-1)(αρ-ε)) / (α-1) (1-1/α)^α ≤ δ with ρ = Σ ρ_i, at the order α of the file",
        _RHOS,
        f"a field with log(1 - 1/α);\n{_MEASURABLE}",
        "Proved in this library: PrivRef.cks_certificate_is_a_privacy_guarantee.",
        "ρ",
        _cks,
        _TIGHT,
    ),
    "kov2015/optimal": _Statement(
        "Kairouz, Oh, Viswanath 2015, Theorem 3.3 (optimal composition of equal rounds)",
        "1 - (1-δ₀)^k (1 - Σ_l C(k,l) (exp((k-l)ε₀) - exp(ε + lε₀))₊ / (1 + exp ε₀)^k) ≤ δ",
        "k mechanisms with finite laws, each (ε₀, δ₀)-DP and chosen from earlier outputs, are (ε, δ)-DP together",
        "finite laws: of rounds with other laws, such as added noise without bound, it says nothing",
        "Proved in this library: PrivRef.kov_certificate_is_a_privacy_guarantee.",
        "ε",
        _kov,
        _OPTIMAL,
    ),
}


_NOT_PROVED = "not proved in this library"
_LARGEST_CELL = "at its largest cell; proved in this library: PrivRef.odp_is_dp_with_supremum_cost"
_HALF_SQUARE = "with ρ = ε²/2; proved in this library for finite laws: PrivRef.dp_mechanism_is_approximately_zcdp"
_FOLLOWS = {
    "mechanism": f"with the guarantee that follows from the mechanism it declares; {_NOT_PROVED}",
    "selection": f"with the guarantee of what was selected among several trials; {_NOT_PROVED}",
    "rounded parameters": f"at the end of the rounding where most is lost; that it covers the others is {_NOT_PROVED}",
}

#: By the parameter of the ledger's column and the kind of guarantee: how the ledger lists what is declared otherwise.
CONVERSIONS: Mapping[str, Mapping[str, str]] = {
    "ε": {
        "pdp": f"as (ε, δ)-DP with the same numbers; {_NOT_PROVED}",
        "bounded-range": "as (ε, 0)-DP; proved in this library: PrivRef.bounded_range_is_dp",
        "output-dp": _LARGEST_CELL,
        **_FOLLOWS,
    },
    "ρ": {
        "pure-dp": _HALF_SQUARE,
        "approx-dp": _HALF_SQUARE,
        "pdp": f"as (ε, δ)-DP, which is {_NOT_PROVED}, and so {_HALF_SQUARE}",
        "output-dp": f"{_LARGEST_CELL};\n  and so {_HALF_SQUARE}",
        "gaussian-dp": f"with ρ = μ²/2; {_NOT_PROVED}",
        "bounded-range": f"with ρ = ε²/8; {_NOT_PROVED}",
        **_FOLLOWS,
    },
}


LEAN_STATEMENTS: tuple[str, ...] = tuple(_STATEMENTS)
"""The statements that have a Lean checker."""


def lean_certificate(
    statement: str, inputs: Mapping[str, object], claim: Mapping[str, Fraction], kinds: Sequence[str] = ()
) -> str:
    """The source of a Lean file that proves `claim` by `statement`, if it is true.

    `inputs` holds exact numbers under the names of the statement: `groups`, a list of
    (count, epsilon or rho[, delta]), and `delta_prime` for the statements about a ledger; `k`, `eps`,
    `delta` and, for thm2.10, `delta_hat` for those about equal rounds. `claim` holds `epsilon` and
    `delta`. `kinds` are the kinds of guarantee that the ledger declares; the header says how each was
    converted to what the file lists. Raises `ValueError` for a statement without a Lean checker and for
    inputs it cannot read.
    """
    entry = _STATEMENTS.get(statement)
    if entry is None:
        known = ", ".join(LEAN_STATEMENTS)
        raise ValueError(f"{statement} has no Lean checker; those with one are {known}")
    for name in ("epsilon", "delta"):
        if _number(claim, name) < 0:
            raise ValueError(f"{name}: a claim cannot be negative")
    written, at, groups = entry.write(inputs, claim)
    bounds = "".join(f" ({name} := {_lean_rat(value)[1:-1]})" for name, value in written.proposed.items())
    precision = "" if written.lemma == "basic_sound" else f" (k := {at.squarings}) (p := {at.bits})"
    ledger = (
        ""
        if groups is None
        else f"/-- The ledger: number of rounds, {entry.parameter}, δ. -/\n"
        f"def ledger : List Group :=\n  {_lean_groups(groups)}\n\n"
    )
    eps, delta = claim["epsilon"], claim["delta"]
    values = {"eps": _lean_rat(eps), "delta": _lean_rat(delta), "chosen": _lean_rat(written.chosen)}
    privacy = entry.privacy.written({**values, **written.more})
    words = CONVERSIONS[entry.parameter]
    converted = "".join(f"A round declared by {kind} is listed {words[kind]}.\n" for kind in kinds if kind in words)
    return f"""/-
Numeric certificate for the claim ε = {eps}, δ = {delta} by `{statement}`.

What Lean checks as `claim`: {entry.formula},
for every ordered field and every function exp on it with exp(a + b) = exp a * exp b and 1 + x ≤ exp x,
the real exponential included.

What makes it privacy, as `privacy`:
{entry.theorem}:
{entry.gives}.
{entry.proved}
It asks for {entry.asks}.
{converted}That the ledger describes what was run is not for Lean to check.
-/
module

public import {entry.privacy.module}

@[expose] public section

namespace PrivRef.Certificate

open PrivRef PrivRef.Numerics

{ledger}theorem claim : {written.proposition} :=
  {written.lemma}{precision}{bounds} (by decide +kernel)
{privacy}
end PrivRef.Certificate
"""
