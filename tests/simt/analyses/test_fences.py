"""A fence and then an atomic make known what was written; another fence after the atomic takes nothing of it back."""

import numpy as np

from simt.analyses.races import Races
from simt.events import Fence
from tests.simt.analyses.test_races import locked_add, staged
from tests.simt.synthetic import Stage, array, site


def last_block_done(fence, another=False, reader=3, shuffled=False):
    """Each block stores its part, fences, counts itself, perhaps fences again; then one block reads all parts.

    shuffled: the blocks count in another order than that of their numbers: 0, 1, 3, 2.
    """
    races = Races()
    stage = Stage(races, grid=(4, 1, 1), block=(64, 1, 1))
    parts, done = array("parts", (4,)), array("done", (1,), "i4")
    first = stage.lanes(lambda thread: thread == 0)
    stage.store(parts, first.block, line=5, lanes=first)
    if fence:
        stage.tell("fence", Fence(site(6), first))
    turns = np.array([0, 1, 3, 2]) if shuffled else None
    stage.atomic(done, lambda thread: thread * 0, line=7, lanes=first, turns=turns)
    if another:
        stage.tell("fence", Fence(site(7), first))
    stage.barrier(8)
    everybody = stage.lanes()
    last = stage.lanes((everybody.block == reader) & (everybody.thread < 4))
    stage.load(parts, last.thread, line=10, lanes=last)
    stage.end()
    return races.findings


def test_a_fence_and_an_atomic_turn_the_last_block_pattern_into_a_note():
    with_fence, without = last_block_done(True), last_block_done(False)

    assert [True] == [finding.note for finding in with_fence]
    assert [False] == [finding.note for finding in without]


def test_a_second_fence_after_the_count_takes_nothing_back_and_does_not_stand_in_for_the_first():
    both, late = last_block_done(True, another=True), last_block_done(False, another=True)

    assert [True] == [finding.note for finding in both]
    assert [False] == [finding.note for finding in late]


def test_who_reads_has_to_have_counted_last():
    last, early = last_block_done(True, shuffled=True, reader=2), last_block_done(True, shuffled=True)

    assert [True] == [finding.note for finding in last]
    assert [False] == [finding.note for finding in early]
    assert ["does not ask the counter" in one.remedy for one in early if not one.note] == [True]


def test_a_fence_after_a_lock_was_given_back_takes_nothing_back():
    for grid in ((1, 1, 1), (2, 1, 1)):
        races, stage = staged(grid=grid)
        locked_add(stage, fence=True, another=True)

        assert [] == [finding.message for finding in races.findings if not finding.note], grid
