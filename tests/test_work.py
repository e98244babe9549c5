"""Whatever is asked is answered or refused within one budget of work; the refusal says which limit and what to do."""

from __future__ import annotations

import asyncio
import copy
import math
import threading
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import pytest

import privref
from privref.audit import summary
from privref.exact import decide, work
from privref.exact.errors import UndecidedError, UnwritableError
from privref.exact.integer_poly import IntegerPolynomial
from privref.exact.numbers import from_binary64, weighted_sum
from privref.exact.work import WorkLimitError
from privref.ledger import reading
from privref.profiles import composed, laws
from privref.profiles.model import DiscreteGaussian, Geometric
from privref.report import audit_document
from tests.oracles import around, meets

MANY = "9" * 4000


def ledger(*guarantees: dict[str, Any], count: int = 1) -> privref.Ledger:
    return privref.ledger_from_document(
        {
            "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "replace-one",
            "parameters": "fixed-in-advance", "interaction": "sequential",
            "events": [{"count": count, "guarantee": guarantee} for guarantee in guarantees],
        }
    )  # fmt: skip


def test_a_value_that_can_not_be_written_is_refused_at_once() -> None:
    for engine in ("arb", "mpmath"):
        with pytest.raises(UnwritableError, match="writable size"):
            privref.evaluate("cks2020/zcdp2dp.delta", {"rho": "1.99e-8", "eps": "10"}, engine=engine)


@pytest.mark.parametrize(("guarantee", "epsilon"), [
    ({"kind": "pure-dp", "epsilon": "1e3990"}, "0"), ({"kind": "pure-dp", "epsilon": "1e-3990"}, "0"),
    ({"kind": "zcdp", "rho": "1/100"}, "20"), ({"kind": "zcdp", "rho": "1/100"}, "50"),
    ({"kind": "zcdp", "rho": "1/100"}, "400"),
])  # fmt: skip
@pytest.mark.parametrize("delta", ["0", "1/100"])
def test_what_is_written_is_read_again_however_large_or_small(
    guarantee: dict[str, Any], epsilon: str, delta: str
) -> None:
    """Delta at epsilon 400 is e^(-4 10^6); a certificate once said 1.000e3990 and could not be read."""
    claims = privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": "c", "epsilon": epsilon, "delta": delta}]}
    )
    found = privref.audit(ledger(guarantee), claims)
    audit_document(found)
    made = privref.certificates(found)
    assert set(made) | set(made.missing) == {"c"}
    for document in made.values():
        assert privref.verify(document).outcome == "verified"


def test_an_epsilon_of_four_thousand_digits_is_audited() -> None:
    claims = privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": "c", "epsilon": "1", "delta": "1/10"}]}
    )
    found = privref.audit(ledger({"kind": "pure-dp", "epsilon": MANY}), claims).opinions[0]
    assert found.verdict in ("refuted", "unsupported", "undecided")


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
@pytest.mark.parametrize("delta", ["1/10", "1e-9"])
def test_the_conversion_of_a_huge_rho_agrees_with_the_root(engine: Any, delta: str) -> None:
    from privref.exact import decide
    from privref.guarantees import conversions

    rho = Fraction(2**100 + 1, 3)
    huge, root = (
        decide.enclose_once(lambda ar: conversions.zcdp_to_dp_tight_eps(ar, rho, Fraction(delta)), arithmetic)
        for arithmetic in (decide.engine(engine, 96), decide.engine(engine, 400))
    )
    assert huge is not None
    assert root is not None
    assert huge.lower <= root.lower <= root.upper <= huge.upper
    assert huge.relative_width_at_most(Fraction(1, 2**80))


