"""Options and shared fixtures of the whole suite."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings

# Machines differ in speed: a property is judged by its truth, not by its time.
settings.register_profile("privref", deadline=None, derandomize=True, max_examples=40)
settings.load_profile("privref")
# A mutant has only to fail, not to fail on the smallest example.
settings.register_profile("mutants", settings.get_profile("privref"), phases=(Phase.explicit, Phase.generate))

DATA = Path(__file__).parent / "data"


#: What ``--quick`` leaves out beside Lean: the functions that take nine tenths of the suite's time.
SLOW = frozenset(
    {
        "proofs/test_contracts.py::test_crosshair_exhausts_what_it_can",
        "proofs/test_contracts.py::test_crosshair_finds_no_counterexample",
        "proofs/test_cover.py::test_a_true_claim_is_proved_by_bisection",
        "proofs/test_transcriptions.py::test_code_equals_the_paper",
        "proofs/test_transcriptions.py::test_transcriptions_load_without_privref",
        "tests/audit/test_verify.py::test_one_thing_altered_breaks_the_link_to_the_ledger",
        "tests/batch/test_batch.py::test_a_run_that_is_killed_is_continued_and_leaves_nothing_half_written",
        "tests/batch/test_batch.py::test_every_verdict_is_the_audits",
        "tests/batch/test_spark.py::test_spark_gives_the_same_bytes",
        "tests/composition/test_heterogeneous.py::test_500_random_rational_ledgers_agree_with_enumeration",
        "tests/composition/test_heterogeneous.py::test_a_delta_of_1e_minus_30_loses_nothing",
        "tests/composition/test_heterogeneous.py::"
        "test_a_large_ledger_of_arbitrary_epsilons_is_enclosed_to_the_stated_width",
        "tests/composition/test_heterogeneous.py::test_equal_rounds_agree_with_kairouz_oh_viswanath",
        "tests/composition/test_heterogeneous.py::test_the_lattice_agrees_with_enumeration_to_many_digits",
        "tests/games/test_attack.py::test_four_parameters_over_twenty_rounds_are_searched_exactly",
        "tests/games/test_play.py::test_monte_carlo_covers_the_exact_values",
        "tests/games/test_play.py::test_sampled_runs_follow_the_exact_law",
        "tests/guarantees/test_conversions.py::test_the_tight_delta_is_below_every_order_and_attained",
        "tests/guarantees/test_conversions.py::test_the_tight_epsilon_inverts_the_tight_delta",
        "tests/guarantees/test_two_point.py::test_a_pair_is_zcdp_just_above_its_worst_order_and_not_below",
        "tests/mechanisms/test_output_dp_mechanisms.py::test_svt_answers_lose_at_most_their_cell",
        "tests/mechanisms/test_sampling.py::test_the_sparse_vector_technique_follows_its_law",
        "tests/mechanisms/test_svt_law.py::test_lemma_8_holds_on_the_worst_neighbour_of_every_output",
        "tests/mutants/test_campaign.py::test_a_formula_is_patched_in_place",
        "tests/mutants/test_campaign.py::test_a_test_that_looks_elsewhere_catches_nothing",
        "tests/mutants/test_campaign.py::test_constants_and_what_runs_at_import",
        "tests/mutants/test_required.py::test_explained_survivors_are_mutants_of_the_code_as_it_is",
        "tests/mutants/test_required.py::test_required_mutant_is_caught",
        "tests/profiles/test_grid.py::test_small_deltas_keep_their_digits",
        "tests/registry/test_gallery.py::test_each_row_names_its_command_and_its_certificate",
        "tests/registry/test_gallery.py::test_every_ledger_of_the_gallery_is_an_example",
        "tests/registry/test_gallery.py::test_it_shows_what_it_must",
        "tests/registry/test_gallery.py::test_the_commands_of_the_long_ledgers_write_what_their_rows_name",
        "tests/registry/test_gallery.py::test_the_html_holds_every_entry_and_loads_nothing",
        "tests/registry/test_gallery.py::test_the_numbers_of_the_issue_are_found",
        "tests/registry/test_gallery.py::test_the_page_is_what_the_audit_says",
        "tests/reproductions/test_tables.py::test_figures_are_svg_and_the_same_every_time",
        "tests/report/test_html.py::test_a_browser_shows_every_long_example",
        "tests/report/test_html.py::test_a_browser_shows_every_short_example",
        "tests/test_architecture.py::test_the_package_is_type_checked_strictly",
        "tests/mechanisms/test_svt_law.py::test_the_closed_form_is_the_integral",
        "tests/adaptive/test_calibrate.py::test_every_rule_answers_or_says_what_it_does_not_cover",
        "tests/guarantees/test_conversions.py::test_the_tight_conversion_improves_on_lemma_1",
        "tests/guarantees/test_conversions.py::test_the_gaussian_profile_is_the_integral_of_its_definition",
        "tests/composition/test_optdel.py::test_two_thousand_rounds_enclosed_agree_with_the_exact_rational",
        "tests/composition/test_optdel.py::test_exact_unequal_rounds_stop_before_an_exponential_number_of_states",
        "tests/games/test_pointwise.py::test_a_large_drift_never_fails_and_that_is_said",
        "tests/games/test_attack.py::test_no_adversary_of_ten_rounds_breaks_our_odometers",
        "tests/mechanisms/test_sampling.py::test_lattice_noise_in_two_dimensions",
        "tests/test_contributing.py::test_four_files_are_enough",
        "tests/test_contributing.py::test_no_file_may_be_left_out",
        "tests/vectors/test_peers.py::test_the_search_minimises",
        "tests/vectors/test_vectors.py::test_regeneration_is_byte_identical",
        "tests/test_documents.py::test_every_block_of_a_document_runs",
        "tests/adaptive/test_calibrate_sgd.py::test_what_has_no_answer_is_refused",
        "tests/test_cards.py::test_ids_in_the_output_of_commands_are_explained",
        "tests/registry/test_gallery.py::test_the_command_of_each_row_writes_the_certificate_that_it_names",
        "tests/profiles/test_contour.py::test_one_and_two_rounds_are_their_integrals",
        "tests/audit/test_mechanisms.py::test_a_known_part_refutes_whatever_else_ran",
        "tests/audit/test_audit.py::test_a_named_theorem_decides_though_another_stays_open",
        "tests/report/test_html.py::test_the_file_stands_alone",
        "tests/certify/test_lean_file.py::test_what_confirms_nothing_or_has_no_ledger_is_refused",
        "tests/audit/test_mechanisms.py::test_a_hundred_laplace_rounds",
        "tests/audit/test_mechanisms.py::test_certificates_about_mechanisms_that_were_changed_fail",
        "tests/adaptive/test_calibrate_sgd.py::test_the_most_steps",
        "tests/profiles/test_inversion.py::test_both_engines_meet",
        "tests/profiles/test_inversion.py::test_delta_of_atomic_laws_is_enclosed",
        "tests/profiles/test_subsampled_law.py::test_two_rounds_with_atoms_are_enclosed",
        "tests/audit/test_mechanisms.py::test_the_census_noise",
        "tests/audit/test_mechanisms.py::test_other_census_releases",
        "tests/audit/test_mechanisms.py::test_a_gaussian_mechanism_composes_beside_any_guarantee",
        "tests/audit/test_mechanisms.py::test_a_gaussian_is_judged_alike_however_it_is_declared",
        "tests/audit/test_sampled.py::test_samples_of_laplace_noise_are_composed_on_the_grid",
        "tests/audit/test_sampled.py::test_the_epsilon_of_poisson_samples_is_false_of_shuffled_batches",
        "tests/audit/test_no_hindsight.py::test_no_adversary_breaks_a_budget_that_the_audit_confirms",
        "tests/audit/test_relation_check.py::test_one_thing_altered_fails",
        "tests/cli/test_asking.py::test_a_number_is_checked_without_a_file",
        "tests/cli/test_output.py::test_every_report_is_written_on_every_stdout",
        "tests/test_site.py::test_the_site_builds_strictly",
        "tests/games/test_odometer_walk.py::test_no_adversary_breaks_the_one_sided_odometer",
        "tests/games/test_price.py::test_rounds_are_certified_from_both_sides",
        "tests/adaptive/test_odometers.py::test_states_resume_and_forget_the_order",
        "tests/adaptive/test_odometers.py::test_odometers_hold_for_randomized_response_at_all_times_at_once",
        "tests/adaptive/test_calibrate_sgd.py::test_the_least_noise",
        "tests/profiles/test_shuffled.py::test_an_epsilon_as_if_poisson_is_false_of_a_shuffled_run",
        "tests/test_work.py::test_a_sum_of_a_million_terms_is_enclosed",
    }
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-lean", action="store_true", default=False, help="leave out the check of the Lean library (needs npm)"
    )
    parser.addoption(
        "--quick", action="store_true", default=False, help="leave out Lean and the slow tests (tests/conftest.py)"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the Lean library's one build in one process, and leave out what is slow where that is asked."""
    for item in items:
        if item.nodeid.startswith("tests/lean/"):
            item.add_marker(pytest.mark.xdist_group("lean"))
    if config.getoption("--quick"):
        slow = [item for item in items if item.nodeid.startswith("tests/lean/") or function(item) in SLOW]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in set(slow)]


def function(item: pytest.Item) -> str:
    """The test function's id, without parameters."""
    return item.nodeid.split("[")[0]


@pytest.fixture(scope="session")
def samples() -> list[dict[str, Any]]:
    """Sample values of the statements, to 30 digits."""
    found: list[dict[str, Any]] = json.loads((DATA / "samples.json").read_text())["samples"]
    return found


@pytest.fixture
def ledger_document() -> dict[str, Any]:
    """A small valid ledger: 17 rounds of randomized response at 0.1."""
    return {
        "schema": "ledger.1",
        "title": "seventeen",
        "privacy_unit": "person",
        "neighbours": "replace-one",
        "parameters": "fixed-in-advance",
        "interaction": "sequential",
        "events": [
            {
                "count": 17,
                "guarantee": {"kind": "pure-dp", "epsilon": "0.1"},
                "mechanism": {"kind": "randomized-response"},
            }
        ],
    }
