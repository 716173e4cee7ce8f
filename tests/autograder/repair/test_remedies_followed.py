"""Who does what a verdict says is better off: a commit tries a sample of the catalogue, a release all of it."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from autograder import exercises
from autograder.answer.program import Program
from autograder.exercises.catalogue import answers_for
from autograder.judge import check
from autograder.outcome import Cause
from autograder.repair.edits import Edit
from autograder.repair.mechanical import can_be_carried_out
from autograder.repair.remedies import _more_of_the_same_is_left
from tests.part import a_part
from tools.check_exercises import solution_of
from tools.check_remedies import MOST_NAMELESS, Followed, follow, told, wrong_answers

EVERY = 90  # of the wrong answers, in a commit
TOLD = {  # an answer that shares no line with the course's own, what is told to do, and what must not be
    "an index that is wrong has no guard": (
        "memory_access.gather_rows",
        """@cuda.jit
def gather_rows(src, rows, dst):
    x, y = cuda.grid(2)
    if y < dst.shape[0] and x < dst.shape[1]:
        dst[y, x] = src[x, rows[y]]
""",
        "the indices of src have changed places",
        "Guard",
    ),
    "two names in one another's places have no guard": (
        "memory_access.gather_rows",
        """@cuda.jit
def gather_rows(src, rows, dst):
    x, y = cuda.grid(2)
    if y < dst.shape[0] and x < dst.shape[1]:
        dst[y, x] = src[rows[x], y]
""",
        "`y` and `x` have changed places",
        "Guard",
    ),
    "an index that no single edit repairs is bounded without a promise": (
        "memory_access.copy_from",
        """@cuda.jit
def copy_from(src, start, dst):
    at = 4 * cuda.grid(1)
    if start % 4 == 0 and at + 4 <= dst.size:
        store16(dst, at, load16(src, 4 * start + at))
    else:
        for k in range(at, min(at + 4, dst.size)):
            dst[k] = src[4 * start + k]
""",
        "a condition around that line does not make the result right",
        "Guard",
    ),
    "a guard that repairs is told": (
        "memory_access.drift",
        """@cuda.jit
def drift(bodies, dt):
    at = cuda.grid(1)
    for k in range(3):
        bodies[k, at] += dt * bodies[4 + k, at]
""",
        "Guard the line: it may only run where `at` is less than bodies.shape[1].",
        "Changing line",
    ),
    "a value that is guarded in place of its line": (
        "memory_access.box_down",
        """@cuda.jit
def box_down(src, dst):
    x = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if x < dst.shape[1]:
        rows = (dst.shape[0] + cuda.gridDim.y - 1) // cuda.gridDim.y
        begin = cuda.blockIdx.y * rows
        before, now = at(src, begin - 1, x), at(src, begin, x)
        for y in range(begin, min(begin + rows, dst.shape[0])):
            after = src[y + 1, x]
            dst[y, x] = before + now + after
            before, now = now, after
""",
        "write `src[y + 1, x] if y + 1 < src.shape[0] else float32(0)`",
        "Guard the line",
    ),
}
PROGRAM = Program("pass\n" * 9, "f")
ANSWERS = [f"{one.id}/{answer.name}" for one in exercises.all_exercises() for answer in wrong_answers(one)]


@pytest.mark.parametrize("name", a_part(ANSWERS, EVERY))
def test_what_a_verdict_says_helps(name):
    identifier, _, answer = name.partition("/")
    exercise = exercises.find(identifier)
    row = follow(exercise, next(one for one in answers_for(exercise) if one.name == answer))

    assert "does not help" != row.state, row.seen


@pytest.mark.parametrize("name", a_part(TOLD, 2))
def test_a_guard_is_told_where_it_repairs_and_else_the_index(name):
    identifier, source, says, never = TOLD[name]
    exercise = exercises.find(identifier)
    text = " ".join(
        str(check(exercise, replace(solution_of(exercise), source=source), device="simt", isolate=False)).split()
    )

    assert says in text and never not in text


@pytest.mark.parametrize(
    ("kind", "remedy", "carried_out"),
    [
        ("out_of_bounds", "Guard the line: it may only run where `i` is less than out.size.", True),
        ("out_of_bounds", "Let it run only where `row` is below 4, or make rows larger.", True),
        ("out_of_bounds", "Work it out by hand for that thread.", False),
        ("out_of_bounds", "Line 3 keeps `row` below dst.shape[0], so `row` is the row: write dst[row, col].", True),
        ("out_of_bounds", "To count from the end, write `tile.size - 1 - t`.", True),
        ("race", "Put cuda.syncthreads() after line 7, where every thread arrives.", True),
        ("race", "Put cuda.syncwarp() after line 7, where every lane arrives.", True),
        ("barrier_divergence", "Move the barrier out of the condition at line 3, so that every thread arrives.", True),
        ("barrier_divergence", "Move the barrier to where every thread of the block passes it.", False),
        ("race", "Use an atomic, such as cuda.atomic.add(hist, index, value).", False),
        ("wrong_output", "Guard the line: it may only run where `i` is less than out.size.", False),
    ],
)
def test_what_says_what_to_type_is_carried_out_and_the_rest_is_advice(kind, remedy, carried_out):
    assert carried_out == can_be_carried_out(Cause(kind, "", "", remedy, (3,)), PROGRAM)


def test_a_line_of_another_cell_is_not_edited():
    """Where a barrier stands in a function that an earlier cell defines, its number belongs to no line of this one."""
    cause = Cause("barrier_divergence", "", "", "Move the barrier out of the condition at line 3, so", (31,))

    assert not can_be_carried_out(cause, PROGRAM)
    assert not can_be_carried_out(replace(cause, lines=(3,)), replace(PROGRAM, first_line=4))


def test_the_count_fails_where_a_remedy_does_not_help_or_too_many_verdicts_name_nothing(capsys):
    fine = [Followed("a.b", str(k), "helps") for k in range(round(1 / MOST_NAMELESS))]

    assert 0 == told([*fine, Followed("a.b", "c", "names nothing")])
    assert 1 == told([*fine, *[Followed("a.b", "c", "names nothing")] * 3])
    assert 1 == told([*fine, Followed("a.b", "c", "does not help", "the same again")])
    assert "the same again" in capsys.readouterr().out


@pytest.mark.parametrize(("line", "left"), [(31, True), (29, False), (26, False)])
def test_a_remedy_that_is_carried_out_stays_where_other_lines_than_its_own_go_outside(line, left):
    """Lines are the cell's, which begins at 20: the remedy is about line 26, and changes line 29, the cell's tenth."""
    cause = Cause("out_of_bounds", "no_guard", "places fall outside", "write `place = 0`", lines=(26,), array="table")
    trials = SimpleNamespace(
        program=Program("", "f", first_line=20), outside=lambda *_: (False, frozenset({line})), exercise=None
    )

    assert left == _more_of_the_same_is_left(cause, Edit(10, "index", "the index", "0", ""), trials, len, [None])
