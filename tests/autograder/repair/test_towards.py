"""Edits towards the course's own solution: a line that differs, a line that is missing, and none of what was given."""

import re
from dataclasses import replace

import pytest

from autograder import exercises
from autograder.answer.given_lines import given_lines
from autograder.answer.reference import solution_source, solved
from autograder.repair.edits import Text
from autograder.repair.search import edits_for
from autograder.repair.towards import differing, edits_towards, in_names_of

NORM = exercises.find("attention.layer_norm")
TENSOR = exercises.find("attention.attention_tensor")


def changed(exercise, old: str, new: str):
    program = solved(exercise)
    assert program.source.count(old) == 1
    return replace(program, source=program.source.replace(old, new))


def towards(exercise, program) -> list[tuple[str, str]]:
    return [(edit.kind, edit.becomes) for edit in edits_towards(Text(program.source), solution_source(exercise) or "")]


def test_a_line_that_differs_becomes_what_the_solution_has_there():
    program = changed(NORM, "float32(n_cols) + EPS", "float32(n_cols - 1) + EPS")

    assert [("part", "    scale = float32(1) / math.sqrt(warp_sum(acc) / float32(n_cols) + EPS)")] == towards(
        NORM, program
    )


def test_an_answer_with_names_of_its_own_is_led_to_the_solution_in_these_names():
    named = {"acc": "total", "scale": "by", "row": "line", "warp": "w", "lane": "at", "mean": "middle"}
    source = changed(NORM, "float32(n_cols) + EPS", "float32(n_cols)").source
    for name, own in named.items():
        source = re.sub(rf"\b{name}\b", own, source)
    solution = in_names_of(source, solution_source(NORM) or "")

    (edit,) = edits_towards(Text(source), solution)

    assert "    by = float32(1) / math.sqrt(warp_sum(total) / float32(n_cols) + EPS)" == edit.becomes


def test_a_line_that_is_missing_is_put_in_behind_the_one_before_it():
    program = changed(TENSOR, "            top[r] = higher\n", "")

    (edit,) = towards(TENSOR, program)

    assert ("missing", "            top[r] = higher") == (edit[0], edit[1].splitlines()[-1])


def test_the_solution_itself_has_nothing_to_change():
    assert [] == towards(TENSOR, solved(TENSOR))


def test_what_the_course_gave_is_not_edited():
    program = solved(TENSOR)

    given = given_lines(TENSOR, program)
    lines = program.source.splitlines()

    assert "        wait_copies(1)" in {lines[at - 1] for at in given}
    assert not any(edit.line in given for edit in edits_for(TENSOR, program) if edit.kind != "missing")


@pytest.mark.parametrize(
    ("line", "other", "part"),
    [
        ("    y = 2 * math.erfc(x)", "    y = 2 * math.erf(x)", "math.erfc"),
        ("    if start + x < end:", "    if start + x <= i:", "start + x < end"),
        ("    return a, b", "    return b, a", "(a, b)"),
        ("    y = a + b  # both", "    y = a + 2 * b", "b"),
        ("    y = a", "    y: int = a", ""),
    ],
)
def test_the_part_of_a_line_that_differs_is_the_smallest_one(line, other, part):
    assert part == differing(line, other)
