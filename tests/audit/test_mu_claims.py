"""Claims of Gaussian DP: the square root of the sum of squares proves them, a rho above mu^2/2 refutes them."""

from __future__ import annotations

import json
from itertools import permutations

import mpmath
import pytest

import privref
from privref.cli.main import main
from tests.audit.test_mechanisms import claims, ledger, verdicts

NOISE = {"mechanism": {"kind": "gaussian", "sigma": "2", "sensitivity": "1"}}


def test_the_square_root_of_the_sum_of_squares() -> None:
    """Four rounds of mu = 1/2 are 1-GDP exactly, and no less."""
    four = ledger({"count": 4, **NOISE})
    assert verdicts(four, {"mu": "1"}, {"mu": "1.01"}, {"mu": "0.99"}) == ["confirmed", "confirmed", "refuted"]
    uneven = ledger(NOISE, {"guarantee": {"kind": "gaussian-dp", "mu": "1/3"}})
    # sqrt(1/4 + 1/9) = 0.60092...
    assert verdicts(uneven, {"mu": "0.601"}, {"mu": "0.6009"}) == ["confirmed", "unsupported"]
    (opinion,) = privref.audit(uneven, claims({"mu": "0.601"})).opinions
    assert opinion.deciding is not None
    assert opinion.deciding.application.statement == "gdp/composition.mu"
    assert str(opinion.claim) == "0.601-GDP"


def test_a_mu_that_is_no_rational_is_decided() -> None:
    """sigma^2 = 2: mu = sqrt(1/2) = 0.70710678118…; two such rounds are 1-GDP exactly."""
    noise = {"mechanism": {"kind": "gaussian", "sigma_squared": "2", "sensitivity": "1"}}
    near = {"mu": "0.707106781186547524400844362104849040"}, {"mu": "0.707106781186547524400844362104849039"}
    assert verdicts(ledger(noise), *near) == ["confirmed", "refuted"]
    assert verdicts(ledger({"count": 2, **noise}), {"mu": "1"}, {"mu": "0.999"}) == ["confirmed", "refuted"]
    mixed = ledger(NOISE, {"count": 3, **noise}, {"guarantee": {"kind": "gaussian-dp", "mu": "1/3"}})
    # sqrt(1/4 + 3/2 + 1/9) = 1.36422...
    assert verdicts(mixed, {"mu": "1.3643"}, {"mu": "1.3642"}) == ["confirmed", "unsupported"]
    tiny = {"mechanism": {"kind": "gaussian", "sigma_squared": f"2{'0' * 56}", "sensitivity": "1"}}
    assert verdicts(ledger(tiny), {"mu": "7.08e-29"}, {"mu": "7.07e-29"}) == ["confirmed", "refuted"]
    (document,) = privref.certificates(privref.audit(ledger(noise), claims(near[0]))).values()
    assert privref.verify(document).outcome == "verified"
    document["claim"]["mu"] = near[1]["mu"]
    assert privref.verify(document).outcome == "failed"


def test_guarantees_alone_are_underivable_below_their_worst_case() -> None:
    bare = ledger({"count": 4, "guarantee": {"kind": "gaussian-dp", "mu": "1/2"}})
    assert verdicts(bare, {"mu": "1"}, {"mu": "0.99"}) == ["confirmed", "underivable"]


def test_zcdp_has_a_mu_that_is_larger_than_that_of_gaussian_noise() -> None:
    """rho = 1/2: 1.4907 by the theorem; randomized response has tanh(1.0443/2) = 0.47965 at 0, that of mu = 1.2861."""
    zcdp = ledger({"guarantee": {"kind": "zcdp", "rho": "1/2"}})
    asked = {"mu": "1.4907"}, {"mu": "1.4906"}, {"mu": "1.27"}, {"mu": "1"}, {"mu": "0.99"}
    assert verdicts(zcdp, *asked) == ["confirmed", "unsupported", "underivable", "underivable", "underivable"]
    cells = ledger({"mechanism": {"kind": "discrete-gaussian", "sigma_squared": "4", "shifts": ["1", "1"]}})
    assert verdicts(cells, {"mu": "1.06"}, {"mu": "0.8"}, {"mu": "0.7"}) == ["confirmed", "unsupported", "refuted"]
    for record, claim in ((zcdp, asked[0]), (zcdp, asked[2]), (cells, {"mu": "1.06"})):
        (document,) = privref.certificates(privref.audit(record, claims(claim))).values()
        assert privref.verify(document).outcome == "verified"