def test_no_certificate_has_numbers_that_can_not_be_read_again() -> None:
    claims = privref.claims_from_document(
        {
            "schema": "claims.1",
            "claims": [
                {"id": "c", "epsilon": "1", "delta": "1/2"},
                {"id": "of-sums", "epsilon": "1", "delta": "1/2", "by": "cks2020/zcdp2dp"},
            ],
        }
    )
    parts = [{"kind": "pure-dp", "epsilon": f"1/{3**4000 + i}"} for i in (1, 3)]
    found = privref.audit(ledger(*parts, {"kind": "zcdp", "rho": "1/3"}), claims)
    documents = privref.certificates(found)
    # The sum of rho has all digits of both rounds; the moments take each round by itself.
    assert [opinion.verdict for opinion in found.opinions] == ["confirmed", "undecided"]
    assert privref.verify(documents["c"]).outcome == "verified"
    assert "of-sums" not in documents
    assert "more digits than a certificate may" in found.opinions[1].reason


def test_a_mechanism_with_a_huge_parameter_is_refused() -> None:
    mechanism = {"kind": "gaussian", "sigma_squared": MANY, "sensitivity_squared": "1e12"}
    document = {**dict(ledger({"kind": "unknown"}).document or {}), "events": [{"mechanism": mechanism}]}
    with pytest.raises(privref.InputError, match="at most 60 digits"):
        privref.ledger_from_document(document)


def test_a_machine_says_how_large_a_huge_request_was() -> None:
    found = privref.replay(ledger({"kind": "pure-dp", "epsilon": "1e3990"}), "1,1e-6", machines=["basic-filter"])
    assert "1e3990 requested" in repr(privref.report.replay_document(found))


@pytest.mark.parametrize(("id", "inputs"), [
    ("zdw2022/poisson_gaussian.delta", {"q": "1/2", "sigma": "1e-3999", "k": 10, "eps": "1/10"}),
    ("zdw2022/poisson_gaussian.delta", {"q": "1/2", "sigma": "1e3990", "k": 10, "eps": "1/10"}),
    ("zdw2022/poisson_gaussian.eps", {"q": "1e-999", "sigma": "1e-999", "k": 10, "delta": "1e-999"}),
])  # fmt: skip
def test_contours_beyond_floats_are_refused(id: str, inputs: dict[str, Any]) -> None:
    with pytest.raises(UndecidedError):
        privref.evaluate(id, inputs)


def test_an_attack_certificate_without_outcomes_is_refused() -> None:
    found = privref.attack("natural-filter", "log(3/2),log(2),log(3)", 3, epsilon="log(2)", delta="1/4")
    document = copy.deepcopy(privref.report.attack_document(found)["certificate"])
    document["rounds"] = [{"family": "finite", "epsilon": "1"} for _ in document["rounds"]]
    with pytest.raises(privref.InputError, match="outcomes"):
        privref.verify(document)


def test_an_attack_certificate_names_the_fields_of_its_rounds() -> None:
    found = privref.attack("natural-filter", "log(3/2),log(2),log(3)", 3, epsilon="log(2)", delta="1/4")
    document = copy.deepcopy(privref.report.attack_document(found)["certificate"])
    document["rounds"] = [{"family": "zcdp", "p": "1/2", "q": "1/4"} for _ in document["rounds"]]
    with pytest.raises(privref.InputError, match="rho"):
        privref.verify(document)


@pytest.mark.parametrize("mu", ["1e9", "1e6", "1000"])
def test_huge_rounds_are_answered_in_little_memory(mu: str) -> None:
    claims = privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": "c", "epsilon": "17", "delta": "1/100"}]}
    )
    mixed = ledger({"kind": "gaussian-dp", "mu": mu}, {"kind": "pure-dp", "epsilon": "1/10"})
    assert privref.audit(mixed, claims).opinions[0].verdict in ("underivable", "unsupported", "undecided")


def test_a_sum_of_a_million_terms_is_enclosed() -> None:
    id, inputs = "whitehouse2023/thm2.arxiv_counterexample.delta", {"k": 10**6, "e0": "1e-6", "delta": "1/10"}
    found = privref.evaluate(id, inputs).enclosure
    assert found is not None
    assert found.decimals(6) == ("1.00005e-1", "1.00006e-1")


