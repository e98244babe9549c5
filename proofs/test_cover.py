"""The prover of signs over a domain refuses what is false, what stays open, and covers with holes."""

from __future__ import annotations

import ast
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
import sympy as sp

from privref.exact import decide
from privref.statements import registry
from proofs import cover, exploring, harness, rooted
from proofs.cks2020 import zcdp2dp
from proofs.gdp import cor1
from proofs.transcription import At, Chart, Claim, Drop, ProofError, Root, Tail

harness.catalogue.load()
F = Fraction
x, y, s, t = sp.symbols("x y s t", real=True)
UNIT = {s: (F(0), F(1)), t: (F(0), F(1))}


def on_unit_square(quantity: sp.Expr) -> Claim:
    return Claim("on the unit square", quantity, {x: (0, 1), y: (0, 1)}, (Chart(UNIT, {x: s, y: t}),))


@pytest.mark.parametrize("engine", tuple(decide.ENGINES))
def test_a_true_claim_is_proved_by_bisection(engine: decide.EngineName) -> None:
    """The quantity's least value is 1/100, on a line across the square: one box does not decide it."""
    claim = on_unit_square((x - y) ** 2 - (x - y) + sp.Rational(26, 100))
    assert cover.prove_claim(claim, engine=engine) > 10


def test_a_claim_that_fails_in_a_small_part_of_the_domain_is_refused() -> None:
    """Negative only within a thousandth of one point, which no grid of hundredths meets."""
    hidden = (x - sp.Rational(1, 3)) ** 2 + (y - sp.Rational(1, 7)) ** 2 - sp.Rational(1, 10**6)
    with pytest.raises(ProofError, match="is not positive"):
        cover.prove_claim(on_unit_square(hidden))


def test_a_claim_that_is_only_not_negative_stays_open_and_raises() -> None:
    """Zero at one point: no bisection decides it, and the piece around it is not skipped."""
    with pytest.raises(ProofError, match="still open"):
        cover.prove_claim(on_unit_square((x - sp.Rational(1, 3)) ** 2 + y**2), most_boxes=500)


def test_a_pole_on_the_edge_raises_unless_a_factor_removes_it() -> None:
    """1/x has no enclosure on a box that touches 0; x times it has."""
    domain, box = {x: (0, 1)}, {s: (F(0), F(1))}
    with pytest.raises(ProofError, match="still open"):
        cover.prove_claim(Claim("1/x", 1 / x, domain, (Chart(box, {x: s}),)), most_boxes=500)
    assert cover.prove_claim(Claim("1/x", 1 / x, domain, (Chart(box, {x: s}, s, sp.S.One),))) == 1


@pytest.mark.parametrize("ends", [(F(0), F(2, 3)), (F(1, 3), F(1))])
def test_a_cover_with_a_hole_is_refused(ends: tuple[Fraction, Fraction]) -> None:
    """A chart that stops short of the domain's end leaves a hole; one more chart fills it."""
    short = Chart({s: ends, t: (F(0), F(1))}, {x: s, y: t})
    claim = on_unit_square(1 + x + y)
    with pytest.raises(ProofError, match="hole"):
        cover.prove_claim(replace(claim, parts=(short,)))
    rest = Chart({s: (F(1, 3), F(2, 3)), t: (F(0), F(1))}, {x: s, y: t})
    other = Chart({s: (F(2, 3), F(1)) if ends[0] == 0 else (F(0), F(1, 3)), t: (F(0), F(1))}, {x: s, y: t})
    assert cover.prove_claim(replace(claim, parts=(short, rest, other))) == 3


def test_a_hole_in_the_middle_of_two_variables_is_found() -> None:
    """Each variable's ends are covered, the corner is not."""
    box = {s: (F(0), F(1)), t: (F(0), F(1, 2))}
    turned = {s: (F(0), F(1, 2)), t: (F(0), F(1))}
    parts = (Chart(box, {x: s, y: t}), Chart(turned, {x: s, y: t}))
    with pytest.raises(ProofError, match="hole"):
        cover.prove_claim(replace(on_unit_square(1 + x), parts=parts))


