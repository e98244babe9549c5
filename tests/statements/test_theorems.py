"""One table of theorems: what the audit, the machines, the kernel and Lean's writer say of them is the same."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from importlib import resources

import pytest

import privref
from privref.adaptive.calibrate import RULES
from privref.adaptive.machines import MACHINES, Setup, build, entry
from privref.audit.replayed import machines_for
from privref.audit.routes import EPSILON_ROUTES, FILTER_ROUTES, MU_ROUTES, RHO_ROUTES
from privref.certify.listed import CHECKED_STATEMENTS
from privref.games.named import names as accountant_names
from privref.kernel import record as kernel_record
from privref.kernel.theorems import TABLES
from privref.ledger.model import FILTERS
from privref.statements import papers
from privref.statements.hypotheses import Hypothesis
from privref.statements.registry import statement, statements
from privref.statements.theorems import LIFTS, THEOREMS, Theorem, called, named, theorem

SETUP = Setup(Fraction(2), Fraction(1, 10**6), n=Fraction(1000), order=Fraction(32))
ROUTES = (*EPSILON_ROUTES, *FILTER_ROUTES, *RHO_ROUTES)
AUDITED = [each for each in THEOREMS if each.epsilon or each.rho]
each_theorem = pytest.mark.parametrize("each", THEOREMS, ids=lambda each: each.id)


@each_theorem
def test_a_theorem_is_called_by_its_name_before_its_id(each: Theorem) -> None:
    """A short name that no other theorem has, then who proved it, then the id."""
    assert 0 < len(each.name) <= 50
    assert [other.id for other in THEOREMS if other.name == each.name] == [each.id]
    assert called(each.id).startswith(f"{each.name} (")
    assert called(each.id, authors=False) == f"{each.name} ({each.id})"


def test_what_is_no_theorem_is_called_by_its_id() -> None:
    assert [called(id) for id in ("rogers2016/thm2.9.eps", "basic", "", None)] == [
        "rogers2016/thm2.9.eps",
        "basic",
        "",
        "",
    ]
    assert called("mv2016/optimal") == "optimal composition (Murtagh and Vadhan 2016; mv2016/optimal)"
    assert called("dong2020/advance").endswith("(after Dong et al. 2020; dong2020/advance)")


@each_theorem
def test_a_theorem_names_what_exists(each: Theorem) -> None:
    """Its paper, its statements and its machines, and a Lean checker or the reason why there is none."""
    assert each.id.split("/")[0] in papers.REFERENCES
    assert each.says
    assert each.cites
    for id in each.statements:
        assert statement(id).standing != "printed"
    assert bool(each.lean) != bool(each.no_lean)
    if each.lean:
        assert each.lean in CHECKED_STATEMENTS
    uses = each.epsilon, each.rho, each.mu, each.machine, each.odometer, each.individual, each.lifts
    assert any(uses), "nothing uses it"
    if each.individual:
        assert entry(each.individual).role == "filter"


def test_a_budget_may_name_every_filter_that_a_replay_has() -> None:
    """Each machine's theorem is a filter of the ledger's schema, but for that of individual units."""
    document = json.loads(resources.files("privref.schemas").joinpath("ledger.1.json").read_text(encoding="utf-8"))
    text = json.dumps(document)
    (named,) = {tuple(enum) for enum in re.findall(r'"filter": {"enum": (\[[^]]*\])', text)}
    known = set(json.loads("".join(named)))
    assert known == set(FILTERS)
    replayed = {each.name for each in MACHINES if each.role == "filter"} | {"output-dp-accountant", "output-dp-filter"}
    assert {each.machine for each in THEOREMS if each.id in known and each.machine} == replayed


def test_ids_and_other_names_mean_one_theorem() -> None:
    """No name stands for two theorems, and an id never for another's machine."""
    everything = [name for each in THEOREMS for name in each.names]
    assert len(everything) == len(set(everything))
    for each in THEOREMS:
        assert theorem(each.id) is each
        assert all(named(name) is each for name in each.names)
    assert named("no/theorem") is None
    with pytest.raises(KeyError):
        theorem("zcdp-tight")


