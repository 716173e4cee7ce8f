"""What is said beside a race: no note that it contradicts, and a barrier of the width that the kernel thinks in."""

import numpy as np
import pytest
from numba import cuda, float32, int32

import simt
from simt.analyses.races import Races
from tests.simt.synthetic import Stage, array, line_of


@cuda.jit
def count_in_two_lines(src, out):
    i = cuda.grid(1)
    if i < src.size:
        seen = out[0]
        out[0] = seen + 1


@cuda.jit
def mark(src, out):
    i = cuda.grid(1)
    if i < src.size:
        out[0] = 1


@pytest.mark.parametrize("blocks", [1, 3])
def test_an_update_in_two_lines_is_not_called_harmless_because_lock_step_stores_one_value(blocks):
    trace = simt.trace(count_in_two_lines, blocks, 64, np.zeros(64 * blocks, np.int32), np.zeros(1, np.int32))
    assert ["race"] == [finding.kind for finding in trace.findings]
    assert [] == trace.notes


def test_a_flag_that_every_thread_sets_stays_a_harmless_note():
    trace = simt.trace(mark, 1, 64, np.zeros(64, np.int32), np.zeros(1, np.int32))
    assert [] == trace.findings
    assert ["the same value, so it does no harm."] == [note.message.split("; ")[1] for note in trace.notes]


@cuda.jit
def count_in_shared_by_swaps(src, out):
    counts = cuda.shared.array(4, int32)
    t = cuda.threadIdx.x
    if t < 4:
        counts[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        seen = counts[src[i]]
        while True:
            found = cuda.atomic.cas(counts, src[i], seen, seen + 1)
            if found == seen:
                break
            seen = found
    cuda.syncthreads()
    if t < 4:
        cuda.atomic.add(out, t, counts[t])


def test_a_look_at_shared_memory_that_a_swap_checks_is_a_note_and_no_race():
    src, out = np.arange(300, dtype=np.int32) % 3, np.zeros(4, np.int32)
    trace = simt.trace(count_in_shared_by_swaps, 2, 64, src, out)

    assert [100, 100, 100, 0] == out.tolist()
    assert [] == trace.findings
    assert all("what is read is a guess" in note.message for note in trace.notes) and trace.notes


def race_within_a_warp(uses_warp_operations):
    """The finding about lanes of one warp that read what their neighbours wrote."""
    races = Races()
    stage = Stage(races, block=(64, 1, 1))
    shared = array("s", (64,), space="shared")
    if uses_warp_operations:
        stage.warp_sync(2, text="cuda.shfl_down_sync(m, v, 1)", orders_memory=False)
    stage.store(shared, lambda thread: thread, line=3)
    stage.load(shared, lambda thread: thread ^ 1, line=4)
    stage.end()
    (found,) = races.findings
    assert "warp" == found.detail["scope"]
    return found


def test_within_a_warp_a_kernel_that_uses_warp_operations_is_told_of_syncwarp():
    assert "Put cuda.syncwarp() after line 3, where every thread arrives." == race_within_a_warp(True).remedy


def test_within_a_warp_a_kernel_that_knows_only_blocks_is_told_of_syncthreads():
    remedy = race_within_a_warp(False).remedy
    assert remedy.startswith("Put cuda.syncthreads() after line 3, where every thread arrives.")
    assert remedy.endswith("Both threads are in one warp here, so cuda.syncwarp() would do.")


def test_a_block_of_one_warp_hears_nothing_of_syncwarp_because_it_may_grow():
    races = Races()
    stage = Stage(races, block=(32, 1, 1))
    shared = array("s", (32,), space="shared")
    stage.store(shared, lambda thread: thread, line=3)
    stage.load(shared, lambda thread: thread ^ 1, line=4)
    stage.end()
    (found,) = races.findings
    assert "Put cuda.syncthreads() after line 3, where every thread arrives." == found.remedy


def add_in_one_line(values, bins):
    i = cuda.grid(1)
    bins[values[i]] += 1


def add_in_two_lines(values, bins):
    i = cuda.grid(1)
    before = bins[values[i]]
    bins[values[i]] = before + 1


def add_in_turns(values, bins):
    if cuda.grid(1) == 0:
        for k in range(values.size):
            before = bins[values[k]]
            bins[values[k]] = before + 1


@pytest.mark.parametrize("kernel", [add_in_one_line, add_in_two_lines])
@pytest.mark.parametrize("grid, block", [(1, 64), (2, 32)])
def test_a_lost_update_is_one_finding_that_says_how_many_may_be_lost(kernel, grid, block):
    trace = simt.trace(kernel, grid, block, np.arange(64) % 4, np.zeros(4, np.int32))

    (found,) = trace.findings
    assert (True, 64, 60) == (found.detail["lost_update"], found.detail["updates"], found.detail["lost"])
    assert "one update is lost: up to 60 of 64 in this launch." in found.message
    assert "cuda.atomic.add(bins, index, value)" in found.remedy


def test_one_thread_that_updates_by_itself_loses_nothing():
    assert [] == simt.trace(add_in_turns, 2, 32, np.arange(64) % 4, np.zeros(4, np.int32)).findings


def test_a_sum_that_is_read_in_the_launch_that_makes_it_is_read_after_it():
    def total_and_read(total, out):
        cuda.atomic.add(total, 0, 1)
        out[cuda.grid(1)] = total[0]

    (found,) = simt.trace(total_and_read, 4, 32, np.zeros(1, np.int32), np.zeros(128, np.int32)).findings
    assert found.remedy.startswith("Read it after this launch, on the host or in the next kernel")


def test_where_only_one_warp_is_at_work_the_remedy_is_syncwarp():
    races = Races()
    stage = Stage(races, block=(64, 1, 1))
    shared = array("s", (64,), space="shared")
    stage.store(shared, lambda thread: thread, line=3, where=lambda thread: thread < 32)
    stage.load(shared, lambda thread: thread ^ 1, line=4, where=lambda thread: thread < 32)
    stage.end()
    (found,) = races.findings
    assert found.remedy.startswith("Put cuda.syncwarp() after line 3")


def test_between_warps_the_remedy_is_syncthreads_even_in_a_kernel_that_uses_warp_operations():
    races = Races()
    stage = Stage(races, block=(64, 1, 1))
    shared = array("s", (64,), space="shared")
    stage.warp_sync(2, text="cuda.shfl_down_sync(m, v, 1)", orders_memory=False)
    stage.store(shared, lambda thread: thread, line=3)
    stage.load(shared, lambda thread: 63 - thread, line=4)
    stage.end()
    (found,) = races.findings
    assert "Put cuda.syncthreads() after line 3, where every thread arrives." == found.remedy


@cuda.jit
def fill_then_turn_round(src, out):
    s = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    for k in range(t, 128, 64):  # fill
        s[k] = src[k]
    for k in range(t, 128, 64):
        out[k] = s[127 - k]  # read


def test_two_loops_without_a_barrier_race_between_each_other_and_the_barrier_belongs_behind_the_first():
    trace = simt.trace(fill_then_turn_round, 1, 64, np.ones(128, np.float32), np.zeros(128, np.float32))

    (found,) = trace.findings
    fill, read = (line_of(fill_then_turn_round, mark) for mark in ("fill", "read"))
    assert (fill + 1, read) == found.lines
    assert f"writes s[127] at line {fill + 1} and thread 0 reads it at line {read} with no barrier" in found.message
    remedy = f"Put cuda.syncthreads() after line {fill + 1}, once the loop of line {fill} has ended, outside any if"
    assert found.remedy.startswith(remedy)