def test_a_product_of_a_million_factors_is_enclosed() -> None:
    answer = privref.evaluate("whitehouse2023/lem8.good", {"delta": [{"value": "1/1000003", "count": 10**6}]})
    assert answer.value is None
    assert answer.enclosure is not None
    assert answer.enclosure.decimals(4) == ("3.678e-1", "3.679e-1")
    short = privref.evaluate("whitehouse2023/lem8.good", {"delta": [{"value": "1/3", "count": 2}]})
    assert short.value == "4/9"


@pytest.mark.parametrize(("id", "inputs"), [
    ("kov2015/optimal.delta", {"eps": "1/1000", "k": 10**9, "eps_g": "1"}),
    ("whitehouse2023/thm2.arxiv_counterexample.delta", {"k": 10**9, "e0": "1e-6", "delta": "1/10"}),
])  # fmt: skip
def test_a_sum_of_too_many_terms_is_refused_at_once(id: str, inputs: dict[str, Any]) -> None:
    with pytest.raises(WorkLimitError, match="terms of a sum: at most"):
        privref.evaluate(id, inputs)


def test_a_root_of_many_digits_is_enclosed() -> None:
    found = privref.evaluate("gdp/composition.mu", {"mu": [{"value": "2", "count": 2}, "9" * 4000]}).enclosure
    assert found is not None
    assert found.lower <= 10**4000 <= found.upper


def test_lists_of_unequal_lengths_are_refused() -> None:
    inputs = {"rho": "1/4", "delta": "1e-9", "rhos": ["1/1000"], "deltas": ["0", "0"]}
    with pytest.raises(privref.InputError, match="one for each rho"):
        privref.evaluate("whitehouse2023/thm1.N", inputs)


def test_a_power_of_many_digits_is_enclosed() -> None:
    inputs = {"eps": "1e-9", "delta": "1e-300", "k": [100000], "E": ["17.14"]}
    found = privref.evaluate("hartmann2022/eq4.lemma11_eps", inputs).enclosure
    assert found is not None
    assert Fraction(99999, 10**300) < found.lower <= found.upper < Fraction(100001, 10**300)


def test_a_sum_of_deltas_of_many_digits_is_said_in_few() -> None:
    long = {"kind": "approx-dp", "epsilon": "1/4", "delta": "1/" + "3" * 3990}
    found = privref.compare(ledger(long, {**long, "delta": "1/" + "7" * 3989}), "1/100")
    told = [finding.how for item in found[1] for finding in item.findings]
    assert any("the deltas of the events sum to about 1.58571e-3989" in how for how in told)


def test_the_counterexample_is_what_its_sum_says() -> None:
    inputs = {"k": 40, "e0": "1/2", "delta": "1/10"}
    found = privref.evaluate("whitehouse2023/thm2.arxiv_counterexample.delta", inputs).enclosure
    assert found is not None
    # delta + (1 - delta) sum_l C(k, l) (e^((k-l) e0) - e^(eps + l e0))_+ / (1 + e^e0)^k, term by term.
    import math

    eps = 40 / 8 + 2 * math.sqrt(40 / 8 * math.log(10))
    terms = [math.comb(40, l) * (math.exp((40 - l) / 2) - math.exp(eps + l / 2)) for l in range(41)]
    total = 0.1 + 0.9 * sum(t for t in terms if t > 0) / (1 + math.exp(0.5)) ** 40
    # Forty terms of as many roundings each, none of which cancels much.
    assert meets(found, around(total, relative=Fraction(1, 10**12)))


def test_a_replay_of_a_million_rounds_is_refused() -> None:
    with pytest.raises(WorkLimitError, match="decisions of a replay"):
        privref.replay(ledger({"kind": "pure-dp", "epsilon": "1/1000"}, count=10**6), "1,1e-6")


