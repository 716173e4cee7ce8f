"""Races are judged by ordering rules, whatever the lock-step results are."""

from dataclasses import replace

import numpy as np
import pytest

from simt.analyses.races import Races
from simt.events import Batch, Fence
from tests.simt.synthetic import Stage, array, site


def tile(shape=(64,), name="s"):
    return array(name, shape, space="shared")


def staged(**more):
    races = Races()
    return races, Stage(races, **{"block": (64, 1, 1), **more})


def only(races):
    found = [finding for finding in races.findings if not finding.note]
    assert 1 == len(found), [finding.message for finding in found]
    return found[0]


def test_reading_what_a_neighbour_wrote_without_a_barrier_names_both_lines_and_both_threads():
    races, stage = staged(block=(32, 8, 1))
    shared = tile((32, 32), "tile")

    stage.store(shared, lambda thread: thread, line=21)
    stage.load(shared, lambda thread: thread % 8 * 32 + thread // 8, line=25)
    stage.end()

    found = only(races)
    assert ("race", (21, 25), "tile") == (found.kind, found.lines, found.array)
    assert (
        "Thread (0, 1) of block (0, 0) writes tile[1, 0] at line 21 and thread (1, 0) reads it at line 25 "
        "with no barrier between them."
    ) == found.message
    assert ((0, 1, 0), (1, 0, 0)) == found.threads
    assert "Put cuda.syncthreads() after line 21" in found.remedy
    assert ("RAW", "block") == (found.detail["hazard"], found.detail["scope"])


def test_a_barrier_between_them_orders_the_two():
    races, stage = staged()
    shared = tile()

    stage.store(shared, lambda thread: thread, line=21)
    stage.barrier(22)
    stage.load(shared, lambda thread: 63 - thread, line=25)
    stage.end()

    assert [] == races.findings


def test_a_thread_may_read_back_what_it_wrote_itself():
    races, stage = staged()
    shared = tile()

    stage.store(shared, lambda thread: thread)
    stage.load(shared, lambda thread: thread)
    stage.store(shared, lambda thread: thread)

    assert [] == races.findings


def tree_sum(stage, shared, with_barrier):
    """while d > 0: if t < d: s[t] += s[t + d]; [cuda.syncthreads()]; d //= 2"""
    stage.store(shared, lambda thread: thread, line=5)
    stage.barrier(6)
    d = 32
    while d > 0:
        stage.branch(8, lambda thread: thread == thread)
        stage.branch(9, lambda thread, d=d: thread < d)
        lanes = stage.lanes(lambda thread, d=d: thread < d)
        stage.load(shared, lambda thread: thread, line=10, text="s[t]", lanes=lanes)
        stage.load(shared, lambda thread, d=d: thread + d, line=10, text="s[t + d]", lanes=lanes)
        stage.store(shared, lambda thread: thread, line=10, text="s[t]", lanes=lanes)
        if with_barrier:
            stage.barrier(11)
        d //= 2
    stage.end()


def test_a_tree_without_a_barrier_races_with_the_previous_turn_of_the_loop():
    races, stage = staged()

    tree_sum(stage, tile(), with_barrier=False)

    found = only(races)
    assert (10,) == found.lines
    assert (
        "Thread 0 of block 0 reads s[16] at line 10 while thread 16 writes it in the previous iteration of the loop; "
        "nothing orders them."
    ) == found.message
    assert "outside the if" in found.remedy
    assert "after line 10" in found.remedy
    assert "previous" == found.detail["turn"]
    assert not found.detail["lost_update"]


def test_a_tree_with_its_barrier_is_clean():
    races, stage = staged()

    tree_sum(stage, tile(), with_barrier=True)

    assert [] == races.findings


def test_overwriting_what_a_slower_thread_still_reads_is_found_across_the_turn_of_a_loop():
    races, stage = staged()
    shared = tile()

    for _ in range(2):
        stage.branch(3, lambda thread: thread == thread)
        stage.store(shared, lambda thread: thread, line=4)
        stage.barrier(5)
        stage.load(shared, lambda thread: 63 - thread, line=6)
    stage.end()

    found = only(races)
    assert ("WAR", "previous") == (found.detail["hazard"], found.detail["turn"])
    assert "in the next iteration of the loop" in found.message
    assert (4, 6) == found.lines
    assert "before the loop goes round" in found.remedy


def test_adding_a_neighbour_in_one_statement_races_within_the_statement():
    races, stage = staged()
    shared = tile()
    lanes = stage.lanes(lambda thread: thread > 0)

    stage.load(shared, lambda thread: thread, line=7, lanes=lanes, text="s[t]")
    stage.load(shared, lambda thread: thread - 1, line=7, lanes=lanes, text="s[t - 1]")
    stage.store(shared, lambda thread: thread, line=7, lanes=lanes, text="s[t]")

    found = only(races)
    assert "in the same statement" in found.message
    assert ("WAR", "same") == (found.detail["hazard"], found.detail["turn"])
    assert "Read into a variable" in found.remedy


def test_updating_one_element_without_an_atomic_is_called_a_lost_update():
    races, stage = staged(grid=(2, 1, 1))
    out = array("out", (1,))

    stage.load(out, lambda thread: thread * 0, line=3, text="out[0]")
    stage.store(out, lambda thread: thread * 0, line=3, text="out[0]")
    stage.end()

    found = only(races)
    assert found.detail["lost_update"]
    assert "grid" == found.detail["scope"]
    assert "both update out[0] at line 3 without an atomic" in found.message
    assert "cuda.atomic.add(out" in found.remedy


def test_two_blocks_that_write_one_element_race_even_in_different_batches():
    races = Races()
    stage = Stage(races, grid=(4, 1, 1))
    out = array("out", (1,))
    for block in range(4):
        stage.batch = Batch(stage.launch, np.array([block], np.int64))
        stage.tell("batch_begins", stage.batch)
        lanes = stage.lanes(lambda thread: thread == 0)
        stage.store(out, lambda thread: thread * 0, line=9, lanes=lanes, values=np.array([float(block)]))
        stage.tell("batch_ends", stage.batch)
    stage.tell("launch_ends", stage.launch)

    found = only(races)
    assert ("WAW", "grid") == (found.detail["hazard"], found.detail["scope"])
    assert ((0, 0, 0), (3, 0, 0)) == found.blocks
    assert "blocks run in any order" in found.message


def test_a_block_reading_what_another_block_wrote_is_found_in_either_order_of_blocks():
    for order in ([0, 1, 2], [2, 0, 1]):
        races, stage = staged(grid=(3, 1, 1), block_ids=order)
        x = array("x", (192,))
        lanes = stage.lanes()

        stage.store(x, lanes.global_thread, line=2, lanes=lanes)
        stage.load(x, (lanes.global_thread + 64) % 192, line=3, lanes=lanes)
        stage.end()

        found = only(races)
        assert ("RAW", "grid") == (found.detail["hazard"], found.detail["scope"])
        assert "second kernel launch" in found.remedy


def test_a_grid_barrier_orders_blocks():
    races, stage = staged(grid=(3, 1, 1))
    x = array("x", (192,))
    lanes = stage.lanes()

    stage.store(x, lanes.global_thread, line=2, lanes=lanes)
    stage.tell("grid_sync", None)
    stage.load(x, (lanes.global_thread + 64) % 192, line=3, lanes=lanes)
    stage.end()

    assert [] == races.findings


def test_reading_an_input_from_every_block_is_no_race():
    races, stage = staged(grid=(3, 1, 1))

    stage.load(array("x"), lambda thread: thread * 0)
    stage.end()

    assert [] == races.findings


def test_syncwarp_orders_a_warp_but_not_two_warps():
    def run(threads):
        races, stage = staged(block=(threads, 1, 1))
        shared = tile()
        stage.store(shared, lambda thread: thread, line=2)
        stage.warp_sync(3)
        stage.load(shared, lambda thread: threads - 1 - thread, line=4)
        return races

    assert [] == run(32).findings
    assert "block" == only(run(64)).detail["scope"]


def test_within_one_warp_the_remedy_is_syncwarp_and_a_shuffle_does_not_order_memory():
    races, stage = staged(block=(32, 1, 1))
    shared = tile()

    stage.store(shared, lambda thread: thread, line=2)
    stage.warp_sync(3, text="cuda.shfl_down_sync(m, v, 1)", orders_memory=False)
    stage.load(shared, lambda thread: 31 - thread, line=4)

    found = only(races)
    assert "warp" == found.detail["scope"]
    assert "cuda.syncwarp()" in found.remedy


def test_lanes_of_one_store_race_only_if_their_values_differ():
    def run(values):
        races, stage = staged(block=(32, 1, 1))
        stage.store(array("out", (4,)), lambda thread: thread // 8, line=9, values=values)
        return races

    differ = only(run(lambda thread: thread))
    assert "with different values" in differ.message
    same = run(lambda thread: thread // 8)
    assert [True] == [finding.note for finding in same.findings]
    assert "no harm" in same.findings[0].message


def test_every_block_setting_one_flag_to_one_value_is_only_a_note():
    races, stage = staged(grid=(4, 1, 1))

    stage.store(array("found", (1,)), lambda thread: thread * 0, values=lambda thread: thread * 0 + 1)
    stage.end()

    assert races.findings
    assert all(finding.note for finding in races.findings)


def test_atomics_do_not_race_with_each_other_but_with_plain_reads():
    races, stage = staged(grid=(2, 1, 1))
    out = array("out", (1,))

    stage.atomic(out, lambda thread: thread * 0, line=2)
    stage.atomic(out, lambda thread: thread * 0, line=3)
    stage.end()
    assert [] == races.findings

    races, stage = staged()
    stage.atomic(out, lambda thread: thread * 0, line=2)
    stage.load(out, lambda thread: thread * 0, line=4)
    assert (2, 4) == only(races).lines


def test_one_finding_for_each_pair_of_lines_with_a_count():
    races, stage = staged()
    shared = tile()

    stage.store(shared, lambda thread: thread, line=2)
    for _ in range(3):
        stage.load(shared, lambda thread: 63 - thread, line=4)

    assert 3 * 64 == only(races).count


@pytest.mark.parametrize("seed", range(60))
def test_random_accesses_of_a_block_race_exactly_where_a_slow_judge_says_so(seed):
    """Compares existence of a race with a judge that looks at every pair of accesses of every element."""
    random = np.random.default_rng(seed)
    races, stage = staged(block=(96, 1, 1))
    shared = tile((6,))
    history, epoch, warp_epoch, clash = [], 0, [0, 0, 0], False
    for _ in range(random.integers(3, 12)):
        action = random.choice(["load", "store", "atomic", "barrier", "syncwarp"], p=[0.35, 0.2, 0.1, 0.2, 0.15])
        if action == "barrier":
            stage.barrier(1)
            epoch += 1
        elif action == "syncwarp":
            warp = int(random.integers(3))
            stage.warp_sync(1, where=lambda thread, warp=warp: thread // 32 == warp)
            warp_epoch[warp] += 1
        else:
            thread = np.sort(random.choice(96, random.integers(1, 4), replace=False))
            cells = random.choice(6, len(thread), replace=action != "store")
            lanes = stage.lanes(np.isin(np.arange(96), thread))
            new = [(int(c), int(t), action, epoch, warp_epoch[t // 32]) for c, t in zip(cells, thread, strict=True)]
            clash |= any(conflict(old, now) for old in history for now in new)
            history += new
            stage.access(action, shared, cells, line=len(history), lanes=lanes, values=random.random(len(thread)))
        if clash:
            break
    stage.end()

    assert clash == bool([finding for finding in races.findings if not finding.note])


def conflict(old, now):
    same_warp = old[1] // 32 == now[1] // 32
    if old[0] != now[0] or old[1] == now[1] or old[3] != now[3] or (same_warp and old[4] != now[4]):
        return False
    kinds = {old[2], now[2]}
    return kinds not in ({"load"}, {"atomic"})


def test_adding_to_ones_own_sum_in_turns_is_no_lost_update_but_a_missing_barrier():
    """`s[k] += s[k + d]` with k = 2 * t * d: the element s[k] passes from thread to thread, turn by turn."""
    races, stage = staged()
    stage.loops = ((3, 5),)
    shared = tile((256,))

    for d in (1, 2):
        stage.branch(3, lambda thread: thread == thread)
        lanes = stage.lanes(lambda thread, d=d: thread < 64 // d)
        k = 2 * lanes.thread * d
        stage.load(shared, k, line=5, lanes=lanes, text="s[k]")
        stage.load(shared, k + d, line=5, lanes=lanes, text="s[k + d]")
        stage.store(shared, k, line=5, lanes=lanes, text="s[k]")
    stage.end()

    found = only(races)
    assert not found.detail["lost_update"]
    assert "in the previous iteration of the loop" in found.message


def test_two_types_of_the_same_bytes_race_with_each_other():
    races, stage = staged()
    floats = replace(tile(), memory=("dynamic",))
    integers = replace(array("words", (64,), "i4", space="shared"), memory=("dynamic",))

    stage.store(floats, lambda thread: thread, line=3)
    stage.load(integers, lambda thread: 63 - thread, line=4)

    assert (3, 4) == only(races).lines


def locked_add(stage, fence, another=False):
    """Two threads, one after the other: while not done: if cas(lock) == 0: [fence]; total += 1; [fence]; exch(lock)."""
    lock, total = array("lock", (1,), "i4"), array("total", (1,))
    trying = {0, 40}
    while trying:
        lanes = stage.lanes(lambda thread: np.isin(thread, sorted(trying)))
        stage.atomic(lock, lambda thread: thread * 0, line=3, operation="cas", result_used=True, lanes=lanes)
        winner = min(trying)
        one = stage.lanes(lambda thread, winner=winner: thread == winner)
        if fence:
            stage.tell("fence", Fence(site(3), one))
        stage.load(total, lambda thread: thread * 0, line=4, lanes=one, text="total[0]")
        stage.store(total, lambda thread: thread * 0, line=4, lanes=one, text="total[0]")
        if fence:
            stage.tell("fence", Fence(site(5), one))
        stage.atomic(lock, lambda thread: thread * 0, line=6, operation="exch", lanes=one)
        if another:
            stage.tell("fence", Fence(site(7), one))
        trying.remove(winner)
    stage.end()


def test_a_lock_with_a_fence_orders_what_is_done_under_it():
    for grid in ((1, 1, 1), (2, 1, 1)):
        races, stage = staged(grid=grid)
        locked_add(stage, fence=True)

        assert [] == [finding.message for finding in races.findings if not finding.note], grid


def test_a_lock_given_back_without_a_fence_does_not():
    races, stage = staged()

    locked_add(stage, fence=False)

    assert [False] == [finding.note for finding in races.findings]
