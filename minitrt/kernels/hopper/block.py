"""How every persistent kernel begins: where its shared memory lies, and its barriers."""

from __future__ import annotations

from typing import Any

from numba import int32, types, uint32

from minitrt.backend import cuda
from minitrt.kernels.hopper import mbarrier, sync
from minitrt.kernels.hopper.shared_memory import (
    ALIGNMENT,
    BARRIER_PAIR,
    EMPTY,
    SLOT_BARRIERS,
    SUMS_BARRIER,
    WEIGHTS_BARRIER,
)
from minitrt.kernels.inline import inline
from minitrt.kernels.ptx import shared_address


@inline
def aligned_base():
    """Where a kernel's dynamic shared memory begins, aligned: a launch asks for one alignment more."""
    shared = shared_address(cuda.shared.array(0, types.int8))
    return uint32((shared + (ALIGNMENT - 1)) & (0x100000000 - ALIGNMENT))


def make_barriers(stages: int, slots: int, teams: int) -> Any:
    """set_up(base): for one thread; the block synchronises after it.

    stages: of the ring of inputs; slots: of results; teams: warpgroups that empty a stage, or fill a slot, together.
    """

    @inline
    def set_up(base):
        for i in range(stages):
            mbarrier.init(base + i * BARRIER_PAIR, 1)
            mbarrier.init(base + i * BARRIER_PAIR + EMPTY, 4 * teams)  # one arrival a warp
        for i in range(slots):
            mbarrier.init(base + SLOT_BARRIERS + i * BARRIER_PAIR, 1)
            mbarrier.init(base + SLOT_BARRIERS + i * BARRIER_PAIR + EMPTY, teams)
        mbarrier.init(base + WEIGHTS_BARRIER, 1)
        mbarrier.init(base + SUMS_BARRIER, 1)
        mbarrier.fence_init()

    return set_up


def make_advance(count: int) -> Any:
    """advance(i, phase) -> the next of `count` stages or slots, and the phase of its barriers, in a ring.

    Numbers of 32 bits: the one thread that loads waits for each of its instructions.
    """

    @inline
    def advance(i, phase):
        i = int32(i + 1)
        if i == count:
            i, phase = int32(0), uint32(phase ^ uint32(1))
        return i, phase

    return advance


def make_start(stages: int, slots: int, teams: int) -> Any:
    """start(base, thread): the barriers are there for the whole block, and the next kernel may begin to start.

    Numbers as in `make_barriers`.
    """
    set_up = make_barriers(stages, slots, teams)

    @inline
    def start(base, thread):
        if thread == 0:
            set_up(base)
        cuda.syncthreads()  # the barriers are there
        sync.let_successor_start()

    return start