def test_a_half_line_is_covered_by_a_compact_chart_with_its_limit() -> None:
    """x = s/(1 - s): the end at infinity is in the cover only through the product's continuous form."""
    domain, box = {x: (0, sp.oo)}, {s: (F(0), F(1))}
    image = {x: s / (1 - s)}
    quantity = (1 + 2 * x) / (1 + x)
    assert cover.prove_claim(Claim("ratio", quantity, domain, (Chart(box, image, sp.S.One, 1 + s),))) == 1
    with pytest.raises(ProofError, match="is not the factor times"):
        cover.prove_claim(Claim("ratio", quantity, domain, (Chart(box, image, sp.S.One, 1 + 2 * s),)))
    with pytest.raises(ProofError, match="hole"):
        cover.prove_claim(Claim("ratio", quantity, {x: (-1, sp.oo)}, (Chart(box, image, sp.S.One, 1 + s),)))


@pytest.mark.parametrize(
    ("chart", "words"),
    [
        (Chart({s: (F(0), F(1))}, {x: 1 - s}), "not seen to increase"),
        (Chart({s: (F(0), F(1))}, {x: s}, -s), "not seen to be positive"),
        (Chart({s: (F(0), F(1))}, {x: t}), "no coordinate of its own"),
        (Chart({s: (F(0), F(1))}, {y: s}), "a chart gives"),
    ],
)
def test_a_chart_that_is_not_one_is_refused(chart: Chart, words: str) -> None:
    """Images that turn round, factors that change the sign, coordinates that are not in the box."""
    with pytest.raises(ProofError, match=words):
        cover.prove_claim(Claim("positive", 1 + x, {x: (0, 1)}, (chart,)))


@pytest.mark.parametrize(
    ("quantity", "words"),
    [
        (sp.exp(-x) - sp.Rational(1, 100), "limit"),
        (x - 4, "is not positive|still open"),
        (1 + sp.exp(-x) * (x - 5) ** 2, "move one way"),
    ],
)
def test_a_tail_needs_one_direction_and_a_good_end(quantity: sp.Expr, words: str) -> None:
    """A fall below 0 at infinity, a start below 0, a quantity that turns: each is refused."""
    parts = (Tail(x, F(3), sp.oo),)
    with pytest.raises(ProofError, match=words):
        cover.prove_claim(Claim("tail", quantity, {x: (3, sp.oo)}, parts))


def test_tails_are_proved_in_both_directions() -> None:
    """Falling to 0 at infinity, and falling from the start towards minus infinity is refused."""
    assert cover.prove_claim(Claim("exp", sp.exp(-x), {x: (3, sp.oo)}, (Tail(x, F(3), sp.oo),))) == 0
    with pytest.raises(ProofError):
        cover.prove_claim(Claim("line", x + 1, {x: (-sp.oo, 0)}, (Tail(x, F(0), -sp.oo),)))


def test_a_variable_without_domain_is_refused() -> None:
    """The claim speaks of y, the domain does not."""
    with pytest.raises(ProofError, match="says nothing"):
        cover.prove_claim(Claim("y", 1 + y**2, {x: (0, 1)}, (Chart({s: (F(0), F(1))}, {x: s}),)))


def test_mills_ratio_takes_more_than_one_box() -> None:
    """The claims of the Gaussian profile are decided by bisection, not by SymPy, and not with a wrong constant."""
    assert cover.prove_claim(cor1.MILLS) > 1
    wrong = replace(cor1.MILLS, quantity=cor1.MILLS.quantity - sp.exp(-(cor1.z**2) / 2) / 3)
    with pytest.raises(ProofError):
        cover.prove_claim(wrong)


PROFILE = next(p for p in cor1.PROVES if isinstance(p, Root) and p.id == "gdp/profile.eps")
TIGHT = next(p for p in zcdp2dp.PROVES if isinstance(p, Root) and p.id == "cks2020/zcdp2dp.eps")


def test_a_root_of_another_equation_is_refused() -> None:
    """The paper's equation with a billionth more in it has another root."""

    def shifted(root, mu, delta):  # type: ignore[no-untyped-def]
        return PROFILE.value(lambda f: root(lambda e: f(e) + sp.Rational(1, 10**9)), mu, delta)

    with pytest.raises(ProofError, match="the root is of"):
        harness.prove(replace(PROFILE, value=shifted, cases=PROFILE.cases[:1]))