def test_the_partitions_of_a_ledger_have_so_many_cells_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "CELLS", work.WorkLimit(100, work.CELLS.what, work.CELLS.remedy))
    rule = {"rule": "svt-count", "eps1": "1", "eps2": "1", "c": 90}
    wide = {"kind": "output-dp", "delta": "0", "partition": rule}
    ledger(wide)
    with pytest.raises(privref.InputError, match="at most 100 cells"):
        ledger(wide, wide)


def test_what_takes_more_than_one_question_may_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with work.metered(1000), pytest.raises(WorkLimitError, match="units of work"):
        privref.evaluate("gdp/composition.eps", {"mu": ["1/3"], "delta": "1e-9"}, digits=300)
    assert privref.evaluate("gdp/composition.eps", {"mu": ["1/3"], "delta": "1e-9"}).enclosure is not None


def test_the_meter_is_shared_within_a_question_and_reset_after_it() -> None:
    with work.metered(100):
        with work.metered():
            work.spend(99)
        with pytest.raises(WorkLimitError):
            work.spend(2)
        # What there is no room for leaves the room that there is.
        work.spend(1)
        with pytest.raises(WorkLimitError):
            work.spend(1)
    work.spend(10**9)
    assert issubclass(WorkLimitError, UndecidedError)


def test_a_thread_neither_refuses_nor_frees_the_work_of_another() -> None:
    """One thread spends within its block while the other's is open, runs out, and ends."""
    opened, ended = threading.Event(), threading.Event()

    def slow() -> list[int]:
        with work.metered(10):
            opened.set()
            assert ended.wait(60)
            work.spend(6)
            with pytest.raises(WorkLimitError):
                work.spend(5)
            return [work.left()]

    def quick() -> list[int]:
        assert opened.wait(60)
        work.spend(10**9)  # of the other's ten
        with work.metered(5):
            work.spend(4)
            with pytest.raises(WorkLimitError):
                work.spend(2)
            rest = work.left()
        ended.set()
        return [rest, work.left()]

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.submit(slow), pool.submit(quick)
        assert (first.result(60), second.result(60)) == ([4], [1, work.left()])


def test_tasks_of_asyncio_have_meters_of_their_own() -> None:
    """Two blocks open at once, the first to open is the first to end; a task of a block shares the block's budget."""

    async def question(units: int, turns: int) -> int:
        with work.metered(units):
            for _ in range(turns):
                work.spend(1)
                await asyncio.sleep(0)
            return work.left()

    async def shared() -> int:
        with work.metered(10):
            await asyncio.gather(question(100, 3), question(100, 4))
            return work.left()

    async def together() -> list[int]:
        found = await asyncio.gather(question(5, 3), question(9, 8), shared(), question(2, 2))
        return [*found, work.left()]

    assert asyncio.run(together()) == [2, 1, 3, 0, work.left()]


def test_threads_get_the_answers_that_each_would_get_alone() -> None:
    """Audits, certificates, checks and evaluations side by side: the same digits, whatever precision others work in."""
    claims = privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": "c", "epsilon": "9", "delta": "1e-6"}]}
    )

    def asked(i: int) -> object:
        if i % 2:
            record = ledger({"kind": "gaussian-dp", "mu": f"1/{2 + i % 3}"}, count=7)
            found = privref.audit(record, claims)
            made = privref.certificates(found)
            return audit_document(found), made, privref.verify(made["c"])
        given = {"mu": ["1/3", f"1/{3 + i}"], "delta": "1e-9"}
        return privref.evaluate("gdp/composition.eps", given, digits=20 + 40 * (i % 5)).enclosure

    alone = [asked(i) for i in range(12)]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(3):
            assert list(pool.map(asked, range(12))) == alone


def test_an_audit_that_runs_out_of_work_leaves_claims_undecided() -> None:
    claims = privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": "c", "epsilon": "1/2", "delta": "1e-6"}]}
    )
    with work.metered(50):
        found = privref.audit(ledger({"kind": "zcdp", "rho": "1/9"}), claims).opinions[0]
    assert found.verdict == "undecided"
    assert "units of work" in found.reason