@pytest.mark.parametrize("delta", ["1e-6", "1e-11"])
def test_a_delta_has_no_mu_over_all_epsilon(delta: str) -> None:
    """A Gaussian loses less than any delta at some epsilon; the worst mechanism of (1, delta)-DP does not."""
    leaky = ledger({"guarantee": {"kind": "approx-dp", "epsilon": "1", "delta": delta}})
    assert verdicts(leaky, {"mu": "3"}, {"mu": "9"}) == ["underivable", "underivable"]
    (document,) = privref.certificates(privref.audit(leaky, claims({"mu": "3"}))).values()
    assert privref.verify(document).outcome == "verified"


def _rho(p: tuple[mpmath.mpf, ...], q: tuple[mpmath.mpf, ...]) -> mpmath.mpf:
    """At least the rho of two laws: D(a) grows with a, and orders lie so close that D(b)/a is hardly more."""
    ratios = [x / y for x, y in zip(p, q, strict=True)]
    orders = [1 + mpmath.mpf(10) ** (mpmath.mpf(i) / 40) for i in range(-160, 81)]
    powers = [mpmath.log(sum(y * r**a for y, r in zip(q, ratios, strict=True))) / (a - 1) for a in orders]
    last = mpmath.log(max(ratios)) / orders[-1]
    return max(last, powers[0], *(later / a for a, later in zip(orders, powers[1:], strict=False)))


def test_no_law_of_two_or_three_answers_errs_less_than_the_theorem_says() -> None:
    """Laws of a grid, in both orders, where the curve bends; by mpmath, and nothing of privref but mu."""
    grid = [tuple(map(mpmath.mpf, law)) for law in ((1, 1), (3, 1), (9, 1), (99, 1), (1, 2, 7), (5, 4, 1), (90, 9, 1))]
    laws = [tuple(x / sum(law) for x in law) for law in grid]
    laws += [law[::-1] for law in laws]
    closest = mpmath.mpf(2)
    for p, q in permutations(laws, 2):
        if len(p) != len(q) or p == q:
            continue
        rho = max(_rho(p, q), _rho(q, p))
        found = privref.evaluate("gdp/zcdp2gdp.mu", rhos=[mpmath.nstr(rho, 12)]).enclosure
        assert found is not None
        mu = mpmath.mpf(found.lower.numerator) / found.lower.denominator
        for grown in (mpmath.mpf(1), *(x / y for x, y in zip(p, q, strict=True) if x > y)):
            lost = sum(max(x - grown * y, mpmath.mpf(0)) for x, y in zip(p, q, strict=True))
            e = mpmath.log(grown)
            allowed = mpmath.ncdf(mu / 2 - e / mu) - grown * mpmath.ncdf(-mu / 2 - e / mu)
            assert lost < allowed
            if lost:
                closest = min(closest, allowed / lost)
    # It is not far off: some law loses nearly as much as the theorem allows.
    assert closest < mpmath.mpf("1.2")


DRAWN = {"kind": "subsampled", "base": {"kind": "gaussian", "sigma": "2", "sensitivity": "1"}, "sampling": "poisson"}
ADDED = {"neighbours": "add-or-remove-one"}


@pytest.mark.parametrize("rate", ["1/1000", "1/2", "1"])
def test_no_sampling_lowers_the_mu_of_all_epsilons(rate: str) -> None:
    """sqrt(16)/2 = 2, whatever the rate; so it is of rho = 2."""
    drawn = ledger({"count": 16, "mechanism": {**DRAWN, "rate": rate}}, **ADDED)
    assert verdicts(drawn, {"mu": "2"}, {"mu": "1.999"}, {"rho": "1.999"}) == ["confirmed", "refuted", "refuted"]
    more = {"guarantee": {"kind": "gaussian-dp", "mu": "3/2"}}
    mixed = ledger({"count": 16, "mechanism": {**DRAWN, "rate": rate}}, more, **ADDED)
    assert verdicts(mixed, {"mu": "2.5"}, {"mu": "2.499"}, {"mu": "1.9"}) == ["confirmed", "unsupported", "refuted"]
    audit = privref.audit(drawn, claims({"mu": "2"}, {"mu": "1.999"}))
    assert {privref.verify(document).outcome for document in privref.certificates(audit).values()} == {"verified"}
    assert len(privref.certificates(audit)) == 2


