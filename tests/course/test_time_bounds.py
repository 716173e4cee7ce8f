"""Bounds of the course's kernels against the times that an H200 took: a bound above a measured time is no bound."""

import json
from dataclasses import replace

import numpy as np
import pytest

from autograder import exercises
from autograder.contract import Case
from autograder.running import buffers, run_simt
from autograder.speed.least_times import least_times
from simt.timing.gpus import find_gpu
from simt.timing.roofline import FLOAT_TYPES, Work, bound, work_of
from simt.tracing import Tracer
from tools.check_exercises import solution_of
from tools.parts.units import ROOT

MEASURED = json.loads((ROOT / "benchmarks" / "results" / "nvidia-h200.json").read_text())
ROWS = [row for row in MEASURED["rows"] if "error" not in row]
NAIVE_ROWS = [row for row in ROWS if exercises.find(row["exercise"]).kind == "kernel"]
GPU = find_gpu(MEASURED["device"].removeprefix("NVIDIA"))
BLOCKS = 16  # where a contract fixes the number of blocks; the work of each block that does not grow is left out
ONE_AXIS, TWO_AXES = (1 << 16, 1 << 17), (256, 512)


def solution_work(exercise, sizes) -> Work:
    """What the exercise's own solution asks for at these sizes."""
    values = buffers.fresh(exercise, buffers.make_values(exercise, Case(sizes)), 0)
    tracer = Tracer(races=False)
    run_simt.run_with(tracer, exercise, solution_of(exercise).load()[1], values, seed=0, seconds=60)
    return work_of(tracer.result())


def naive_work(exercise, sizes) -> Work:
    """What the naive kernel asks for."""
    values = buffers.fresh(exercise, buffers.make_values(exercise, Case(sizes)), 0)
    grid, block, *_ = (exercise.naive_launch or exercise.launch)(values)
    tracer = Tracer(races=False)
    tracer.launch(
        exercises.naive_of(exercise), grid, block, *(values[argument.name] for argument in exercise.arguments)
    )
    return work_of(tracer.result())


def work_at(exercise, sizes, traced_work=solution_work) -> Work:
    """The part of the work at the measured sizes that grows with them: what doubling a small case adds, scaled up."""
    fixed = {"n_cols": 512, "blocks": BLOCKS}
    grows = "n" if "n" in sizes else "n_rows"
    small, large = ONE_AXIS if grows == "n" else TWO_AXES
    first, second = (
        traced_work(exercise, {name: extent if name == grows else fixed[name] for name in sizes})
        for extent in (small, large)
    )
    elements = np.prod([size for name, size in sizes.items() if name != "blocks"], dtype=np.int64)
    added = (large - small) * (fixed["n_cols"] if "n_cols" in sizes else 1)

    def scaled(before: int, after: int) -> int:
        return int((after - before) * int(elements) // added)

    counted = ("read_bytes", "write_bytes", "shared_wavefronts", "requests", "sectors")
    flops = {dtype: scaled(first.flops[dtype], second.flops[dtype]) for dtype in FLOAT_TYPES}
    added_up = {name: scaled(getattr(first, name), getattr(second, name)) for name in counted}
    return Work(**added_up, flops=flops, launches=second.launches)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["exercise"])
def test_no_kernel_of_the_course_is_faster_on_an_h200_than_its_bound(row):
    exercise = exercises.find(row["exercise"])
    work = work_at(exercise, row["sizes"])

    least = bound(GPU, work)

    assert 0.1 * row["time_us"] < least.time_us <= row["time_us"], least.terms
    moved = work.read_bytes + work.write_bytes
    if work.launches == 1:
        assert row["bytes"] == pytest.approx(moved, rel=0.01)
    else:
        assert row["bytes"] < 1.01 * moved  # an array that two launches read comes from memory twice


@pytest.mark.parametrize("row", NAIVE_ROWS, ids=lambda row: row["exercise"])
def test_no_naive_kernel_is_faster_than_its_own_bound(row):
    least = bound(GPU, work_at(exercises.find(row["exercise"]), row["sizes"], naive_work))

    assert 0.05 * row["naive_us"] < least.time_us <= row["naive_us"], least.terms


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["exercise"])
def test_what_a_race_says_without_a_gpu_holds_for_every_kernel_that_was_timed_on_one(row):
    exercise = exercises.find(row["exercise"])
    policy = replace(exercise.speed, sizes_for=lambda n_bytes: row["sizes"])

    (said,) = [each for each in least_times(replace(exercise, speed=policy)) if each["gpu"] == GPU.key]

    assert row["bytes"] == said["bytes"]
    assert said["time_us"] <= min(row[key] for key in ("time_us", "naive_us", "library_us") if row[key])
