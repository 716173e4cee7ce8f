"""Questions on one's own kernel: their numbers come from the run, and replies are marked against them."""

import pytest
from numba import cuda

from autograder import exercise, exercises
from autograder.answer.program import Program
from autograder.notebook import progress
from autograder.notebook.explain.asked import Probe, ReplyError, marked
from autograder.notebook.explain.chosen import questions_on
from tools.check_exercises import solution_of

BLOCK_SUM = exercises.find("reductions.block_sum_sequential")
ADD = exercises.find("vector_add.vector_add")
BY_HAND = """
@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]
"""


@pytest.fixture(autouse=True)
def fresh_session():
    progress.forget()
    yield
    progress.forget()


@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]


def told(questions, part):
    (one,) = [one for one in questions if part in one.asks]
    return one


def test_what_a_barrier_is_for_is_told_by_taking_it_out():
    program = solution_of(BLOCK_SUM)
    lines = program.source.splitlines()
    barrier = next(number for number, text in enumerate(lines, start=1) if "syncthreads" in text)

    question = told(questions_on(BLOCK_SUM, program), "without the barrier")

    assert f"line {barrier}" in question.asks
    assert all("s[t" in lines[int(number) - 1] for number in question.truths)


def test_a_barrier_that_nothing_needs_is_not_asked_about():
    idle = solution_of(ADD).source.replace("i = cuda.grid(1)", "i = cuda.grid(1)\n    cuda.syncthreads()")
    assert "cuda.syncthreads()" in idle

    questions = questions_on(ADD, Program(idle, "vector_add", setup=solution_of(ADD).setup))

    assert len(questions) == 3
    assert not [one for one in questions if "without the barrier" in one.asks]


def test_sectors_and_the_thread_that_stores_are_those_of_the_run():
    questions = questions_on(ADD, Program(BY_HAND, "vector_add", setup=solution_of(ADD).setup))

    assert told(questions, "one warp's load in line 6").truths == (4.0,)  # 32 neighbours of 4 bytes each
    asked = told(questions, "which thread of its block stores")
    place = int(asked.asks.split("place ")[1].split(" ")[0])
    assert asked.truths == (place % 256,)


@pytest.mark.release
@pytest.mark.parametrize("one", exercises.all_exercises(), ids=lambda one: one.id)
def test_every_solution_can_be_asked_about(one):
    questions = questions_on(one, solution_of(one))

    assert all(question.truths and question.why for question in questions)
    assert len(questions) >= 2 or one.kind == "host"


def test_a_ratio_may_be_rounded_and_a_whole_number_not():
    ratio, whole = Probe("", (3.9091,), ""), Probe("", (9.0, 14.0), "")

    assert ratio.is_right(3.91) and not ratio.is_right(4)
    assert whole.is_right(14) and not whole.is_right(14.05)
    assert whole.truth == "9 or 14"


@pytest.mark.parametrize(
    "replies, says", (((1, 2, 3), "3 replies for 2 questions"), (("four",), "is 'four'"), ((True,), "is True"))
)
def test_a_reply_that_cannot_be_marked_is_refused(replies, says):
    with pytest.raises(ReplyError, match=says):
        marked([Probe("", (1.0,), "")] * 2, replies)


def test_a_notebook_asks_after_a_right_check_and_marks_what_is_said(capsys):
    question = exercise(ADD.id)
    assert question.explain() is None
    assert "Run q.check(vector_add) first" in capsys.readouterr().out

    question.check(vector_add)
    assert question.explain() is None
    assert "q.explain(..., ..., ...)" in capsys.readouterr().out

    explained = question.explain(4, ..., 5)
    assert repr(explained) == "1 of 2 right."
    assert "load requests there touch" in capsys.readouterr().out
