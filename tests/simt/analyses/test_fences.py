"""A fence and then an atomic make known what was written; another fence after the atomic takes nothing of it back."""

from simt.analyses.races import Races
from simt.events import Fence
from tests.simt.analyses.test_races import locked_add, staged
from tests.simt.synthetic import Stage, array, site


def last_block_done(fence, another=False):
    """Each block stores its part, fences, counts itself, perhaps fences again; then the last block reads all parts."""
    races = Races()
    stage = Stage(races, grid=(4, 1, 1), block=(64, 1, 1))
    parts, done = array("parts", (4,)), array("done", (1,), "i4")
    first = stage.lanes(lambda thread: thread == 0)
    stage.store(parts, first.block, line=5, lanes=first)
    if fence:
        stage.tell("fence", Fence(site(6), first))
    stage.atomic(done, lambda thread: thread * 0, line=7, lanes=first)
    if another:
        stage.tell("fence", Fence(site(7), first))
    stage.barrier(8)
    everybody = stage.lanes()
    last = stage.lanes((everybody.block == 3) & (everybody.thread < 4))
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


def test_a_fence_after_a_lock_was_given_back_takes_nothing_back():
    for grid in ((1, 1, 1), (2, 1, 1)):
        races, stage = staged(grid=grid)
        locked_add(stage, fence=True, another=True)

        assert [] == [finding.message for finding in races.findings if not finding.note], grid