def test_the_mu_of_other_samples() -> None:
    """Bins have one place for each record; clipped records are half as far apart in the tail; cut ones have no pair."""
    bins = {**DRAWN, "sampling": "balls-in-bins", "bins": "20", "epochs": "16"}
    assert verdicts(ledger({"mechanism": bins}, **ADDED), {"mu": "2"}, {"mu": "1.99"}) == ["confirmed", "refuted"]
    clipped = ledger({"count": 16, "mechanism": {**DRAWN, "rate": "1/10", "clipped": True}}, neighbours="replace-one")
    assert verdicts(clipped, {"mu": "2"}, {"mu": "1.99"}) == ["confirmed", "unsupported"]
    cut = {**DRAWN, "rate": "1/10", "batch_cap": "150", "records": "1000"}
    assert verdicts(ledger({"count": 16, "mechanism": cut}, **ADDED), {"mu": "9"}, {"mu": "1"}) == ["inapplicable"] * 2
    shuffled = ledger({"count": 100, "mechanism": {**DRAWN, "rate": "1/25", "sampling": "shuffled"}}, **ADDED)
    assert verdicts(shuffled, {"mu": "9"}) == ["inapplicable"]
    unattained = ledger({"count": 16, "mechanism": {**DRAWN, "rate": "1/2", "attained": False}}, **ADDED)
    assert verdicts(unattained, {"mu": "2"}, {"mu": "1.99"}) == ["confirmed", "unsupported"]


def test_adaptive_parameters_are_inapplicable() -> None:
    budget = {"epsilon": "3", "delta": "1e-6", "filter": "gdp/composition"}
    for more in ({}, {"budget": budget}):
        assert verdicts(ledger(NOISE, parameters="chosen-adaptively", **more), {"mu": "9"}) == ["inapplicable"]


def test_groups_and_rounded_inputs() -> None:
    group = ledger({"guarantee": {"kind": "gaussian-dp", "mu": "1/2"}})
    (opinion,) = privref.audit(
        group, privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "g", "mu": "1", "units": 2}]})
    ).opinions
    assert opinion.verdict == "confirmed"
    published = ledger({"guarantee": {"kind": "gaussian-dp", "mu": {"rounded": "0.5"}}})
    assert verdicts(published, {"mu": "0.55"}, {"mu": "0.5"}, {"mu": "0.4"}) == [
        "confirmed", "depends-on-digits", "underivable",
    ]  # fmt: skip


def test_forged_certificates_of_mu_fail() -> None:
    audit = privref.audit(ledger({"count": 4, **NOISE}), claims({"mu": "1"}, {"mu": "0.99"}))
    proved, lost = privref.certificates(audit)["c0"], privref.certificates(audit)["c1"]
    for document, change in (
        (proved, lambda c: c["claim"].update(mu="0.999")),
        (proved, lambda c: c["proofs"][0].update(by="zdw2022/thm10")),
        (lost, lambda c: c["claim"].update(mu="1")),
    ):
        changed = json.loads(json.dumps(document))
        change(changed)
        assert privref.verify(changed).outcome == "failed"
    lost["proofs"][0]["witness"]["events"] = [0, 0]
    with pytest.raises(privref.InputError, match="events"):
        privref.verify(lost)


def test_the_commands_take_claims_of_rho_and_of_mu(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "ledger.json"
    path.write_text(json.dumps(ledger({"count": 4, **NOISE}).document))
    with pytest.raises(SystemExit) as ended:
        main(["audit", str(path), "--claim", "mu=1", "--claim", "rho=0.5", "--claim", "mu=0.9"])
    assert ended.value.code == 1
    out = capsys.readouterr().out
    assert "1-GDP → confirmed" in out
    assert "0.5-zCDP → confirmed" in out
    assert "0.9-GDP → refuted" in out


@pytest.mark.parametrize("claim", [{"mu": "1", "delta": "0"}, {"mu": "1", "rho": "1"}, {"mu": "-1"}])
def test_a_claim_of_mu_stands_alone(claim: dict[str, str]) -> None:
    with pytest.raises(privref.InputError):
        claims(claim)
