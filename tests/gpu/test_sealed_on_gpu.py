"""The sealed way on a real GPU: right, wrong and hostile kernels through jail, gate and launcher, and their speed.

pytest -s tests/gpu/test_sealed_on_gpu.py       # prints a line an answer
"""

import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from autograder import exercises
from autograder.answer.program import Program
from autograder.answer.reference import solution_program
from autograder.classroom import judging
from autograder.classroom.jail import host_functions as jailed
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.sealed import carried, gpu_jail, launching, serving, timing
from autograder.classroom.sealed.host_stage import Recorded, SealedPlans
from autograder.classroom.sealed.launching import Launcher
from autograder.classroom.sealed.sets import drawing
from autograder.classroom.sealed.stage import Sealed
from autograder.classroom.wire import Task
from autograder.diagnosis.misconceptions import KINDS
from autograder.exercises.catalogue import answers_for
from autograder.running import buffers
from autograder.running.cases.more_cases import all_cases
from autograder.running.examine import Examination
from autograder.running.job import Job
from autograder.speed.race import graded, measure
from tests.redteam.on_gpu import ON_GPU

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}"),
]
UNITS = ("01_vector_add", "04_shared_memory", "06_reductions")
KERNELS = [e for unit in UNITS for e in exercises.units()[unit] if e.kind == "kernel"]
HOST = [exercises.find(name) for name in ("reductions.device_sum", "reductions.axis_sums", "atomics.shares_of_sum")]
ADDING = exercises.find("vector_add.vector_add")


def seen(exercise, name, program, seconds=None, stage=None):
    """What the GPU's stage finds, printed as a line of the table: statuses of its cases, or its own; and in the words
    that a verdict shows, what was observed and then its causes.
    """
    started, stage = time.monotonic(), stage or Sealed()
    found = stage.run_on_gpu(Job(exercise, program, secret="on a GPU", seconds=seconds))
    if isinstance(found, Examination):
        statuses = Counter(case.status for case in found.trial.cases)
        told = (found.trial.observed, *(cause.says for cause in found.trial.causes))
    else:
        statuses = Counter([found.status])
        told = (found.observed, *(cause.says for cause in found.causes))
    words = " ".join(filter(None, told))
    print(f"{exercise.id:32} {name:28} {time.monotonic() - started:5.2f} s  {dict(statuses)} {words[:160]}")
    return statuses, words


@pytest.mark.parametrize("mode", launching.MODES)
def test_a_launcher_starts_and_its_device_carries_out_a_launch(mode):
    with Launcher(mode) as launcher:
        print(mode, launcher.hello(), launcher.confined)

        assert launcher.ask({"do": "canary"}, 10.0)["done"]
        assert launcher.confined


def test_the_launcher_runs_in_a_jail_of_its_own():
    assert gpu_jail.JAILED == launching.usable_mode()


@pytest.mark.parametrize("exercise", KERNELS, ids=lambda exercise: exercise.id)
def test_every_solution_is_right_in_every_case(exercise):
    statuses, words = seen(exercise, "solution", solution_program(exercise))

    assert {"right"} == set(statuses), words


@pytest.mark.parametrize("exercise", HOST, ids=lambda exercise: exercise.id)
def test_every_host_function_is_right_by_its_recorded_launches(exercise):
    program = solution_program(exercise)
    cases = all_cases(exercise, program.source, "on a GPU")
    values = [buffers.make_values(exercise, case, "on a GPU") for case in cases]
    plans = jailed._record(exercise, program, values, [])
    keyed, names, _ = jailed._keyed(exercise, values, plans, False)

    stage = SealedPlans(recorded=Recorded(keyed, names, program), values=values)

    assert {"right"} == set(seen(exercise, "solution", program, stage=stage)[0])


@pytest.mark.parametrize("attack", ON_GPU, ids=lambda attack: f"row_{attack.row}_{attack.name}")
def test_a_hostile_kernel_gets_nothing_and_the_device_is_back(attack, monkeypatch):
    monkeypatch.setattr(carried, "GRACE_S", 1.0)
    program = Program(attack.source, "vector_add", "01", 1, solution_program(ADDING).setup)

    statuses, words = seen(ADDING, attack.name, program, seconds=2.0 if attack.becomes == "TimedOut" else None)

    assert attack.becomes in statuses, words
    assert attack.becomes != "right" or {"right"} == set(statuses), words
    assert attack.says in words
    assert launching.back_after_s() < launching.BACK_S


@pytest.mark.parametrize(
    ("exercise", "name"),
    [
        ("shared_memory.reverse_blocks", "everybody_swaps"),
        ("shared_memory.stencil_1d", "halo_not_loaded"),
        ("reductions.sum_atomic", "plain_add"),
        ("reductions.block_sum_sequential", "starts_at_the_block_size"),
        ("reductions.many_per_thread", "stride_of_the_block"),
    ],
)
def test_a_class_takes_the_points_of_a_catalogued_mistake_which_the_device_sees_too_or_hides_by_chance(exercise, name):
    exercise = exercises.find(exercise)
    (answer,) = [answer for answer in answers_for(exercise) if answer.name == name]

    statuses, words = seen(exercise, name, answer.program)
    outcome = judging.judged(Task(exercise.id, answer.program, secret="on a GPU"))
    kind = outcome.causes[0].kind
    print(f"{exercise.id:32} {name:28} in class: {outcome.status}, {kind}, {outcome.points:g} points")

    assert (answer.outcome, answer.misconception) == (outcome.status, outcome.misconception)
    assert outcome.points < exercise.points
    assert statuses["right"] < sum(statuses.values()) or KINDS[kind].by_chance, words


