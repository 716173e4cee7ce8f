"""Bounds of the course's kernels against the times that an H200 took: a bound above a measured time is no bound."""

import json
from dataclasses import replace
from operator import itemgetter

import pytest

from autograder import exercises
from autograder.contract import Case
from autograder.running import buffers, run_simt
from autograder.speed.least_times import least_times
from simt.timing.gpus import find_gpu
from simt.timing.roofline import ARITHMETIC, Work, bound, work_of
from simt.tracing import Tracer
from tests.course.costly import COSTLY
from tests.part import a_part
from tools.check_exercises import solution_of
from tools.parts.units import ROOT

MEASURED = json.loads((ROOT / "benchmarks" / "results" / "nvidia-h200.json").read_text())
ROWS = [row for row in MEASURED["rows"] if "error" not in row]
NAIVE_ROWS = [row for row in ROWS if exercises.find(row["exercise"]).kind == "kernel"]
GPU = find_gpu(MEASURED["device"].removeprefix("NVIDIA"))
BLOCKS = 16  # where a contract fixes the number of blocks; the work of each block that does not grow is left out
SMALL_BYTES = 1 << 18
N_ROWS, OTHER_AXIS = (256, 512), {"n_cols": 512, "n_groups": 128}
GROWING = {"n_images": (1, 2), "n_keys": (1024, 2048)}  # of races whose sizes are the same whatever room there is
OF_PRODUCTS = {"n_inner", "n_in", "n_heads", "n_words", "n_blocks"}  # sizes of work that grows faster than its bytes
EVEN_ROWS = [row for row in ROWS if not OF_PRODUCTS & row["sizes"].keys()]
EVEN_NAIVE_ROWS = [row for row in EVEN_ROWS if row in NAIVE_ROWS]


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


def small_and_twice_that(exercise, row):
    """Sizes of two small cases, the second one with twice the work: of a picture, twice the rows."""
    axes = row["sizes"].keys()
    if axes in ({"n_rows", "n_cols"}, {"n_rows", "n_groups"}):
        beside = axes - {"n_rows"}
        return [{"n_rows": n_rows} | dict.fromkeys(beside, OTHER_AXIS[min(beside)]) for n_rows in N_ROWS]
    for axis in GROWING.keys() & axes:
        return [row["sizes"] | {axis: n} for n in GROWING[axis]]
    pair = [exercise.speed.sizes_for(n_bytes) for n_bytes in (SMALL_BYTES, 2 * SMALL_BYTES)]
    return [sizes | ({"blocks": BLOCKS} if "blocks" in sizes else {}) for sizes in pair]


def n_bytes_at(exercise, sizes) -> int:
    """Bytes of the inputs, and of the outputs."""
    values = buffers.make_values(exercise, Case(sizes))
    return sum(exercise.must_move(values))


def work_at(exercise, row, traced_work=solution_work) -> Work:
    """The part of the work at the measured sizes that grows with them: what doubling a small case adds, scaled up."""
    pair = small_and_twice_that(exercise, row)
    first, second = (traced_work(exercise, sizes) for sizes in pair)
    added = n_bytes_at(exercise, pair[1]) - n_bytes_at(exercise, pair[0])

    def scaled(before: int, after: int) -> int:
        return (after - before) * row["bytes"] // added

    counted = ("read_bytes", "write_bytes", "shared_wavefronts", "requests", "sectors")
    flops = {dtype: scaled(first.flops[dtype], second.flops[dtype]) for dtype in ARITHMETIC}
    added_up = {name: scaled(getattr(first, name), getattr(second, name)) for name in counted}
    return Work(**added_up, flops=flops, launches=second.launches)


@pytest.mark.parametrize("row", a_part(EVEN_ROWS, 2, itemgetter("exercise"), COSTLY))
def test_no_kernel_of_the_course_is_faster_on_an_h200_than_its_bound(row):
    work = work_at(exercises.find(row["exercise"]), row)

    least = bound(GPU, work)

    assert 0.01 * row["time_us"] < least.time_us <= row["time_us"], least.terms
    moved = work.read_bytes + work.write_bytes
    if work.launches == 1:
        assert row["bytes"] > 0.98 * moved  # data choose from an array, so some of it stays; rows share sectors
    else:
        assert row["bytes"] < 1.01 * moved  # an array that two launches read comes from memory twice


@pytest.mark.parametrize("row", a_part(EVEN_NAIVE_ROWS, 2, itemgetter("exercise"), COSTLY))
def test_no_naive_kernel_is_faster_than_its_own_bound(row):
    least = bound(GPU, work_at(exercises.find(row["exercise"]), row, naive_work))

    assert 0 < least.time_us <= row["naive_us"], least.terms


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["exercise"])
def test_what_a_race_says_without_a_gpu_holds_for_every_kernel_that_was_timed_on_one(row):
    exercise = exercises.find(row["exercise"])
    policy = replace(exercise.speed, sizes_for=lambda n_bytes: row["sizes"])

    (said,) = [each for each in least_times(replace(exercise, speed=policy)) if each["gpu"] == GPU.key]

    assert row["bytes"] == pytest.approx(said["bytes"], rel=0.05 if exercise.moves else 1e-3)
    assert said["time_us"] <= min(row[key] for key in ("time_us", "naive_us", "library_us") if row[key])
