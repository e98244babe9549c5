"""The two engines: each operation encloses the truth and each other, and no value can be compared by accident."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, ExactArithmetic, Scalar
from privref.exact.errors import MorePrecisionError, NotRationalError, UndecidedError
from privref.exact.work import metered

ENGINES = tuple(decide.ENGINES)
NUMBERS = st.fractions(min_value=-40, max_value=40, max_denominator=10**6)
NONZERO = NUMBERS.filter(bool)
# 1 is left out: log(1) = 0 is exact in one engine, and no enclosure around 0 is inside it.
POSITIVE = st.fractions(min_value=Fraction(1, 10**9), max_value=10**9, max_denominator=10**12).filter(lambda x: x != 1)


def enclose(formula: decide.Formula, engine: str, bits: int):  # type: ignore[no-untyped-def]
    return decide.enclose_once(formula, decide.engine(engine, bits))  # type: ignore[arg-type]


@given(NUMBERS, NUMBERS, NUMBERS, st.integers(20, 200))
def test_field_operations_contain_the_exact_result(a: Fraction, b: Fraction, c: Fraction, bits: int) -> None:
    exact = (a - b) * (b + 3) - (2 - c) * a + (-c) ** 3 + (a / (abs(b) + 1))
    for engine in ENGINES:
        found = enclose(
            lambda ar: (
                (ar.real(a) - b) * (ar.real(b) + 3)
                - (2 - ar.real(c)) * a
                + (-ar.real(c)) ** 3
                + ar.real(a) / (abs(b) + 1)
            ),
            engine,
            bits,
        )
        assert found.contains(exact)


@pytest.mark.parametrize("name", ["exp", "expm1", "tanh", "normal_cdf"])
@given(NONZERO, st.integers(20, 120))
def test_functions_of_both_engines_enclose_a_sharper_one(name: str, x: Fraction, bits: int) -> None:
    def formula(ar: Arithmetic) -> Scalar:
        return getattr(ar, name)(x)  # type: ignore[no-any-return]

    coarse = {engine: enclose(formula, engine, bits) for engine in ENGINES}
    for sharp_engine in ENGINES:
        sharp = enclose(formula, sharp_engine, 4 * bits)
        for found in coarse.values():
            assert found.lower <= sharp.lower
            assert sharp.upper <= found.upper


@pytest.mark.parametrize("name", ["log", "log1p", "sqrt"])
@given(POSITIVE, st.integers(20, 120))
def test_functions_of_positive_numbers_enclose_a_sharper_one(name: str, x: Fraction, bits: int) -> None:
    def formula(ar: Arithmetic) -> Scalar:
        return getattr(ar, name)(x)  # type: ignore[no-any-return]

    for engine in ENGINES:
        found = enclose(formula, engine, bits)
        for sharp_engine in ENGINES:
            sharp = enclose(formula, sharp_engine, 4 * bits)
            assert found.lower <= sharp.lower
            assert sharp.upper <= found.upper


@pytest.mark.parametrize("engine", ENGINES)
def test_values_at_zero_and_one_are_enclosed(engine: str) -> None:
    for formula, value in (
        (lambda ar: ar.exp(0), 1),
        (lambda ar: ar.expm1(0), 0),
        (lambda ar: ar.tanh(0), 0),
        (lambda ar: ar.log(1), 0),
        (lambda ar: ar.log1p(0), 0),
        (lambda ar: ar.sqrt(0), 0),
        (lambda ar: ar.normal_cdf(0), Fraction(1, 2)),
    ):
        assert enclose(formula, engine, 64).contains(Fraction(value))


@pytest.mark.parametrize("engine", ENGINES)
def test_the_exponential_that_an_interval_library_missed(engine: str) -> None:
    x = Fraction(-525912, 1048576)
    # A rational enclosure of exp(x) by its alternating Taylor series, independent of both engines.
    partial, term, n = Fraction(1), Fraction(1), 0
    sums = []
    while abs(term) > Fraction(1, 10**60):
        n += 1
        term = term * x / n
        partial += term
        sums.append(partial)
    low, high = sorted(sums[-2:])
    found = enclose(lambda ar: ar.exp(x), engine, 53)
    assert found.lower <= low
    assert high <= found.upper


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "use",
    [
        lambda v: v < 1,
        lambda v: v <= v,
        lambda v: v > 1,
        lambda v: v == v,
        lambda v: v != 0,
        bool,
        lambda v: max(v, v),
        lambda v: sorted([v, v]),
        hash,
    ],
)
def test_values_refuse_comparison_and_truth(engine: str, use) -> None:  # type: ignore[no-untyped-def]
    value = decide.engine(engine).exp(1)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        use(value)


@pytest.mark.parametrize("engine", ENGINES)
def test_undefined_values_are_not_finite_enclosures(engine: str) -> None:
    for formula in (
        lambda ar: ar.log(0),
        lambda ar: ar.log(-1),
        lambda ar: ar.sqrt(-1),
        lambda ar: ar.real(1) / (ar.exp(0) - 1),
        lambda ar: ar.log1p(-1),
    ):
        assert enclose(formula, engine, 64) is None


@pytest.mark.parametrize("engine", ENGINES)
def test_comparisons_are_certain_or_refused(engine: str) -> None:
    ar = decide.engine(engine)  # type: ignore[arg-type]
    assert decide.exceeds(lambda a: a.exp(1), lambda a: Fraction(2718281828, 10**9), ar)
    assert not decide.exceeds(lambda a: Fraction(1, 2), lambda a: Fraction(1, 2), ar)
    assert decide.sign(lambda a: a.log(1), ar) == 0
    with pytest.raises(UndecidedError, match="cap of 512 bits"):
        decide.exceeds(lambda a: a.sqrt(2) * a.sqrt(3), lambda a: a.sqrt(6), ar, cap=512)


@pytest.mark.parametrize("engine", ENGINES)
def test_very_close_numbers_are_told_apart(engine: str) -> None:
    ar = decide.engine(engine)  # type: ignore[arg-type]
    close = Fraction(1, 10**600)
    assert decide.exceeds(lambda a: a.exp(close), lambda a: 1 + close, ar)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_branch_inside_a_run_asks_for_more_precision(engine: str) -> None:
    ar = decide.engine(engine, 24)  # type: ignore[arg-type]
    assert decide.sign_now(ar.exp(1) - 2, ar) == 1
    with ar.active(), pytest.raises(MorePrecisionError):
        decide.sign_now(ar.sqrt(2) * ar.sqrt(2) - 2, ar)


def test_precision_is_restored_after_use() -> None:
    outer = decide.engine("arb", 300)
    with outer.active():
        before = enclose(lambda ar: ar.exp(1), "arb", 30).width
        inner = outer.enclosure(outer.exp(1))
    assert inner is not None
    assert inner.width < before / 2**200


def test_exact_arithmetic_knows_rationals_and_refuses_the_rest() -> None:
    ar = ExactArithmetic()
    assert ar.sqrt(Fraction(9, 4)) == Fraction(3, 2)
    assert ar.exp(Fraction(0)) == 1
    for refused in (lambda: ar.exp(Fraction(1)), lambda: ar.sqrt(Fraction(2)), lambda: ar.hull(1, 2)):
        with pytest.raises(NotRationalError):
            refused()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("low", "high", "sign"), [(-2, -1, -1), (1, 2, 1), (0, 0, 0)])
def test_certain_signs_of_intervals(engine: decide.EngineName, low: int, high: int, sign: int) -> None:
    ar = decide.engine(engine)
    assert decide.sign_now(ar.hull(Fraction(low), Fraction(high)), ar) == sign
    assert decide.sign(lambda inner: inner.hull(Fraction(low), Fraction(high)), ar) == sign


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("low", "high"), [(0, 1), (-1, 0), (-1, 1)])
def test_an_interval_that_touches_zero_has_no_sign(engine: decide.EngineName, low: int, high: int) -> None:
    """Not even where it touches with an end: the value may be zero."""
    ar = decide.engine(engine)
    with pytest.raises(MorePrecisionError):
        decide.sign_now(ar.hull(Fraction(low), Fraction(high)), ar)
    with pytest.raises(UndecidedError):
        decide.sign(lambda inner: inner.hull(Fraction(low), Fraction(high)), ar, cap=200)


@pytest.mark.parametrize(("number", "sign"), [(Fraction(-1, 3), -1), (Fraction(0), 0), (Fraction(1, 3), 1), (2, 1)])
def test_signs_of_rationals_are_exact_in_every_arithmetic(number: Fraction, sign: int) -> None:
    for ar in (ExactArithmetic(), *map(decide.engine, ENGINES)):  # type: ignore[arg-type]
        assert decide.sign_now(number, ar) == sign  # type: ignore[arg-type]
    assert decide.sign(lambda ar: number, ExactArithmetic()) == sign  # type: ignore[arg-type]


def test_only_an_arithmetic_that_encloses_is_kept() -> None:
    for name in ENGINES:
        ar = decide.engine(name, 300)  # type: ignore[arg-type]
        assert decide.enclosing(ar) is ar
    assert decide.enclosing(ExactArithmetic()).name == "arb"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("name", "x"), [("log", "0"), ("log", "-1"), ("log1p", "-1"), ("log1p", "-3/2"), ("sqrt", "-1")]
)
def test_what_has_no_real_value_asks_for_more_precision(engine: str, name: str, x: str) -> None:
    """No enclosure of a finite number comes out."""
    assert decide.enclose_once(lambda ar: getattr(ar, name)(Fraction(x)), decide.engine(engine)) is None  # type: ignore[arg-type]


@pytest.mark.parametrize("engine", ENGINES)
@given(NONZERO, st.integers(-9, 9))
def test_whole_powers_enclose_the_rational(engine: str, x: Fraction, exponent: int) -> None:
    ar = decide.engine(engine, 80)  # type: ignore[arg-type]
    found = decide.enclose_once(lambda inner: inner.real(x) ** exponent, ar)
    assert found is not None
    assert found.lower <= x**exponent <= found.upper
    assert found.relative_width_at_most(Fraction(1, 2**60))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["expm1", "log1p"])
@pytest.mark.parametrize("exponent", [1, 7, 30, 300])
def test_near_zero_no_leading_bits_are_lost(engine: str, name: str, exponent: int) -> None:
    """expm1 and log1p of a small x are x to first order, and as precise as the arithmetic."""
    for x in (Fraction(1, 3 * 10**exponent), Fraction(-1, 3 * 10**exponent)):
        found = decide.enclose_once(lambda ar, x=x: getattr(ar, name)(x), decide.engine(engine, 80))  # type: ignore[arg-type, misc]
        assert found is not None
        assert found.relative_width_at_most(Fraction(1, 2**60))
        assert abs(found.lower / x - 1) < abs(x) + Fraction(1, 2**60)


def test_sums_of_nothing_are_zero() -> None:
    assert ExactArithmetic().sum(()) == 0
    for name in ENGINES:
        assert decide.enclose_once(lambda ar: ar.sum(()), decide.engine(name)) is not None  # type: ignore[arg-type]
        assert decide.sign(lambda ar: ar.sum(()), decide.engine(name)) == 0  # type: ignore[arg-type]


def test_a_value_that_is_no_number_of_ours_is_a_type_error_and_nothing_else() -> None:
    engine = decide.engine("arb")
    for action in (engine.exp, engine.real, lambda value: engine.sum([value]), engine.enclosure):
        with pytest.raises(TypeError, match="not a value of this arithmetic"):
            action("1/2")
    with pytest.raises(TypeError):
        engine.real(Fraction(1)) + "1"  # type: ignore[operator]


def test_a_logarithm_of_what_has_a_huge_exponent_is_cheap() -> None:
    """The tail of a normal law at 10^6 deviations has an exponent of 10^12; its logarithm is an ordinary number."""
    ar = decide.engine("mpmath", 128)
    with ar.active():
        found = ar.enclosure(ar.log(ar.normal_cdf(Fraction(-(10**6)))))
    assert found is not None
    assert found.width < Fraction(1, 10**20)
    # log Phi(-x) lies between -x^2/2 - log(sqrt(2 pi) x) and the same less log(1 - 1/x^2).
    assert -Fraction(5 * 10**11) - 15 < found.lower < found.upper < -Fraction(5 * 10**11) - 14


INTERVALS = [(a, b) for i, a in enumerate((-7, Fraction(-1, 3), 0, Fraction(1, 7), 5)) for b in (-7, 0, 5, 9)[i // 2 :]]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("left", [(a, b) for a, b in INTERVALS if a <= b], ids=str)
def test_products_and_quotients_of_intervals_reach_from_corner_to_corner(engine: str, left) -> None:  # type: ignore[no-untyped-def]
    """Of whatever signs: nothing that the ends attain is left out, and little else is let in."""
    ar = decide.engine(engine, 40)  # type: ignore[arg-type]
    with ar.active():
        for right in ((a, b) for a, b in INTERVALS if a <= b):
            x, y = (ar.hull(ar.real(low), ar.real(high)) for low, high in (left, right))
            corners = [Fraction(a) * b for a in left for b in right]
            product = ar.enclosure(x * y)
            assert product is not None
            assert product.contains(min(corners))
            assert product.contains(max(corners))
            if engine == "mpmath":
                assert product.width - (max(corners) - min(corners)) < Fraction(1, 2**28)
                if right[0] > 0 or right[1] < 0:
                    quotients = [Fraction(a) / b for a in left for b in right]
                    quotient = ar.enclosure(x / y)
                    assert quotient is not None
                    assert quotient.contains(min(quotients))
                    assert quotient.contains(max(quotients))
                    assert quotient.width - (max(quotients) - min(quotients)) < Fraction(1, 2**28)


@given(NUMBERS, st.integers(20, 120), st.integers(0, 150))
def test_ends_in_units_are_those_of_the_enclosure(x: Fraction, bits: int, units: int) -> None:
    for engine in ENGINES:
        ar = decide.engine(engine, bits)  # type: ignore[arg-type]
        with ar.active():
            value = ar.real(x) / 3 + ar.exp(-abs(x))
            found, ends = ar.enclosure(value), ar.in_units(value, units)
            assert found is not None
            assert ends == (math.floor(found.lower * 2**units), math.ceil(found.upper * 2**units))


@pytest.mark.parametrize("engine", ENGINES)
def test_ends_that_nobody_could_write_have_no_units(engine: decide.EngineName) -> None:
    ar = decide.engine(engine)
    with ar.active():
        huge = ar.real(2**20) ** 10**6
        assert ar.in_units(huge, 20) is None
    assert ar.units_of(lambda inner: inner.exp(inner.exp(inner.real(40))), 20) is None


@given(NUMBERS, st.integers(20, 320), st.integers(0, 260))
def test_a_formula_asked_for_its_units_has_those_of_its_value(x: Fraction, bits: int, units: int) -> None:
    def formula(inner: Arithmetic) -> Scalar:
        value = inner.real(x.numerator) / x.denominator
        return value * inner.expm1(value) - inner.log1p(inner.exp(value)) / 3

    true = decide.enclose(formula, decide.engine("arb"), Fraction(1, 2**700))
    for engine in ENGINES:
        ar = decide.engine(engine, bits)  # type: ignore[arg-type]
        before = decide.engine("arb").real(1) / 3
        ends = ar.units_of(formula, units)
        assert ends is not None
        assert Fraction(ends[0], 2**units) <= true.lower
        assert true.upper <= Fraction(ends[1], 2**units)
        with ar.active():
            wider = ar.in_units(formula(ar), units)
        assert wider is not None
        assert wider[0] <= ends[0]
        assert ends[1] <= wider[1]
        # The precision is that of before again.
        assert str(decide.engine("arb").real(1) / 3) == str(before)
        assert ar.units_of(lambda inner: Fraction(7, 2), 1) == (7, 7)


@given(NUMBERS, st.integers(20, 320), st.integers(0, 260))
def test_bare_numbers_are_those_that_they_were_taken_from(x: Fraction, bits: int, units: int) -> None:
    for engine in ENGINES:
        ar = decide.engine(engine, bits)  # type: ignore[arg-type]
        bare = ar.bare()
        with ar.active():
            value, own = ar.real(x), bare.real(bare.rational(x))
            pairs = [
                (ar.normal_cdf(value) / 3, bare.normal_cdf(own) / 3),
                (ar.log(ar.maximum(value, 1)), bare.log(bare.maximum(own, bare.real(1)))),
                (ar.exp(ar.minimum(value, 2)), bare.exp(bare.minimum(own, bare.real(Fraction(2))))),
            ]
            for found, same in pairs:
                assert ar.enclosure(found) == ar.enclosure(bare.dressed(same)) == bare.enclosure(same)
                assert ar.in_units(found, units) == bare.in_units(same, units)
                assert ar.enclosure(bare.dressed(bare.real(found))) == ar.enclosure(found)


def test_a_bare_function_takes_no_rational() -> None:
    with pytest.raises(AttributeError):
        decide.engine("arb").units_of(lambda inner: inner.exp(Fraction(1, 2)), 20)


@pytest.mark.parametrize("name", ["log1p", "expm1", "tanh"])
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("exponent", [60, 120, 160, 400, 20_000])
def test_what_is_next_to_zero_is_next_to_itself(name: str, sign: int, exponent: int) -> None:
    """The second engine took as many bits as the argument has zeros, which its budget refused."""
    x = sign * Fraction(3, 2**exponent)
    with metered(50_000):
        found = enclose(lambda ar: getattr(ar, name)(x), "mpmath", 100)
    sharp = enclose(lambda ar: getattr(ar, name)(x), "arb", 300)
    assert found.lower <= sharp.lower <= sharp.upper <= found.upper
    assert found.relative_width_at_most(Fraction(1, 2**90))


@pytest.mark.parametrize("name", ["log1p", "expm1", "tanh"])
@given(low=st.fractions(-1, 1, max_denominator=10**6), power=st.integers(0, 300), width=st.integers(0, 200))
def test_intervals_from_what_is_tiny_to_what_is_not(name: str, low: Fraction, power: int, width: int) -> None:
    """One end may be next to 0 and the other not."""
    ends = (low / 2**power / 2, low / 2**power / 2 + Fraction(1, 2**width))
    ar = decide.engine("mpmath", 80)
    found = ar.enclosure(getattr(ar, name)(ar.hull(*ends)))
    assert found is not None
    for end in ends:
        sharp = enclose(lambda inner, at=end: getattr(inner, name)(at), "arb", 400)
        assert found.lower <= sharp.lower
        assert sharp.upper <= found.upper
