"""docs/coverage.md is what the contracts and the cards say, and hides no line that nothing asks for."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter

import pytest

from autograder.answer.reference import solution_source
from autograder.drills.deck.topics import all_topics
from autograder.exercises import all_exercises
from tests.autograder.sample import ADD
from tools.make import coverage

TOPICS = [all_topics()[name] for name in ("A1", "B6")]


def test_the_committed_page_is_current():
    assert 0 == coverage.main(["--check"]), "run `python -m tools.make.coverage`, and commit what it writes"


def test_every_exercise_names_a_line_and_stands_on_the_page():
    said = coverage.PAGE.read_text(encoding="utf-8")

    assert [] == [one.id for one in all_exercises() if not one.topics or f"`{one.function}`" not in said]


def test_a_line_without_an_exercise_or_a_card_is_told_as_missing():
    exercise = dataclasses.replace(ADD, topics=("A1",), unit="01_vector_add")
    page = coverage.page([exercise], TOPICS, Counter({"A1": 3}))

    assert "1 of 2 lines have an exercise; there are 1 exercises. No exercise asks for: B6 Managed memory." in page
    assert "| A1 | Programming model | [01](../course/01_vector_add/01_vector_add.ipynb) `add` | 3 |" in page
    assert "| B6 | Managed memory | **missing** | **missing** |" in page


def test_a_line_of_theory_is_not_missing_while_cards_ask_about_it():
    page = coverage.page([], [all_topics()["F5"]], Counter({"F5": 30}))

    assert "| F5 | C++ beside CUDA | theory: cards alone | 30 |" in page
    assert "Theory, which cards ask about: F5 C++ beside CUDA." in page and "**missing**" not in page
    assert coverage.MISSING in coverage.page([], [all_topics()["F5"]], Counter())


def test_a_contract_that_names_no_line_of_the_course_is_refused():
    with pytest.raises(coverage.UnknownLineError, match=r"names the line 'Z9'.*Correct its `topics`"):
        coverage.page([dataclasses.replace(ADD, topics=("Z9",))], TOPICS, Counter())


SIGNS = {  # a line of the course -> what a solution has that an exercise of it asks for
    "A7": r"shared\.array",
    "A9": r"syncthreads|threadfence|\.sync\(\)|(?s:THREADS\]\(.*THREADS\]\()",  # launches order whole grids
    "B1": r"stream",
    "B2": r"event\(",
    "B3": r"stream=",
    "B5": r"cuda\.atomic\.",
    "B6": r"managed_array",
    "B8": r"shared\.array",
    "B12": r"const\.array_like|TAPS|shared\.array",  # a table that lanes index apart belongs elsewhere
    "B15": r"shfl|ballot|match_any|any_sync|all_sync|warp_total|warp_scan",
    "B16": r"this_grid",
    "B17": r"capture\(",
}


def test_an_exercise_that_names_a_line_asks_for_what_the_line_is_about():
    named = [
        (one.id, line)
        for one in all_exercises()
        for line, sign in SIGNS.items()
        if line in one.topics and not re.search(sign, solution_source(one) or "")
    ]

    assert [] == named, "take the line out of the contract's topics, or ask for it"


def counted(exercise):
    """The counters that its budgets bound and its predictions ask for."""
    return [*(each.counter for each in exercise.budgets), *exercise.predictions.values()]


COUNTED = {"B7": "sectors|requests", "B8": "conflicts", "B14": "lanes_at_work|diverg", "C6": "_bytes"}


def test_an_exercise_that_names_a_line_about_a_cost_counts_that_cost():
    named = [
        (one.id, line)
        for one in all_exercises()
        for line, counter in COUNTED.items()
        if line in one.topics and not re.search(counter, " ".join(counted(one)))
    ]

    assert [] == named, "take the line out of the contract's topics, or ask for it"