def test_the_audit_has_a_route_for_each_theorem_that_bounds() -> None:
    """Neither a route without a theorem nor a theorem with an epsilon or a rho that no audit uses."""
    assert {route.by for route in ROUTES} == {each.id for each in AUDITED}
    for route in ROUTES:
        rule = theorem(route.by)
        assert route.hypotheses == rule.hypotheses
        assert route.statement == (rule.rho if route in RHO_ROUTES else rule.epsilon)
    for route in MU_ROUTES:
        rule = theorem(route.by)
        assert route.statement == rule.mu
        # A claim of mu counts a sample as all records, and no ledger declares a budget of mu.
        instead = {
            Hypothesis.GAUSSIAN_ROUNDS: Hypothesis.GAUSSIAN_BASES,
            Hypothesis.BUDGET_IN_ADVANCE: Hypothesis.FIXED_PARAMETERS,
        }
        assert route.hypotheses == tuple(instead.get(each, each) for each in rule.hypotheses)


def test_the_kernel_s_own_table_speaks_of_these_theorems() -> None:
    """The kernel writes down again, on purpose, what its check needs: of theorems of this table and of no other."""
    for notion, table in TABLES.items():
        known = {each.id for each in THEOREMS if getattr(each, notion)}
        assert set(table) <= known
    assert set(FILTERS) >= set(kernel_record.FILTERS)


@pytest.mark.parametrize("name", [each.name for each in MACHINES])
def test_a_machine_is_its_theorem_s(name: str) -> None:
    """The machine carries the id and the hypotheses of the one theorem that names it."""
    machine, role = build(name, SETUP), entry(name).role
    (rule,) = [each for each in THEOREMS if name in (each.machine, each.odometer)]
    assert (rule.odometer if role == "odometer" else rule.machine) == name
    assert machine.statement == rule.id
    assert machine.hypotheses == (rule.odometer_hypotheses if role == "odometer" else rule.hypotheses)


def test_every_machine_and_rule_has_a_theorem(ledger_document: dict[str, object]) -> None:
    """Names of machines, calibration rules and accountants are names of theorems, but for the games' own rules."""
    ledger = privref.ledger_from_document(ledger_document)
    assert all(named(name) for name in machines_for(ledger, SETUP)[0])
    assert all(named(rule) for rule in RULES)
    own = {
        "natural-filter",
        "best-order",
        "realised-order",
        "algorithm-1",
        "algorithm-1.assign",
        "algorithm-1.cell-delta",
    }
    assert {name for name in accountant_names() if named(name) is None} == own


def test_a_theorem_s_id_is_accepted_where_its_machine_is() -> None:
    """replay, calibrate and attack take the id, the machine's name and the aliases alike."""
    assert entry("cks2020/zcdp2dp") is entry("tight-zcdp-filter") is entry("zcdp-tight")
    assert entry("whitehouse2023/thm3.mixture").name == "mixture-odometer"
    menu = "1/10"
    found = {
        privref.attack(name, menu, 2, epsilon="1", delta="1/100").verdict
        for name in ("dp-filter", "whitehouse2023/thm2")
    }
    assert len(found) == 1


def test_hypotheses_have_stable_keys() -> None:
    """Lower case with hyphens, each once; the prose is free to change."""
    keys = [each.key for each in Hypothesis]
    assert len(set(keys)) == len(keys)
    assert Hypothesis.FIXED_PARAMETERS.key == "fixed-parameters"


def test_statements_ask_for_nothing_that_their_theorem_does_not() -> None:
    """What a formula's own hypotheses say is part of what its theorem says; a budget may be the accountant's own."""
    # Rounds with an epsilon are rounds of the ex-post filter too, which then charges no answer.
    within = {
        Hypothesis.BUDGET_IN_ADVANCE: Hypothesis.OUTPUT_BUDGET,
        Hypothesis.EX_POST_BUDGET: Hypothesis.BUDGET_IN_ADVANCE,
        Hypothesis.EX_POST_ROUNDS: Hypothesis.APPROX_DP_ROUNDS,
    }
    for each in AUDITED:
        for id in (each.epsilon, each.rho):
            if id:
                wanted = set(statement(id).hypotheses)
                assert {h for h in wanted if h not in each.hypotheses and within.get(h) not in each.hypotheses} == set()


def test_every_theorem_says_whether_mechanisms_may_run_concurrently() -> None:
    """It asks for a sequential interaction, or for what a theorem lifts; two lifts of one hypothesis there are not."""
    assert len(LIFTS) == sum(len(each.lifts) for each in THEOREMS)
    for each in THEOREMS:
        asked = each.odometer_hypotheses if each.odometer and not each.epsilon else each.hypotheses
        assert bool(each.lifts) != (len({Hypothesis.SEQUENTIAL, *LIFTS} & set(asked)) == 1)


def test_papers_are_found() -> None:
    """Every statement's paper has an address, and its citation begins with the authors."""
    for found in statements():
        paper = papers.REFERENCES[found.id.split("/")[0]]
        assert paper.links
        assert paper.citation.startswith(paper.authors)
