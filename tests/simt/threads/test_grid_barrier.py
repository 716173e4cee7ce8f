"""grid.sync(): orders the blocks of a launch, and every thread of every block must come."""

import numpy as np
import pytest

import simt
from simt.cuda_api import cuda


@cuda.jit
def neighbour_block(src, room, dst):
    """dst[b] = src of the next block, through room."""
    b = cuda.blockIdx.x
    if cuda.threadIdx.x == 0:
        room[b] = src[b]
    cuda.cg.this_grid().sync()
    if cuda.threadIdx.x == 0:
        dst[b] = room[(b + 1) % cuda.gridDim.x]


@cuda.jit
def only_thread_zero_waits(dst):
    """The barrier stands inside an if that one thread of each block enters."""
    if cuda.threadIdx.x == 0:
        cuda.cg.this_grid().sync()
        dst[cuda.blockIdx.x] = 1


@cuda.jit
def only_block_zero_waits(dst):
    """The barrier stands inside an if that one block enters."""
    if cuda.blockIdx.x == 0:
        cuda.cg.this_grid().sync()
    dst[cuda.blockIdx.x] = 1


@cuda.jit
def everybody_waits(dst):
    """dst[b] = 1, behind a grid barrier."""
    cuda.cg.this_grid().sync()
    dst[cuda.blockIdx.x] = 1


@cuda.jit
def nobody_waits(dst):
    """dst[b] = 1."""
    dst[cuda.blockIdx.x] = 1


def test_what_blocks_wrote_before_it_is_visible_behind_it_without_a_finding():
    src, dst = np.arange(3, dtype=np.int32), np.zeros(3, np.int32)

    trace = simt.trace(neighbour_block, 3, 64, src, np.zeros(3, np.int32), dst)

    assert [] == trace.findings
    assert [1, 2, 0] == dst.tolist()


def test_threads_of_a_block_that_do_not_come_are_a_barrier_divergence():
    trace = simt.trace(only_thread_zero_waits, 2, 64, np.zeros(2, np.int32))

    assert ["barrier_divergence"] == [finding.kind for finding in trace.findings]


def test_blocks_that_do_not_come_are_counted_in_the_error():
    with pytest.raises(simt.errors.BarrierDivergenceError, match="1 of the grid's 3 blocks") as raised:
        simt.launch(only_block_zero_waits, 3, 64, np.zeros(3, np.int32))

    assert (1, 3) == (raised.value.arrived, raised.value.live)


def test_a_grid_that_fits_on_no_gpu_is_refused_before_anything_runs():
    dst = np.zeros(6145, np.int32)

    with pytest.raises(simt.errors.GridDoesNotFitError, match="room for 6,144 blocks of 32 threads"):
        simt.launch(everybody_waits, 6145, 32, dst)

    assert not dst.any()
    simt.launch(everybody_waits, 6144, 32, dst)
    assert 6144 == dst.sum()


def test_a_grid_without_a_grid_barrier_may_have_any_number_of_blocks():
    dst = np.zeros(6145, np.int32)

    simt.launch(nobody_waits, 6145, 32, dst)

    assert 6145 == dst.sum()