def test_a_theorem_that_takes_too_much_work_leaves_enough_for_the_others() -> None:
    claims = privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": "c", "epsilon": "9", "delta": "1e-6"}]}
    )
    record = privref.ledger_from_document(
        {
            "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "replace-one",
            "parameters": "fixed-in-advance", "interaction": "sequential",
            "events": [
                {"count": 3, "mechanism": {"kind": "geometric", "scale": f"{9000 + n}", "shifts": ["9000"]}}
                for n in range(2)
            ],
        }
    )  # fmt: skip
    with work.metered(100_000):
        found = privref.audit(record, claims).opinions[0]
    assert found.verdict == "confirmed"
    assert found.deciding is not None
    assert found.deciding.application.by != "zdw2022/thm10"


def test_sampled_rounds_beside_a_gaussian_take_little_work() -> None:
    """By the normal distribution function at every point of the grid they took 35 million units, and were priced 6."""
    base = {"kind": "geometric", "scale": "2", "shifts": ["1"]}
    record = privref.ledger_from_document(
        {
            "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "add-or-remove-one",
            "parameters": "fixed-in-advance", "interaction": "sequential",
            "events": [
                {"count": 5, "mechanism": {"kind": "subsampled", "rate": "1/10", "sampling": "poisson", "base": base}},
                {"mechanism": {"kind": "gaussian", "sigma": "3", "sensitivity": "1"}},
            ],
        }
    )  # fmt: skip
    claims = privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": "c", "epsilon": "5/2", "delta": "1e-6"}]}
    )
    composed._eps.cache_clear()
    with work.apart(10**9) as spent:
        assert privref.audit(record, claims).opinions[0].verdict == "confirmed"
        assert 100_000 < spent() < 5_000_000


#: Epsilons over different primes' powers: their sum has a denominator as long as all of them together.
LONG = [Fraction(1, prime**300) for prime in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67)]