@pytest.mark.parametrize("exercise", ["shared_memory.transpose_padded", "reductions.warp_sum", "reductions.device_sum"])
def test_a_solution_earns_its_speed_points_and_takes_as_long_as_in_a_race(exercise):
    exercise = exercises.find(exercise)
    program = solution_program(exercise)

    started = time.monotonic()
    found = timing.measure(exercise, program, "on a GPU", recorded)
    assert "error" not in found, found
    speed, raced = graded(exercise, found), graded(exercise, measure(exercise, program))
    took_s = time.monotonic() - started
    print(f"{exercise.id}: sealed {speed.time_us:.1f} us, race {raced.time_us:.1f} us; {took_s:.1f} s")

    assert {0} == set(found["wrong"].values())
    assert found["inputs_intact"]
    assert exercise.speed.points == speed.points, speed.says
    assert speed.time_us == pytest.approx(raced.time_us, rel=0.05)


def test_the_answers_of_a_run_are_timed_on_values_that_were_drawn_once(monkeypatch):
    exercise, draws, ready_s = exercises.find("reductions.warp_sum"), [], []
    draw, prepared = drawing.draw, timing._Race.prepared
    monkeypatch.setattr(drawing, "draw", lambda *asked: draws.append(asked) or draw(*asked))

    def clocked(self, *given):
        begun = time.monotonic()
        prepared(self, *given)
        ready_s.append(time.monotonic() - begun)

    monkeypatch.setattr(timing._Race, "prepared", clocked)
    program, drawn = solution_program(exercise), f"a seed of {time.time_ns()}"
    for answer in (program, replace(program, source=f"{program.source}\n# another answer\n")):
        begun = time.monotonic()
        found = timing.measure(exercise, answer, "on a GPU", recorded, stage=Sealed(drawn=drawn))
        took_s = time.monotonic() - begun
        print(f"{exercise.id}: {took_s:.2f} s, {ready_s[-1]:.2f} s to get both launchers ready")

        assert {0} == set(found["wrong"].values()) and found["inputs_intact"], found
    assert 1 == len(draws)


def recorded(exercise, program, values, is_ours=True):
    return jailed.recorded(exercise, program, values, is_ours=True)


@pytest.mark.parametrize("when", ["it waits", "it times"])
def test_a_launcher_of_our_own_that_is_killed_is_replaced_and_the_next_answer_timed(when):
    exercise = exercises.find("reductions.warp_sum")
    with serving.our_own() as first:
        assert first.hello()
    began, killing = time.monotonic(), threading.Timer(2.0 if when == "it times" else 0.0, first.process.kill)
    killing.start()
    if when == "it waits":
        first.process.wait()

    found = timing.measure(exercise, solution_program(exercise), "on a GPU", recorded)

    print(f"killed while {when}: timed all the same, {time.monotonic() - began:.1f} s; {found.get('error', '')}")
    assert {0} == set(found["wrong"].values())
    with serving.our_own() as second:
        assert second is not first and first.process.poll() is not None
    assert launching.back_after_s() < launching.BACK_S


def test_a_kernel_that_hangs_beside_a_launcher_of_our_own_is_killed_and_ours_goes_on(monkeypatch):
    monkeypatch.setattr(carried, "GRACE_S", 1.0)
    (attack,) = [attack for attack in ON_GPU if attack.becomes == "TimedOut"][:1]
    program = Program(attack.source, "vector_add", "01", 1, solution_program(ADDING).setup)
    with serving.our_own() as ours:
        assert ours.hello()

    statuses, _ = seen(ADDING, attack.name, program, seconds=2.0)

    assert "TimedOut" in statuses
    assert launching.back_after_s() < launching.BACK_S
    with serving.our_own() as still:
        assert still is ours and still.ask({"do": "canary"}, 10.0)["done"]


TIMED = exercises.find("vector_add.vector_add_unrolled")
FOR_LONG = "\n    if cuda.grid(1) == 0 and out.size > 999999:\n        while {}:\n            cuda.nanosleep(1 << 20)\n"
SECONDS = FOR_LONG.replace("while {}", "for k in range(1500)")
ENDLESS = FOR_LONG.format("a[0] < np.float32(1e30)")


@pytest.mark.parametrize(("more", "says"), [(SECONDS, "A launch takes"), (ENDLESS, "Too slow: one launch")])
def test_an_answer_that_is_slow_at_the_timed_size_only_is_told_so_and_nobody_has_to_look(more, says, monkeypatch):
    monkeypatch.setattr(timing, "ONE_S", 4.0)
    monkeypatch.setattr(carried, "GRACE_S", 1.0)
    solution = solution_program(TIMED)
    program = Program(solution.source.rstrip() + more, TIMED.function, "01", 1, solution.setup)

    outcome = judging.judged(Task(TIMED.id, program, secret="on a GPU"))
    print(f"{outcome.status}, {outcome.points:g} points; {outcome.speed.says}")

    assert ("Passed", TIMED.points) == (outcome.status, outcome.points)
    assert (True, 0.0, "") == (outcome.speed.graded, outcome.speed.points, outcome.speed.review)
    assert says in outcome.speed.says and "the reference takes" in outcome.speed.says
    assert launching.back_after_s() < launching.BACK_S


def runs(pid):
    """Whether a process is there and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_all_launchers_of_a_worker_end_with_it():
    text = (
        "import os, signal\n"
        "from autograder.classroom.sealed import serving\n"
        "with serving.our_own() as ours: ours.hello()\n"
        "serving.start_ahead()\n"
        "print(ours.process.pid, serving._waiting[0].process.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    said = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True).stdout

    deadline = time.monotonic() + launching.BACK_S
    while any(map(runs, said.split())) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert 2 == len(said.split())
    assert not any(map(runs, said.split()))
    assert launching.back_after_s() < launching.BACK_S
