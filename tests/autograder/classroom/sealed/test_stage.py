"""The way of a class's kernel from text to a verdict by a GPU, with a stand-in for the GPU and real jails."""

from functools import partial

import pytest

from autograder import exercises, judge
from autograder.answer.program import Program
from autograder.answer.reference import solution_program
from autograder.classroom import judging
from autograder.classroom.jail import interpreter
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.messages.conversation import JailError
from autograder.classroom.sealed import carried, compiling, stage
from autograder.classroom.sealed.fixed import NOT_FIXED, Fixed
from autograder.classroom.sealed.stage import Sealed
from autograder.classroom.wire import Task
from autograder.diagnosis import misconceptions
from autograder.outcome import Outcome
from autograder.running.compiled import NOT_COMPILED, Compiled
from autograder.running.examine import Examination
from autograder.running.job import Job
from autograder.running.trial_result import Trial
from tests.autograder.classroom.sealed import at_hand
from tests.part import a_part

pytestmark = pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")

EXERCISE = exercises.find("vector_add.vector_add")
HEAD = "@cuda.jit\ndef vector_add(a, b, out):\n    i = cuda.grid(1)\n"
RIGHT = HEAD + "    if i < out.size:\n        out[i] = a[i] + b[i]\n"


def program(source=RIGHT):
    return Program(source, "vector_add", "01", 1, solution_program(EXERCISE).setup)


def staged(behaviour="adds", source=RIGHT, seconds=None):
    sealed = Sealed(at_hand.doing(behaviour), "stand-in")
    job = Job(EXERCISE, program(source), secret="any", seconds=seconds)
    return sealed.run_on_gpu(job), sealed.record


def test_a_right_kernel_is_right_in_every_case_and_the_ledger_has_its_hash():
    found, record = staged()

    assert isinstance(found, Examination)
    assert {"right"} == {case.status for case in found.trial.cases}
    assert 64 == len(record["machine code"])


def test_two_answers_that_differ_in_a_number_have_different_hashes_and_meet_different_values():
    def digest(source):
        (code,) = compiling.compiled(program(source), [("vector_add", KINDS)], "sm_90")
        return compiling.digest([code])

    one, same, other = (digest(source) for source in (RIGHT, RIGHT, RIGHT.replace("+ b[i]", "+ b[i] + 1")))
    jobs = [Job(EXERCISE, program(), secret="any", bound_to=each) for each in (one, other)]

    assert one == same != other
    assert jobs[0].values_secret != jobs[1].values_secret
    assert jobs[0].cases == jobs[1].cases


def from_fixed(drawn, architecture="sm_90", with_code=True):
    """What the stage finds with code that was made for an architecture before, and a seed that was drawn then."""
    (code,) = compiling.compiled(program(), [("vector_add", KINDS)], architecture)
    fixed = Fixed(architecture, (code,)) if with_code else None
    sealed = Sealed(at_hand.doing("adds"), "stand-in", fixed=fixed, drawn=drawn)
    return sealed.run_on_gpu(Job(EXERCISE, program(), secret="any")), sealed, fixed


def test_the_launcher_gets_the_code_that_was_written_down_and_its_values_come_from_the_seed_drawn_then(monkeypatch):
    drawn_from: list = []
    monkeypatch.setattr(stage, "try_cases", lambda job, *_: drawn_from.append(job.values_secret) or Trial("cuda"))

    _, sealed, fixed = from_fixed("7" * 64)

    assert fixed.digest == sealed.record["machine code"]
    assert [f"any|{fixed.digest}|{'7' * 64}"] == drawn_from


@pytest.mark.parametrize(
    "parts",
    [("7" * 64, "sm_80"), (NOT_FIXED, "sm_90", False)],
    ids=["made for another GPU", "made too late"],
)
def test_code_that_was_not_written_down_before_the_seed_was_drawn_is_for_review(parts):
    found, _, _ = from_fixed(*parts)

    assert "NotCheckable" == found.status
    assert "written down before" in found.observed


KINDS = (("array", "<f4", 1, "C"),) * 3


@pytest.mark.parametrize(
    ("behaviour", "status", "says"),
    [
        ("nothing", "wrong", "out"),
        ("aims_at_the_answer", "wrong", "out"),
        ("writes_beside", "wrong", "outside"),
        ("copies_behind_the_end", "wrong", "outside"),
        ("writes_to_its_input", "wrong", "input"),
    ],
)
def test_what_a_kernel_does_wrong_on_the_device_is_seen(behaviour, status, says):
    found, _ = staged(behaviour)

    assert isinstance(found, Examination)
    assert status in {case.status for case in found.trial.cases}
    assert any(says in case.detail for case in found.trial.cases)


