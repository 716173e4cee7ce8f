"""A function of another exercise, or one that goes by another name since, is told as that."""

import pytest

from autograder import exercise, exercises
from autograder.drills.tasks import all_tasks
from autograder.notebook.standing import of_another_exercise, renamed
from tests.autograder.sample import ADD


def pack_bits(src, limit, words):
    """An answer to warps.pack_bits."""


def draft(src, out):
    """A first try at anything."""


def test_the_answer_to_another_exercise_of_the_unit_is_told_with_the_q_that_it_needs(capsys):
    q = exercise("warps.one_path")
    outcome = q.check(pack_bits)

    assert 0 == outcome.points and "NotCheckable" == outcome.status
    assert "`pack_bits` answers warps.pack_bits, and this q is of warps.one_path." in str(outcome)
    assert 'q = exercise("warps.pack_bits")' in str(outcome)


def test_a_draft_and_the_answer_itself_are_of_no_other_exercise():
    q = exercise("warps.one_path")

    assert ("", "") == of_another_exercise(draft, q.exercise)
    assert ("", "") == of_another_exercise(pack_bits, exercise("warps.pack_bits").exercise)


IN_NO_UNIT = (ADD, exercises.find("start_here.double"), next(iter(all_tasks().values())).exercise)


@pytest.mark.parametrize("outside", IN_NO_UNIT, ids=lambda one: one.id)
def test_an_exercise_that_is_in_no_unit_of_the_course_has_no_others(outside):
    assert ("", "") == of_another_exercise(pack_bits, outside)


def test_a_function_that_a_later_cell_has_by_another_name_is_told():
    cells = ["", "def draft(src, out): pass", "def second(src, out): pass", "q.check(draft)"]

    assert "defines second with the same parameters" in renamed(cells, draft, 1)
    assert "" == renamed(cells[:2], draft, 1)
    assert "" == renamed([*cells, "def draft(src, out): return"], draft, 1)
    assert "" == renamed([*cells[:2], "def helper(x): pass"], draft, 1)
    assert "" == renamed(cells, draft, -1)
