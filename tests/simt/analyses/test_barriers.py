"""Barriers that some threads miss."""

import numpy as np

from simt.analyses.barriers import Barriers
from tests.simt.synthetic import Stage, counts


def watched(**more):
    barriers = Barriers()
    return barriers, Stage(barriers, **{"block": (64, 1, 1), **more})


def test_a_barrier_that_everybody_reaches_is_counted_once_a_block():
    barriers, stage = watched(grid=(3, 1, 1))

    stage.barrier(5)

    assert {"barriers": 3} == counts(barriers)
    assert [] == barriers.book.all()


def test_a_barrier_inside_a_condition_names_the_condition_and_a_thread_that_waits_in_vain():
    barriers, stage = watched()

    stage.branch(4, lambda thread: thread < 16, text="t < 16")
    stage.barrier(5, where=lambda thread: thread < 16)

    (found,) = barriers.book.all()
    assert ("barrier_divergence", (5, 4), False) == (found.kind, found.lines, found.note)
    assert (
        "Only 16 of the 64 threads of block 0 reach cuda.syncthreads() at line 5, because of `t < 16` at line 4; "
        "thread 16 does not."
    ) in found.message
    assert "out of the condition at line 4" in found.remedy


def test_the_innermost_condition_is_blamed():
    barriers, stage = watched()

    stage.branch(2, lambda thread: thread < 48, text="t < 48")
    stage.branch(3, lambda thread: thread < 16, where=lambda thread: thread < 48, text="t < 16")
    stage.barrier(4, where=lambda thread: thread < 16)

    assert (4, 3) == barriers.book.all()[0].lines


def test_a_loop_that_its_threads_left_together_is_not_blamed_for_the_if_around_it():
    barriers, stage = watched()
    stage.loops = ((3, 4),)

    stage.branch(2, lambda thread: thread < 16, text="t < 16")
    stage.branch(3, lambda thread: thread >= 0, where=lambda thread: thread < 16, text="range(2)")
    stage.branch(3, lambda thread: thread < 0, where=lambda thread: thread < 16, text="range(2)")
    stage.barrier(5, where=lambda thread: thread < 16)

    (found,) = barriers.book.all()
    assert (5, 2) == found.lines
    assert "because of `t < 16` at line 2" in found.message


def test_a_barrier_in_a_loop_that_some_threads_left_is_moved_out_of_the_loop():
    barriers, stage = watched()

    stage.branch(3, lambda thread: thread < 16, text="range(cuda.grid(1), src.size, cuda.gridsize(1))")
    stage.barrier(5, where=lambda thread: thread < 16)

    assert barriers.book.all()[0].remedy.startswith("Move the barrier out of the loop at line 3, or let every thread")


def test_threads_that_returned_before_are_a_note():
    barriers, stage = watched()

    stage.barrier(8, where=lambda thread: thread < 48, returned=16)

    (found,) = barriers.book.all()
    assert found.note
    assert "16 threads of block 0 returned before cuda.syncthreads() at line 8" in found.message


def test_a_block_that_is_elsewhere_altogether_is_no_divergence():
    barriers, stage = watched(grid=(2, 1, 1))

    stage.barrier(3, where=np.arange(128) < 64)

    assert [] == barriers.book.all()
    assert {"barriers": 1} == counts(barriers)
