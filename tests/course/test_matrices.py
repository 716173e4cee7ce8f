"""Right answers in other styles pass whole, and right results without the work do not: one of each row's kind here.

`make check-exercises` runs all of them; a release one answer an exercise, a different kind from one to the next, and a
commit an eighth of those that are not costly.
"""

from __future__ import annotations

import ast

import pytest

from autograder import exercises
from tests.autograder.sample import ADD
from tests.course.costly import COSTLY
from tools import check_exercises
from tools.matrices import no_work, part, rows, styles

ALL = exercises.all_exercises()
COSTLY_WAYS = ("everything_by_everybody", "one_thread")  # seconds each: left to `make check-exercises`
KERNEL = """
@cuda.jit
def k(src, dst, n):
    i = cuda.grid(1)
    if i < n and src[i] > 0:
        for j in range(3):
            dst[i] += src[i + j * cuda.gridsize(1)]
"""


def one_of(number: int, exercise):
    """(the check, a derived answer) of one row of an exercise, by its number in the course."""
    solution = check_exercises.solution_of(exercise)
    styled = [(check_exercises.prove_style, each) for each in rows.in_other_styles(exercise, solution)]
    left = rows.without_the_work(exercise, solution)
    idle = [(check_exercises.prove_no_work, each) for each in left if each.name not in COSTLY_WAYS]
    kinds = [kind for kind in (styled, idle) if kind]
    chosen = kinds[number % len(kinds)]
    return chosen[number // len(kinds) % len(chosen)]


NUMBERED = [
    pytest.param(
        number, exercise, id=exercise.id, marks=pytest.mark.release if number % 8 or exercise.id in COSTLY else []
    )
    for number, exercise in enumerate(ALL)
]


@pytest.mark.parametrize(("number", "exercise"), NUMBERED)
def test_one_derived_answer_earns_what_it_is_promised(number, exercise):
    prove, derived = one_of(number, exercise)

    assert "" == prove(exercise, derived).complaint


PARTS = [
    pytest.param(number, exercise, id=exercise.id, marks=[] if number % 24 == 1 else pytest.mark.release)
    for number, exercise in enumerate(ALL)
]


@pytest.mark.parametrize(("number", "exercise"), PARTS)
def test_an_answer_for_a_part_of_the_output_is_not_right(number, exercise):
    """One kind of part an exercise, a different one from one to the next; `make check-exercises` tries all of them."""
    parts = list(rows.for_a_part(exercise, check_exercises.solution_of(exercise)))
    chosen = parts[number % len(parts) :][:1] if parts else []

    assert [] == [
        row.complaint for row in (check_exercises.prove_part(exercise, *one) for one in chosen) if row.complaint
    ]


def test_a_part_of_the_stores_is_kept_where_its_condition_holds():
    first = part.only_where("{row} == 0 and {column} < {columns} - 1", "dst".__eq__)
    told = part.only_where("{column} < 32", "dst".__eq__, told=True)

    assert "if place0_0 == 0 and place0_0 < dst.shape[-1] - 1:\n                dst[place0_0] +=" in rewritten(first)
    assert "else:\n                dst[1 << 40] +=" in rewritten(told)
    assert "" == rewritten(part.only_where("False", "total".__eq__))


@pytest.mark.parametrize("exercise", ALL, ids=lambda exercise: exercise.id)
def test_every_exercise_has_other_styles_and_ways_to_leave_the_work_to_others(exercise):
    solution = check_exercises.solution_of(exercise)
    about_arrays = any(argument.shape for argument in exercise.arguments)

    assert list(rows.in_other_styles(exercise, solution))
    assert len(list(rows.without_the_work(exercise, solution))) >= (1 if about_arrays else 0)


@pytest.mark.parametrize("exercise", ALL, ids=lambda exercise: exercise.id)
def test_the_plain_loop_is_told_from_the_work_on_record(exercise):
    assert [] == [row for row in check_exercises.prove_counters(exercise) if row.complaint]


def rewritten(rewrite, source: str = KERNEL) -> str:
    new = rewrite(ast.parse(source), "k")
    return "" if new is None else ast.unparse(ast.fix_missing_locations(new))


def test_styles_say_the_same_in_other_words():
    assert "i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x" in rewritten(styles.grid_spelled_out)
    assert "if not (i < n and src[i] > 0):\n        return" in rewritten(styles.early_return)
    assert "while j < stop_j:" in rewritten(styles.while_loops)
    assert "k_body(src, dst, n)" in rewritten(styles.in_a_helper)
    assert "k = made_k()" in rewritten(styles.from_a_factory)
    assert "my_dst[my_i] += my_src[my_i + my_j * cuda.gridsize(1)]" in rewritten(styles.other_names)
    assert "dst[i] = dst[i] + src" in rewritten(styles.updates_in_full)
    assert "if i < n:\n        if src[i] > 0:" in rewritten(styles.conditions_nested)


def test_a_kernel_whose_threads_meet_is_not_put_into_one_thread():
    meeting = KERNEL + "    cuda.syncthreads()\n"

    assert "k_at(src, dst, n, bx, by, bz, tx, ty, tz)" in rewritten(no_work.one_thread)
    assert "" == rewritten(no_work.one_thread, meeting) == rewritten(no_work.one_thread_a_block, meeting)
    assert "cuda.syncthreads()" in rewritten(no_work.one_block, meeting).split("def k(")[1]


def test_a_row_that_is_not_as_promised_complains():
    right = rows.Derived("right", check_exercises.solution_of(ALL[0]))

    assert "without the work" in check_exercises.prove_no_work(ALL[0], right).complaint
    assert check_exercises.prove_style(ADD, right).complaint