def test_sums_of_long_denominators_are_metered() -> None:
    """Two thousand such epsilons took minutes and counted nothing; decimals take no more than they did."""
    record = ledger(*({"kind": "pure-dp", "epsilon": str(value)} for value in LONG))
    claims = privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": "c", "epsilon": "9", "delta": "1e-6", "by": "rogers2016/thm2.9"}]}
    )
    with work.apart(10**9) as spent:
        weighted_sum((value, 1) for value in LONG)
        assert 300 < spent() < 3000
        weighted_sum((Fraction(n, 10**6), n) for n in range(1000))
        weighted_sum((from_binary64(2.0**-n), 1) for n in range(1000))
        assert spent() < 3000
        least = spent()
    with work.metered(least // 2):
        found = privref.audit(record, claims).opinions[0]
    assert (found.verdict, "ask for fewer rounds, fewer digits or smaller numbers" in found.reason) == (
        "undecided",
        True,
    )
    with work.metered(least // 2):
        rows = privref.replay(record, "9,1e-6", machines=["basic-filter"]).rows
    assert rows[0].cells["basic-filter"].outcome == "CONT"
    assert rows[-1].cells["basic-filter"].outcome == "undecided"
    assert rows[-1].time is None


def test_a_total_that_takes_long_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    record = ledger(*({"kind": "pure-dp", "epsilon": str(value)} for value in LONG))
    assert dict(summary.totals(record))["sum of epsilon"] == sum(LONG)
    monkeypatch.setattr(summary, "QUESTION", 1000)
    assert summary.totals(record) == ()


def test_products_of_laws_are_metered() -> None:
    long = IntegerPolynomial([1] * 40_000)
    with work.metered(1000), pytest.raises(WorkLimitError):
        long * long
    with work.metered(500), pytest.raises(WorkLimitError):
        long.value_between(Fraction(1), Fraction(1), 128)


def test_what_can_not_be_afforded_is_refused_and_nothing_is_spent() -> None:
    with work.metered(100):
        with pytest.raises(WorkLimitError, match="about 101 units"):
            work.afford(101)
        work.afford(100)
        work.spend(100)
    work.afford(10**12)


@pytest.mark.parametrize("shift", [100_000, 131_000])
def test_a_plan_of_many_atoms_is_a_sketch(shift: int) -> None:
    """What a plan keeps of a law does not grow with its atoms."""
    geometric = laws._sketch(Geometric(Fraction(shift), shift))
    assert len(geometric) < 10_000
    assert abs(math.fsum(math.exp(weight) for _, weight in geometric) - 1) < 1e-9
    discrete = laws._sketch(DiscreteGaussian(Fraction(shift) ** 2, 1))
    assert len(discrete) < 10_000
    assert abs(math.fsum(math.exp(weight) for _, weight in discrete) - 1) < 1e-9


def test_a_huge_number_has_a_sign_and_no_digits() -> None:
    from privref.exact import decide

    for name in ("arb", "mpmath"):
        engine = decide.engine(name)  # type: ignore[arg-type]
        assert decide.sign(lambda ar: ar.exp(Fraction(10**8)), engine) == 1
        assert decide.sign(lambda ar: -ar.exp(-Fraction(10**8)), engine) == -1
        with pytest.raises(UnwritableError):
            decide.enclose(lambda ar: ar.exp(Fraction(10**8)), engine, Fraction(1, 10))


def test_the_price_of_long_numbers_grows_as_fast_as_their_work() -> None:
    """Python's integers take the square of the digits for a quotient, and FLINT's exponential is a thousandth of that.

    Sixteen times the digits cost 160 to 230 times the work, and were sixteen times as many units (bench_work.py).
    """

    def price(engine: str, bits: int, name: str) -> int:
        ar = decide.engine(engine, bits)  # type: ignore[arg-type]
        with ar.active(), work.apart(1 << 40) as spent:
            x = ar.real(Fraction(1, 3))
            before = spent()
            x / 7 if name == "quotient" else getattr(ar, name)(x)
            return spent() - before

    for name in ("exp", "log", "quotient"):
        assert price("mpmath", 1 << 14, name) > 50 * price("mpmath", 1 << 10, name)
    assert price("mpmath", 1 << 14, "exp") > 30 * price("arb", 1 << 14, "exp")
    assert price("arb", 256, "exp") < 10


def test_what_is_kept_is_paid_once_a_question() -> None:
    """Whoever computed it first."""
    calls: list[int] = []

    @work.kept(2)
    def found(units: int) -> int:
        calls.append(units)
        work.spend(units)
        return units + 1

    for _ in range(2):
        with work.apart(100) as spent:
            assert (found(30), found(30), spent()) == (31, 31, 30)
            with work.apart(50) as inner:
                assert (found(30), inner()) == (31, 0)
        assert calls == [30]
    with work.apart(29), pytest.raises(WorkLimitError):
        found(30)
    found(1)
    found(2)
    assert len(found) == 2
    found.cache_clear()
    assert found(30) == 31  # Where nothing is metered, its price is counted too.
    with work.apart(100) as spent:
        assert (found(30), spent()) == (31, 30)
    assert calls == [30, 30, 1, 2, 30]


def test_a_question_that_is_asked_again_has_the_same_answer_and_price() -> None:
    """The second engine's check took all the work that was left, and none at the second time."""
    base = {"kind": "discrete-gaussian", "sigma": "2", "shifts": ["1"]}
    sampled = {"kind": "subsampled", "rate": "1/10", "sampling": "poisson", "base": base}
    record = privref.ledger_from_document(
        {
            "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "add-or-remove-one",
            "parameters": "fixed-in-advance", "interaction": "sequential",
            "events": [{"count": 12, "mechanism": sampled}],
        }
    )  # fmt: skip
    composed._eps.cache_clear()
    found = []
    for _ in range(3):
        with work.apart(5_000_000) as spent:
            best = privref.proved(record, "1e-3")
            found.append((best.application.by, best.enclosure, spent()))
    assert found[0] == found[1] == found[2]
