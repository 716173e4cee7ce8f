"""What a race without a GPU says: bounds, at sizes that are never made."""

from dataclasses import replace

import numpy as np
import pytest

import autograder.report  # noqa: F401  # registers what shows a Speed
from autograder import exercises
from autograder.contract import Argument, Cost, SpeedPolicy
from autograder.outcome import Speed
from autograder.speed import least_times
from simt.timing.gpus import GPUS

RACED = [exercise for exercise in exercises.all_exercises() if exercise.speed]
PLANE = (
    Argument("src", "in", "float32", "(n_rows, n_cols)"),
    Argument("row", "in", "float32", "(n_cols,)"),
    Argument("dst", "out", "float32", "(n_rows, n_cols)"),
    Argument("state", "inout", "float32", "(n_rows,)"),
    Argument("room", "scratch", "float32", "(n_rows,)"),
)


def made(sizes, kind, rng):
    plane, columns, rows = (sizes["n_rows"], sizes["n_cols"]), sizes["n_cols"], sizes["n_rows"]
    shapes = {"src": plane, "row": columns, "dst": plane, "state": rows, "room": rows}
    return {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}


def planes(flops):
    """An exercise on planes, with this count of flops of its values."""
    policy = SpeedPolicy(1, sizes_for=lambda n_bytes: {"n_rows": n_bytes // 40000, "n_cols": 5000})
    return replace(RACED[0], arguments=PLANE, make=made, cost=lambda values: Cost(0, 0, flops(values)), speed=policy)


def test_sizes_too_large_to_make_are_worked_out_to_the_byte():
    exercise = planes(lambda values: 3 * values["src"].size + 7 * values["row"].size)

    for row in least_times.least_times(exercise):
        n_rows, n_cols = row["sizes"].values()
        assert n_cols > least_times.LARGEST
        assert 4 * (2 * n_rows * n_cols + n_cols + 2 * n_rows) == row["bytes"]


def test_work_that_grows_faster_is_counted_too_low_and_never_too_high():
    cubes = least_times._extrapolated(lambda sizes: (dict(sizes)["n"] ** 3,), (("n", 10 * least_times.LARGEST),))

    assert 0 < cubes[0] < (10 * least_times.LARGEST) ** 3


@pytest.mark.parametrize("exercise", RACED, ids=lambda exercise: exercise.id)
def test_every_race_has_a_bound_on_every_gpu(exercise):
    rows = least_times.least_times(exercise)

    assert list(GPUS) == [row["gpu"] for row in rows]
    for row in rows:
        gpu = GPUS[row["gpu"]]
        assert (row["bytes"] - gpu.l2_bytes) / gpu.memory_bytes_per_s * 1e6 <= row["time_us"] * (1 + 1e-9)
        assert row["bytes"] / gpu.memory_bytes_per_s * 1e6 >= row["time_us"] * (1 - 1e-9) or row["limit"] != "memory"


def test_where_arithmetic_takes_longer_the_bound_says_so():
    busy = planes(lambda values: 10**4 * values["src"].size)

    rows = least_times.least_times(busy)

    assert {"float32 arithmetic"} == {row["limit"] for row in rows}
    assert "moves these bytes and does this arithmetic" in str(Speed(False, "", details={"least_times": rows}))


def test_an_exercise_without_a_race_has_none():
    assert [] == least_times.least_times(next(each for each in exercises.all_exercises() if each.speed is None))


def test_the_report_labels_them_in_text_and_on_the_page():
    speed = Speed(False, "Speed is not graded here.", details={"least_times": least_times.least_times(RACED[0])})

    for shown in (str(speed), speed._repr_html_()):
        assert "A bound, not a measurement: no kernel that moves these bytes can be faster on this GPU" in shown
        assert "counted from the exercise, not from your kernel" in " ".join(shown.split())
        assert all(gpu.name in shown for gpu in GPUS.values())
    assert "least" not in str(Speed(False, "Speed is not graded here."))
