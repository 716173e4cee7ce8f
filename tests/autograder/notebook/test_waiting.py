"""No check is silent, none says too much, and one that is interrupted says where it was."""

import signal
import threading
import time
import weakref

import pytest

from autograder.answer.program import Program
from autograder.judge import check
from autograder.notebook import waiting as module
from autograder.notebook.question import Question
from autograder.running import examine, now
from autograder.running.examine import COMPILER
from autograder.running.printed import MOST_LINES, as_shown
from tests.autograder import answers
from tests.autograder.answers import program
from tests.autograder.sample import ADD, HOST_ADD
from tests.patience import PATIENCE_S

PRINTS = (
    "@cuda.jit\ndef add(a, b, out):\n    i = cuda.grid(1)\n    if i < out.size:\n        print(i)\n"
    "        out[i] = a[i] + b[i]\n"
)
ENDLESS = (
    "@cuda.jit\ndef add(a, b, out):\n    i = cuda.grid(1)\n    while i < out.size:\n        out[i] = a[i] + b[i]\n"
)
TOO_MUCH = "@cuda.jit\ndef add(a, b, out):\n    k = 0\n    while k >= 0:\n        k += 1\n        out[0] = k\n"


@pytest.fixture
def screen(monkeypatch):
    """What a terminal shows, in order."""
    shown: list[str] = []
    monkeypatch.setattr(module.Waiting, "_show", lambda line, text: shown.append(text))
    return shown


def test_every_case_is_told_before_it_runs():
    heard: list[str] = []
    with now.heard_by(heard.append):
        outcome = check(ADD, answers.add, device="simt", isolate=False)
    cases = [text for text in heard if text != COMPILER]
    assert [f"case {number} of {len(outcome.cases)}" for number in range(1, len(outcome.cases) + 1)] == [
        text.partition(",")[0] for text in cases
    ]
    assert "n = 31" in " ".join(heard)


def test_a_case_that_does_not_run_is_not_told_and_the_compiler_is_when_it_is_waited_for(monkeypatch):
    ends = threading.Event()
    compiled = examine.compile_kernel
    monkeypatch.setattr(examine, "unavailable_reason", lambda: "")
    monkeypatch.setattr(examine, "compile_kernel", lambda *given: ends.wait(PATIENCE_S) and compiled(*given))
    heard: list[str] = []

    def hears(text: str) -> None:
        heard.append(text)
        if text == COMPILER:
            ends.set()

    with now.heard_by(hears):
        outcome = check(ADD, program(TOO_MUCH, "add"), device="simt", isolate=False)
    assert "too_much_work" == outcome.causes[0].kind
    assert 2 == len(heard), heard
    assert heard[0].startswith("case 1 of ")
    assert COMPILER == heard[1]


@pytest.mark.parametrize("source", [ENDLESS, ENDLESS.replace("@cuda.jit\n", "")], ids=["kernel", "plain function"])
def test_a_loop_that_never_ends_is_told_before_the_compiler_answers(monkeypatch, source):
    """The first time a session compiles anything takes long, and the loop was seen long before."""
    answers_at_last, compiled = threading.Event(), examine.compile_kernel
    monkeypatch.setattr(examine, "unavailable_reason", lambda: "")
    monkeypatch.setattr(examine, "compile_kernel", lambda *given: answers_at_last.wait(PATIENCE_S) and compiled(*given))
    try:
        outcome = check(ADD, program(source, "add"), device="simt", isolate=False)
        told = not answers_at_last.is_set()
    finally:
        answers_at_last.set()
    assert told and {} == outcome.facts["compile"]
    assert ("not_compiled" if "jit" not in source else "infinite_loop") == outcome.causes[0].misconception


def test_a_check_that_is_interrupted_ends_before_the_compiler_answers(monkeypatch):
    answers_at_last, begun = threading.Event(), threading.Event()

    def interrupted(*_):
        assert begun.wait(PATIENCE_S)
        raise KeyboardInterrupt

    monkeypatch.setattr(examine, "unavailable_reason", lambda: "")
    monkeypatch.setattr(examine, "compile_kernel", lambda *_: begun.set() or answers_at_last.wait(PATIENCE_S))
    monkeypatch.setattr(examine, "try_cases", interrupted)
    try:
        assert "Stopped" in Question(ADD).check(answers.add).observed
        assert not answers_at_last.is_set()
    finally:
        answers_at_last.set()


def test_interrupting_what_follows_a_verdict_says_one_line(monkeypatch, capsys):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("autograder.notebook.question.predictions.compare", interrupted)
    outcome = Question(ADD).check(answers.add)
    assert outcome.passed
    assert "Stopped." == capsys.readouterr().out.strip().splitlines()[-1]


