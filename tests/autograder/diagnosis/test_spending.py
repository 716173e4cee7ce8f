"""A right answer that costs too much hears which of its lines spends what was counted."""

import pytest

from autograder import exercises
from autograder.diagnosis.spending import sentence
from autograder.exercises.catalogue import answers_for
from autograder.judge import check
from autograder.outcome import BudgetResult

OWN = {"mine"}


def missed(counter="atomic_operations", value=320.0, at_most=10.0, **more):
    return BudgetResult(counter, value, at_most, "Once per warp is enough.", **more)


def row(line, n, function="mine", counter="atomic_operations"):
    return function, line, {counter: n}


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([row(9, 320)], "Line 9 accounts for all of them."),
        ([row(9, 300), row(12, 20)], "Line 9 accounts for 300 of them."),
        ([row(9, 160), row(12, 160)], "Lines 9 and 12 account for all of them."),
        ([row(9, 100), row(4, 120), row(12, 100)], "Lines 4, 9 and 12 account for all of them."),
        ([row(line, 80) for line in range(4)], ""),  # everywhere: no line is to blame
        ([row(9, 320, "of_another_cell")], ""),
        ([row(9, 320, counter="barriers")], ""),
        ([], ""),
    ],
)
def test_few_lines_that_spend_most_are_named(rows, says):
    assert says == sentence(missed(), rows, OWN)


def test_of_a_ratio_the_line_is_named_that_spends_its_upper_part():
    rows = [row(9, 64, counter="global_load_sectors"), row(10, 4, counter="global_load_sectors")]

    assert "Line 9 accounts for most of them." == sentence(missed("global_load_sectors_per_request"), rows, OWN)


def test_what_is_the_most_of_one_line_is_that_lines():
    rows = [row(3, 2, counter="atomic_hottest_cell"), row(9, 250, counter="atomic_hottest_cell")]

    assert "It is line 9." == sentence(missed("atomic_hottest_cell", 250.0), rows, OWN)


def test_too_little_is_no_lines_doing():
    assert "" == sentence(missed(floor=True), [row(9, 320)], OWN)


def test_a_verdict_says_what_was_measured_then_the_limit_then_the_line():
    exercise = exercises.find("indexing.broadcast_add")
    (answer,) = [one for one in answers_for(exercise) if one.name == "row_loaded_in_every_turn"]
    outcome = check(exercise, answer.program, device="simt", isolate=False)
    program = answer.program
    line = program.first_line + next(n for n, text in enumerate(program.source.splitlines()) if "row[" in text)

    said = " ".join(str(outcome).split())
    assert f"366 global load requests, at most 214 allowed. Line {line} accounts for all of them." in said