def test_another_value_at_the_root_is_refused() -> None:
    """The right root, and a value that is off by a billionth."""

    def off(root, rho, delta):  # type: ignore[no-untyped-def]
        found = TIGHT.value(root, rho, delta)
        return found if found == 0 else found + sp.Rational(1, 10**9)

    with pytest.raises(ProofError):
        harness.prove(replace(TIGHT, value=off, cases=TIGHT.cases[:1]))


def test_a_rule_without_root_is_refused() -> None:
    """A transcription that answers 0 everywhere has no root where the code has one."""
    with pytest.raises(ProofError, match="only one side"):
        harness.prove(replace(PROFILE, value=lambda root, mu, delta: sp.S.Zero, cases=PROFILE.cases[:1]))


def test_cases_that_never_reach_the_root_are_refused() -> None:
    """The edges alone prove nothing of the root."""
    with pytest.raises(ProofError, match="no path has a root"):
        harness.prove(replace(PROFILE, cases=PROFILE.cases[1:]))


@pytest.mark.parametrize("at_zero", [sp.S.One, sp.Symbol("anything", real=True)])
def test_a_bracket_that_may_start_above_the_root_is_refused(at_zero: sp.Expr) -> None:
    """A root is promised only where the function is known not to be positive at the lower end."""
    unknown = sp.Symbol("root", positive=True)
    bracket = rooted.Bracket(unknown, exploring.Oracle(()))
    with pytest.raises(ProofError, match="not known to be at most 0"):
        bracket.root(lambda arithmetic, e: e + at_zero, sp.S.Zero, sp.S.One, None)
    assert bracket.root(lambda arithmetic, e: e - unknown, sp.S.Zero, sp.S.One, None) == (unknown, unknown)


def test_a_slope_that_is_not_the_functions_is_refused() -> None:
    """Twice the slope is positive too, but is not the slope."""

    def doubled(e, mu, delta):  # type: ignore[no-untyped-def]
        above, below = PROFILE.slope(e, mu, delta)
        return (2, *above), below

    with pytest.raises(ProofError):
        harness.prove(replace(PROFILE, slope=doubled, cases=PROFILE.cases[:1]))


def test_the_status_says_whether_a_cover_is_used() -> None:
    """What rests on a cover is not called identical, and what does not is not called enclosed."""
    with pytest.raises(ProofError, match="a cover is used"):
        harness.prove(replace(PROFILE, status="identical", cases=PROFILE.cases[:1]))
    with pytest.raises(ProofError, match="a cover is not used"):
        harness.prove(replace(TIGHT, status="enclosed", cases=TIGHT.cases[:1]))


def test_a_claim_is_used_only_within_its_domain() -> None:
    """A quantity that is positive on [0, 1] is not positive at every real number."""
    claim = Claim("a part", 2 - x, {x: (0, 1)}, (Chart({s: (F(0), F(1))}, {x: s}),))
    with pytest.raises(ProofError, match="lie in its domain"):
        rooted.prove_factor(At(claim, {x: y}))
    with pytest.raises(ProofError, match="minus the slope"):
        rooted.prove_factor(Drop(cor1.MILLS, sp.S.One, -cor1.z, sp.S.Zero, sp.S.One, sp.S.One))


def test_a_pair_that_is_not_zcdp_at_some_order_is_refused() -> None:
    """The pair (1/100, 1/200) is 1/10-zCDP and not 1/250-zCDP: the moments are too large at some orders only."""
    code = harness.Code(registry.statement("cks2020/two_point_witness.delta"))
    p, q = sp.Rational(1, 100), sp.Rational(1, 200)
    zcdp2dp.every_order(code, sp.Rational(1, 10), p, q)
    with pytest.raises(ProofError, match="is not positive"):
        zcdp2dp.every_order(code, sp.Rational(1, 250), p, q)


def test_the_prover_of_covers_is_not_seen_by_transcriptions() -> None:
    """Claims are data; the module that proves them runs our intervals and is imported by the harness alone."""
    tree = ast.parse((Path(cover.__file__).parent / "transcription.py").read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not any("privref" in str(module) or "cover" in str(module) for module in modules)
