"""Points count work and never seconds: the same answer earns the same on a machine that is slow, busy or fast."""

import itertools
import re

import pytest

from autograder import verdict
from autograder.answer.program import Program
from autograder.judge import check
from autograder.outcome import TimedOut, Wrong
from autograder.running import session
from autograder.running.host_code import host_lines
from tests.autograder.answers import add_by, program
from tests.autograder.sample import ADD, HOST_ADD

SERIAL = """@cuda.jit
def add(a, b, out):
    if cuda.grid(1) == 0:
        for i in range(out.size):
            out[i] = a[i] + b[i]
"""
WRONG_AND_SLOW = """@cuda.jit
def add(a, b, out):
    i = cuda.grid(1)
    wait = 0
    for k in range(300):
        wait += k
    if i < out.size:
        out[i] = a[i] + b[i] + (1 if out.size > 100 else 0)
"""
ENDLESS = """@cuda.jit
def add(a, b, out):
    i = cuda.grid(1)
    while i < out.size:
        out[i] += a[i] + b[i]
        i + cuda.gridsize(1)
"""
HOST_ENDLESS = """def host_add(a, b):
    n = 0
    while n < a.size:
        n *= 2
"""
PROVEN = {
    "nothing changes": ("    while n < a.size:\n        n * 2\n", 7, "nothing in the loop changes a or n"),
    "nothing leaves": ("    while True:\n        n += 1\n", 7, "Nothing leaves this loop"),
}
LAUNCHES = """@cuda.jit
def nothing(a):
    i = cuda.grid(1)


def host_add(a, b):
    done = [0]
    while done[0] < a.size:
        nothing[1, 32](a)
"""


def judged(exercise, source, **options):
    return check(exercise, program(source, exercise.function), device="simt", isolate=False, **options)


@pytest.mark.parametrize(
    "source",
    [pytest.param(SERIAL, marks=pytest.mark.release), WRONG_AND_SLOW, ENDLESS],
    ids=["serial", "wrong_and_slow", "endless"],
)
def test_an_answer_earns_the_same_on_a_machine_a_thousand_times_slower(monkeypatch, source):
    monkeypatch.setattr(session, "STEPS_AFTER_FAILURE", 4_000)  # so that the cut falls among these cases
    usual = judged(ADD, source)
    ticks = itertools.count(step=0.05)  # seconds pass whenever somebody looks at the clock
    monkeypatch.setattr("time.monotonic", lambda: next(ticks))
    slow = judged(ADD, source, deadline_s=1e9)

    told = ("status", "points", "observed", "causes", "cases")
    assert [getattr(usual, name) for name in told] == [getattr(slow, name) for name in told]


def test_cases_after_a_failure_are_cut_off_by_their_work(monkeypatch):
    monkeypatch.setattr(session, "STEPS_AFTER_FAILURE", 1_000)
    outcome = judged(ADD, WRONG_AND_SLOW)
    assert Wrong is type(outcome) and "not_run" in {case.status for case in outcome.cases}


def test_one_thread_that_does_the_work_of_all_is_told_so_and_not_called_endless(monkeypatch):
    monkeypatch.setattr(session, "STEPS_A_RUN", 4_000)
    outcome = judged(ADD, SERIAL)
    assert (TimedOut, "one_thread_works", "too_much_work") == (
        type(outcome),
        outcome.misconception,
        outcome.causes[0].kind,
    )
    assert re.search(r"with 1 of [\d,]+ threads working: on a GPU the other [\d,]+ would\s+wait", str(outcome))
    assert "never ends" not in str(outcome)


def test_a_proven_endless_loop_is_told_with_its_line_and_what_was_meant():
    outcome = judged(ADD, ENDLESS)
    assert (TimedOut, "deadlock", (8,)) == (type(outcome), outcome.causes[0].kind, outcome.causes[0].lines)
    assert "write `i += cuda.gridsize(1)`" in outcome.causes[0].remedy


def test_an_endless_loop_on_the_host_is_told_with_its_line(monkeypatch):
    monkeypatch.setattr(host_lines.counted.__wrapped__, "__defaults__", (10_000,))
    outcome = judged(HOST_ADD, HOST_ENDLESS)
    assert TimedOut is type(outcome) and outcome.causes[0].lines[0] in (7, 8)
    assert "10,000 lines of Python had run on the host" in str(outcome)


@pytest.mark.parametrize("loop", PROVEN)
def test_a_host_loop_that_nothing_can_end_is_told_in_its_second_turn(monkeypatch, loop):
    monkeypatch.setattr(host_lines.counted.__wrapped__, "__defaults__", (20,))
    body, line, says = PROVEN[loop]
    outcome = judged(HOST_ADD, f"def host_add(a, b):\n    n = 0\n{body}")
    assert (TimedOut, (line,)) == (type(outcome), outcome.causes[0].lines)
    assert says in str(outcome)


def test_a_host_that_launches_without_end_is_told_with_its_own_line_and_not_the_kernels(monkeypatch):
    monkeypatch.setattr(session, "STEPS_A_RUN", 21_000)
    outcome = judged(HOST_ADD, LAUNCHES)
    assert (TimedOut, (13,)) == (type(outcome), outcome.causes[0].lines)
    assert re.search(r"had launched \d+ kernels when the check stopped", str(outcome))


def test_an_answer_that_did_not_end_is_told_of_its_printing_where_a_kernel_prints():
    quiet, loud = (add_by("a[i] + b[i]"), add_by("a[i] + b[i]\n        print(i)"))

    told = [str(verdict.timed_out(ADD, one, 3.0, kernels_ran=ran)) for one, ran in ((quiet, 1), (loud, 0), (loud, 1))]

    assert [False, False, True] == ["print" in text for text in told]


@pytest.mark.parametrize("change", ["todo.pop()", "del todo[0]", "shorten(todo)", "todo[:] = todo[1:]"])
def test_a_loop_over_what_is_left_in_a_list_ends_though_its_name_keeps_its_list(change):
    program = Program(
        "def shorten(items):\n    items.pop()\n\n\n"
        f"def host_add(a, b):\n    todo = [1, 2, 3, 4, 5]\n    while todo:\n        {change}\n    return a + b\n",
        "host_add",
    )
    with program.loaded() as (_, function), host_lines.counted(function, 1000):
        assert 3 == function(1, 2)