def test_a_kernel_that_loses_the_device_is_told_so_and_nothing_runs_after_it():
    found, _ = staged("traps")

    assert "crashed" == found.trial.ended
    assert "ILLEGAL_INSTRUCTION" in found.trial.causes[0].says


RACES = HEAD + "    if i < out.size:\n        out[i ^ 1 if i ^ 1 < out.size else i] = 0\n        out[i] = a[i] + b[i]\n"


def test_a_race_that_the_device_hides_takes_the_points_in_class_all_the_same(monkeypatch):
    alone, _ = staged("adds", source=RACES)  # on the device each sum comes last, every time
    monkeypatch.setattr(judge, "gpu_runs", lambda exercise: True)
    monkeypatch.setattr(judging, "Sealed", partial(Sealed, at_hand.doing("adds"), "stand-in"))

    def in_class(source):
        return judging.judged(Task(EXERCISE.id, program(source), secret="any"))

    right, racing = in_class(RIGHT), in_class(RACES)

    assert {"right"} == {case.status for case in alone.trial.cases}
    assert ("Passed", {"simt", "cuda"}) == (right.status, {case.device for case in right.cases})
    assert ("Wrong", "race") == (racing.status, racing.causes[0].kind)
    assert misconceptions.KINDS["race"].by_chance
    assert 0.0 == racing.points


def test_a_kernel_that_hangs_has_timed_out_and_the_device_is_back(monkeypatch):
    monkeypatch.setattr(carried, "GRACE_S", 0.5)

    found, _ = staged("hangs", seconds=1.0)

    assert isinstance(found, Outcome)
    assert "TimedOut" == found.status


@pytest.mark.parametrize("behaviour", a_part(["leaves", "finds_no_memory"], 2))
def test_what_fails_and_is_no_deed_of_the_kernel_is_tried_again_and_then_for_review(behaviour):
    found, _ = staged(behaviour)

    assert "NotCheckable" == found.status
    assert "twice" in found.observed


BROKEN = [
    {"failed": "RuntimeError: NVVM cannot be loaded"},
    JailError("died", "It ended."),
    JailError("killed", "It ended."),
    JailError("too_much", "It held too much."),
    JailError("timed_out", "It did not answer."),
]


@pytest.mark.parametrize("reply", BROKEN, ids=lambda reply: getattr(reply, "kind", "failed"))
def test_a_compiler_or_a_jail_that_fails_by_now_is_nobodys_zero(monkeypatch, reply):
    def asked(_request):
        if isinstance(reply, JailError):
            raise reply
        return reply, {}

    monkeypatch.setattr(compiling, "_asked", asked)

    found, _ = staged()

    assert "NotCheckable" == found.status
    assert "says nothing about the answer" in found.observed


def test_what_the_assembler_fails_at_is_for_review_unless_the_text_asks_for_too_much(monkeypatch):
    found = []
    for said in ("ptxas error: uses too much shared data (0x10000 bytes)", "unsupported .version 99"):
        monkeypatch.setattr(compiling, "_assembled", lambda *_, said=said: compiling.refused(said))
        found.append(staged()[0].status)

    assert ["Crashed", "NotCheckable"] == found


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ("out[0] = nobody", "Crashed", "does not compile"),
        ("x = cuda.local.array(1 << 20, float32)\n    x[i] = i\n    out[0] = x[i + 1]", "NotCheckable", "local memory"),
    ],
)
def test_what_is_not_carried_out_is_told_why(body, status, says):
    found, _ = staged(source=f"from numba import float32\n{HEAD}    {body}\n")

    assert status == found.status
    assert says in found.observed + "".join(cause.says for cause in found.causes)


def test_where_the_jail_has_no_compiler_and_the_judge_has_one_nothing_is_said_about_the_answer(monkeypatch):
    note = f"{NOT_COMPILED} NVVM cannot be loaded."
    monkeypatch.setattr(interpreter._Answer, "compile", lambda self: Compiled(notes=(note,)))

    found = interpreter.interpret(Job(EXERCISE, program(), secret="any"))

    assert "NotCheckable" == found.status
    assert "NVVM cannot be loaded" in found.observed
