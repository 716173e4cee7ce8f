"""The speed of a class's kernel: its launcher and ours in the same rounds. A stand-in takes the place of the GPU."""

from dataclasses import replace

import pytest

from autograder import exercises
from autograder.answer.reference import solution_program
from autograder.classroom import judging
from autograder.classroom.jail import host_functions as jailed
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.sealed import carried, gpu_profile, launching, timing
from autograder.classroom.wire import Task
from autograder.outcome import Passed
from autograder.speed import profile, race
from autograder.speed.footprint import Device
from tests.autograder.classroom.sealed import at_hand

pytestmark = [
    pytest.mark.release,  # each test waits for launchers
    pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}"),
]

TIMED = exercises.find("vector_add.vector_add_unrolled")
SMALL = Device("stand-in", (9, 0), 1 << 12, 1 << 30, 1e9, uuid="stand-in")  # arrays of a megabyte are large on it


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
    found = timed(behaviour, monkeypatch)

    assert 0 < found["wrong"]["yours"] <= found["sizes"]["n"]  # of one launch
    assert len(found["times_us"]["yours"]) <= 2  # nobody waits for the GPU while it is timed on
    assert not race.graded(TIMED, found).graded


def test_a_kernel_that_changes_its_inputs_while_it_is_timed_is_found_out(monkeypatch):
    assert not timed("writes_to_its_input", monkeypatch)["inputs_intact"]


@pytest.mark.parametrize("starts", [("leaves", "adds", "adds"), ("adds", "leaves", "adds")])  # theirs, ours, theirs
def test_a_launcher_that_dies_while_it_times_is_replaced_once_and_the_time_is_taken(monkeypatch, starts):
    found = timed(starts[0], monkeypatch, *map(at_hand.doing, starts[1:]), seconds=0.2)

    assert {"yours": 0, "reference": 0, "naive": 0} == found["wrong"]


def test_an_answer_that_does_not_end_at_the_timed_size_is_too_slow_and_nobody_has_to_look(monkeypatch):
    monkeypatch.setattr(carried, "GRACE_S", 0.1)
    monkeypatch.setattr(timing, "ONE_S", 0.4)

    speed = race.graded(TIMED, timed("hangs", monkeypatch))

    assert (True, 0.0, "") == (speed.graded, speed.points, speed.review)
    assert speed.says.startswith("Too slow: one launch at the timed size")
    assert "where the reference takes" in speed.says and "The points for a right answer stay" in speed.says
    assert speed.time_us is None and speed.reference_us > 0


def test_an_answer_of_seconds_is_launched_twice_and_told_what_it_takes_and_the_reference(monkeypatch):
    found = timed("takes_a_second", monkeypatch, seconds=20.0)
    speed = race.graded(TIMED, found)

    assert 2 == len(found["times_us"]["yours"])
    assert (True, 0.0, "") == (speed.graded, speed.points, speed.review)
    assert "A launch takes 1,1" in speed.says and " ms, where the reference takes " in speed.says


@pytest.mark.parametrize("fault", ["its launcher stops", "the device is not back"])
def test_a_stall_of_ours_while_an_answer_is_timed_is_for_review(monkeypatch, fault):
    monkeypatch.setattr(carried, "GRACE_S", 0.1)
    monkeypatch.setattr(timing, "ONE_S", 0.2)
    monkeypatch.setattr(launching, "SILENT_S", 0.8)
    monkeypatch.setattr(launching, "BACK_S", 0.2)
    monkeypatch.setattr(timing, "WELL_US", 0.0)  # no copy is as fast as that
    behaviour = "stops_its_launcher" if fault == "its launcher stops" else "hangs"

    found = timed(behaviour, monkeypatch, at_hand.command, at_hand.doing(behaviour))

    assert ("The launcher did not answer" if fault == "its launcher stops" else "our own copy") in found["error"]


def test_what_a_gpu_can_do_is_read_from_its_file_and_measured_where_that_is_old(monkeypatch, tmp_path):
    measured = replace(SMALL, name="measured now")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "GPU-1")
    monkeypatch.setattr(gpu_profile, "_profiled_now", lambda: measured)

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
