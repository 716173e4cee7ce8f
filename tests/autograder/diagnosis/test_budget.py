"""Budgets: ratios of counters, and what a missed one costs the learner in words."""

import dataclasses

import pytest

from autograder.contract import Argument, Budget, Case, Cost
from autograder.diagnosis import budget
from autograder.running.buffers import make_values
from tests.autograder.sample import ADD

COUNTERS = {
    "global_load_requests": 10,
    "global_load_sectors": 40,
    "global_store_requests": 5,
    "global_store_sectors": 160,
    "shared_load_requests": 4,
    "shared_load_bank_conflicts": 124,
    "branches": 8,
    "divergent_branches": 2,
    "float32_flops": 1500,
    "float64_flops": 100,
    "warp_instructions": 4,
    "thread_instructions": 96,
}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("global_load_requests", 10),
        ("global_load_sectors_per_request", 4),
        ("global_store_sectors_per_request", 32),
        ("shared_load_conflicts_per_request", 31),
        ("shared_store_conflicts_per_request", 0),
        ("divergent_branch_share", 0.25),
        ("lanes_at_work", 24),
        ("bytes_over_compulsory", 2),
        ("flops_per_compulsory_byte", 0.5),
    ],
)
def test_a_counter_or_ratio_is_measured(name, value):
    assert value == budget.measure(name, COUNTERS, compulsory=3200)


def test_an_unknown_counter_is_answered_with_the_known_ones():
    with pytest.raises(budget.UnknownCounterError, match="global_load_requests"):
        budget.measure("global_loads", COUNTERS, 1)


def test_every_counter_of_a_ratio_is_one_that_the_trace_counts():
    from simt.analyses.counters import zero_counters

    for name in budget.RATIOS:
        assert 0 == budget.measure(name, zero_counters(), 1)


def test_compulsory_bytes_are_each_array_once_and_inout_twice():
    values = make_values(ADD, Case({"n": 10}))
    assert 3 * 40 == budget.compulsory_bytes(ADD, values)
    arguments = (*ADD.arguments[:2], Argument("out", "inout", "float32", "(n,)"))
    assert 4 * 40 == budget.compulsory_bytes(dataclasses.replace(ADD, arguments=arguments), values)


def test_a_budget_is_met_at_its_limit_and_missed_beyond_it():
    sizes = {"n": 1025}
    limits = (
        Budget("global_load_requests", 9, sizes, "with room for one more", "x"),
        Budget("global_load_requests", 8, sizes, "why", "y"),
    )
    exercise = dataclasses.replace(ADD, budgets=limits)
    results, causes = budget.evaluate(exercise, {"n = 1025": COUNTERS}, {"n = 1025": 1})
    assert [True, False] == [result.met for result in results]
    assert [("over_budget", "y", "Why.")] == [(cause.kind, cause.misconception, cause.says) for cause in causes]


def test_a_budget_of_a_case_that_did_not_run_is_not_judged():
    assert ((), ()) == budget.evaluate(ADD, {}, {})


def test_predictions_use_their_own_case():
    measured = budget.predicted(ADD, {"n = 1": {}, "n = 1025": COUNTERS}, {"n = 1025": 1})
    assert {"global_load_requests": 10} == measured


def test_of_two_budgets_missed_on_one_counter_the_more_generous_is_the_cause_and_the_other_is_not_counted():
    sizes = {"n": 1025}
    limits = (
        Budget("global_load_requests", 5, sizes, "nearly there", "strict"),
        Budget("global_load_requests", 8, sizes, "far off", "generous"),
        Budget("global_store_requests", 1, sizes, "another matter", "stores"),
    )
    exercise = dataclasses.replace(ADD, budgets=limits)
    results, causes = budget.evaluate(exercise, {"n = 1025": COUNTERS}, {"n = 1025": 1})
    assert 3 == len(results)
    assert ["generous", "stores"] == [cause.misconception for cause in causes]


def test_a_number_of_the_machine_code_is_judged_in_every_case_and_nowhere_without_a_compiler():
    limit = Budget("independent_operations", 4, {"n": 1025}, "four", "one_chain", floor=True)
    exercise = dataclasses.replace(ADD, budgets=(limit,), predictions={"at_once": "independent_operations"})
    traced, bytes_needed = {"n = 1025": COUNTERS}, {"n = 1025": 1}
    compiled = budget.with_code(traced, {"independent_operations": 1.0})
    _, (cause,) = budget.evaluate(exercise, compiled, bytes_needed)

    assert "one_chain" == cause.misconception
    assert ((), ()) == budget.evaluate(exercise, traced, bytes_needed)
    assert ({"at_once": 1.0}, {}) == tuple(budget.predicted(exercise, one, bytes_needed) for one in (compiled, traced))


def test_sectors_that_are_fewer_in_all_are_no_miss_however_many_a_request_has():
    counter = "global_load_sectors_per_request"
    exercise = dataclasses.replace(
        ADD,
        cost=lambda values: Cost(read_bytes=8 * values["a"].size, write_bytes=0),
        budgets=(Budget(counter, 4, {"n": 1025}, "neighbours share sectors", "uncoalesced"),),
    )
    few, many = ({**COUNTERS, "global_load_requests": 10, "global_load_sectors": n} for n in (200, 300))

    (met,), none = budget.evaluate(exercise, {"n = 1025": few}, {"n = 1025": 1})
    (missed,), (cause,) = budget.evaluate(exercise, {"n = 1025": many}, {"n = 1025": 1})

    assert () == none and ("global_load_sectors", 200) == (met.counter, met.value) and 200 < met.at_most < 300
    assert (counter, 30) == (missed.counter, missed.value) and "uncoalesced" == cause.misconception
