"""The way of a class's kernel from text to a verdict by a GPU, with a stand-in for the GPU and real jails."""

from dataclasses import replace
from functools import partial

import pytest

from autograder import exercises, judge
from autograder.answer.program import Program
from autograder.answer.reference import solution_program
from autograder.classroom import judging
from autograder.classroom.jail import host_functions as jailed
from autograder.classroom.jail import interpreter
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.messages.conversation import JailError
from autograder.classroom.sealed import carried, compiling, stage, timing
from autograder.classroom.sealed.fixed import NOT_FIXED, Fixed
from autograder.classroom.sealed.stage import Sealed
from autograder.classroom.wire import Task
from autograder.diagnosis import misconceptions
from autograder.outcome import Outcome, Passed
from autograder.running.compiled import NOT_COMPILED, Compiled
from autograder.running.examine import Examination
from autograder.running.job import Job
from autograder.running.trial_result import Trial
from autograder.speed import profile, race
from autograder.speed.footprint import Device
from tests.autograder.classroom.sealed import at_hand

pytestmark = pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")

EXERCISE = exercises.find("vector_add.vector_add")
TIMED = exercises.find("vector_add.vector_add_unrolled")
HEAD = "@cuda.jit\ndef vector_add(a, b, out):\n    i = cuda.grid(1)\n"
RIGHT = HEAD + "    if i < out.size:\n        out[i] = a[i] + b[i]\n"
SMALL = Device("stand-in", (9, 0), 1 << 12, 1 << 30, 1e9, uuid="stand-in")  # arrays of a megabyte are large on it


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
    assert racing.points <= 0.1 * EXERCISE.points  # for the cases that have nothing to race for


def test_a_kernel_that_hangs_has_timed_out_and_the_device_is_back(monkeypatch):
    monkeypatch.setattr(carried, "GRACE_S", 0.5)

    found, _ = staged("hangs", seconds=1.0)

    assert isinstance(found, Outcome)
    assert "TimedOut" == found.status


@pytest.mark.parametrize("behaviour", ["leaves", "finds_no_memory"])
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


def timed(behaviour, monkeypatch, *more, seconds=2.0):
    monkeypatch.setattr(timing, "MAX_SECONDS", seconds)
    monkeypatch.setattr(timing, "WARM_S", 0.0)
    behaviours = iter([at_hand.doing(behaviour), *more, at_hand.command])  # theirs starts first, then ours

    def command(mode, folder):
        return next(behaviours)(mode, folder)

    return timing.measure(
        TIMED, solution_program(TIMED), "any", jailed.recorded, profile=lambda: SMALL, command=command, mode="stand-in"
    )


def test_a_right_kernel_is_timed_in_the_same_rounds_as_ours(monkeypatch):
    found = timed("adds", monkeypatch)

    assert {"yours", "reference", "naive", "copy"} == set(found["times_us"])
    assert {"yours": 0, "reference": 0, "naive": 0} == found["wrong"]
    assert found["inputs_intact"]
    assert len(found["times_us"]["yours"]) == len(found["walls_us"]["reference"]) >= 1


@pytest.mark.parametrize("behaviour", ["aims_at_the_answer", "writes_beside"])
def test_a_kernel_that_is_not_right_while_it_is_timed_is_found_out(monkeypatch, behaviour):
    assert timed(behaviour, monkeypatch)["wrong"]["yours"] > 0


def test_a_kernel_that_changes_its_inputs_while_it_is_timed_is_found_out(monkeypatch):
    assert not timed("writes_to_its_input", monkeypatch)["inputs_intact"]


@pytest.mark.parametrize("starts", [("leaves", "adds", "adds"), ("adds", "leaves", "adds")])  # theirs, ours, theirs
def test_a_launcher_that_dies_while_it_times_is_replaced_once_and_the_time_is_taken(monkeypatch, starts):
    found = timed(starts[0], monkeypatch, *map(at_hand.doing, starts[1:]), seconds=0.2)

    assert {"yours": 0, "reference": 0, "naive": 0} == found["wrong"]


def test_what_a_gpu_can_do_is_read_from_its_file_and_measured_where_that_is_old(monkeypatch, tmp_path):
    measured = replace(SMALL, name="measured now")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "GPU-1")
    monkeypatch.setattr(timing, "_profiled_now", lambda: measured)

    assert measured is timing.profiled()
    profile.write(profile.path_of("GPU-1"), SMALL, {})
    assert SMALL == timing.profiled()
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "GPU-2")
    assert measured is timing.profiled()
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "GPU-1")
    monkeypatch.setattr(profile, "MAX_AGE_S", 0.0)
    assert measured is timing.profiled()


def test_a_time_that_could_not_be_taken_is_for_review_and_takes_no_points(monkeypatch):
    for module in (judging, race):
        monkeypatch.setattr(module, "gpu_runs", lambda exercise: True)
    right, task = Passed(TIMED.id, 2.0, 2.0, "right"), Task(TIMED.id, solution_program(TIMED))

    for timing_ in (lambda *_: {"error": "The launcher ended."}, lambda *_: 1 / 0):
        found = judging.with_speed(TIMED, task, right, timing_)

        assert (2.0, False) == (found.points, found.speed.graded)
        assert "no time was taken" in found.speed.review


def test_where_the_jail_has_no_compiler_and_the_judge_has_one_nothing_is_said_about_the_answer(monkeypatch):
    note = f"{NOT_COMPILED} NVVM cannot be loaded."
    monkeypatch.setattr(interpreter._Answer, "compile", lambda self: Compiled(notes=(note,)))

    found = interpreter.interpret(Job(EXERCISE, program(), secret="any"))

    assert "NotCheckable" == found.status
    assert "NVVM cannot be loaded" in found.observed
