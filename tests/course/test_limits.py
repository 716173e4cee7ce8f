"""A limit leaves room to a right answer, unless the task promises the number, and what it refuses costs far more."""

import math
from dataclasses import replace

import pytest

from autograder import exercises
from autograder.contract import Budget
from autograder.diagnosis.budget import limit_of
from autograder.exercises.with_domains import DomainError, with_domains
from autograder.running.cases.domain import Promises
from tools.limits import Limit, limits_of

ADD = exercises.find("vector_add.add_on_device")
LAUNCHES = Budget("kernel_launches", 3, {"n": 1025}, "three are enough", "too_many_launches")


def limit(budget, exercise=ADD, **counters):
    """What an answer with these counters is held to."""
    return limit_of(budget, exercise, counters)


@pytest.mark.parametrize("unit", sorted(exercises.units()))
def test_a_limit_leaves_room_beyond_what_the_solution_spends_or_says_why_not(unit):
    found = [one for exercise in exercises.of_unit(unit) for one in limits_of(exercise)]

    assert [] == [str(one) for one in found if one.is_too_tight]


def test_a_whole_limit_leaves_a_tenth_and_at_least_one_more():
    assert 4 == limit(LAUNCHES)
    assert 1126 == limit(replace(LAUNCHES, at_most=1024))
    assert math.isclose(4.4, limit(replace(LAUNCHES, counter="global_load_sectors_per_request", at_most=4)))
    assert 922 == limit(replace(LAUNCHES, at_most=1024, floor=True))
    assert 1 == limit(replace(LAUNCHES, at_most=1, floor=True))


def test_nothing_at_all_stays_nothing_but_a_few_accesses_may_wait():
    assert 0 == limit(replace(LAUNCHES, at_most=0))
    assert 4 == limit(Budget("shared_load_bank_conflicts", 0, {"n": 1025}, "", "conflicts"), shared_load_requests=40)


def test_what_the_task_promises_is_exact_and_is_quoted():
    adds = replace(ADD, budgets=(LAUNCHES,), task="Add in three launches.")
    promises = Promises(exactly={"kernel_launches": "in three launches"})
    (adds,) = with_domains((adds,), {}, {ADD.function: promises})

    assert 3 == limit(LAUNCHES, adds)


@pytest.mark.parametrize(
    ("counter", "words", "says"),
    [
        ("kernel_launches", "in two launches", "does not say 'in two launches'"),
        ("atomic_operations", "Add", "no budget on atomic_operations"),
    ],
)
def test_a_promise_that_nobody_made_is_refused(counter, words, says):
    adds = replace(ADD, budgets=(LAUNCHES,), task="Add in three launches.")
    with pytest.raises(DomainError, match=says):
        with_domains((adds,), {}, {ADD.function: Promises(exactly={counter: words})})


def test_a_limit_at_the_solutions_own_count_is_too_tight():
    assert Limit("a.b", "kernel_launches", 3, 3, floor=False).is_too_tight
    assert not Limit("a.b", "kernel_launches", 3, 3, floor=False, words="in three launches").is_too_tight