class Held:
    """Something that a weak reference may name."""


def dropped_interrupt() -> None:
    """An interrupt where Python drops it: in the callback of a weak reference."""

    def goes(_):
        raise KeyboardInterrupt

    held = Held()
    reference = weakref.ref(held, goes)
    del held
    ends = time.monotonic() + PATIENCE_S
    while time.monotonic() < ends:  # it comes again between two lines of Python
        assert reference() is None


def test_an_interrupt_that_python_drops_stops_a_check_all_the_same(monkeypatch, capsys):
    monkeypatch.setattr("autograder.judge.check", lambda *_: dropped_interrupt())
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a library that another test imports has its own
    try:
        outcome = Question(ADD).check(answers.add)
    finally:
        signal.signal(signal.SIGINT, before)

    assert "Stopped" in outcome.observed
    assert "Stopped before the first case.\n" == capsys.readouterr().out


def test_what_else_python_drops_is_told_as_ever(monkeypatch):
    told = []
    monkeypatch.setattr("sys.unraisablehook", told.append)

    def goes(_):
        raise ValueError("lost")

    held = Held()
    reference = weakref.ref(held, goes)
    with module.waiting():
        del held

    assert reference() is None and ["lost"] == [str(one.exc_value) for one in told]


def test_a_child_process_tells_them_as_well():
    heard: list[str] = []
    with now.heard_by(heard.append):
        check(HOST_ADD, Program.from_file(answers.__file__, "host_add"), device="simt", isolate=True)
    assert heard and heard[0].startswith("case 1 of")


def test_nothing_is_shown_of_a_check_that_takes_a_moment(screen):
    with module.waiting() as line:
        line.says("case 1 of 2, n = 1")
    assert [""] == screen


def test_after_a_second_it_says_what_runs(screen, monkeypatch):
    monkeypatch.setattr(module, "AFTER_S", 0.0)
    told = threading.Event()
    monkeypatch.setattr(module.Waiting, "_show", lambda line, text: (screen.append(text), told.set()))
    with module.waiting() as line:
        assert told.wait(PATIENCE_S)
        line.says("case 8 of 15, n = 8192")
    assert ["Checking: case 8 of 15, n = 8192", ""] == screen[-2:]


def test_a_timer_that_goes_off_as_the_verdict_comes_shows_nothing_after_it(screen):
    with module.waiting() as line:
        line.says("case 13 of 13, n = 256")
    line._begin()
    line.says("case 13 of 13, n = 256")
    assert [""] == screen


def test_interrupting_says_one_line_and_earns_nothing(monkeypatch, capsys):
    def interrupted(*_, **__):
        now.says("case 8 of 15, n = 8192")
        raise KeyboardInterrupt

    monkeypatch.setattr("autograder.judge.check", interrupted)
    outcome = Question(ADD).check(answers.add)
    assert (0.0, "Stopped at case 8 of 15, n = 8192.") == (outcome.points, capsys.readouterr().out.strip())


@pytest.mark.parametrize(
    ("method", "what"),
    {
        "race": "autograder.speed.race.race",
        "show": "autograder.notebook.picture.draw",
        "step": "autograder.notebook.picture.walk",
        "photograph": "autograder.notebook.photograph.through",
    }.items(),
)
def test_interrupting_what_else_takes_time_says_one_line_as_well(monkeypatch, capsys, method, what):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    question = Question(ADD)
    question.check(answers.add)
    capsys.readouterr()
    monkeypatch.setattr(what, interrupted)
    shown = getattr(question, method)(answers.add)

    assert shown is None or not shown.graded
    said = capsys.readouterr().out
    assert "Stopped" in said and "Traceback" not in said and len(said.splitlines()) <= 3


def test_prints_are_those_of_one_case_and_name_it():
    outcome = check(ADD, program(PRINTS, "add"), device="simt", isolate=False)
    assert "Your code printed at n = 1:\n  0\n" in str(outcome) and 1 == str(outcome).count("Your code printed")


@pytest.mark.parametrize("ask", ["show", "step"])
def test_prints_come_with_the_verdict_and_never_again(capsys, ask):
    loaded = program(PRINTS, "add").load()[1]
    getattr(Question(ADD), ask)(loaded)

    assert [] == [line for line in capsys.readouterr().out.splitlines() if line.strip().isdigit()]


def test_many_prints_are_cut_and_the_stepper_is_named():
    shown = as_shown("\n".join(map(str, range(177))), "n = 177").splitlines()
    assert MOST_LINES + 1 == len(shown)
    assert shown[0].startswith("Your code printed 177 lines at n = 177; these are the first 20, and q.step()")
