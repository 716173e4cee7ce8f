"""Who touched an element, and when: every lane of every access of a launch has a code of 64 bits.

block id (26 bits) | sequence number of the access in the launch (27) | thread within the block (10)
"""

from __future__ import annotations

import numpy as np

from simt.events import Lanes

THREAD_BITS, SEQUENCE_BITS = 10, 27
SEQUENCE_SHIFT = THREAD_BITS
BLOCK_SHIFT = SEQUENCE_SHIFT + SEQUENCE_BITS
THREAD_MASK = (1 << THREAD_BITS) - 1
WARP_THREADS_SHIFT = 5
SEQUENCE_MASK = (1 << SEQUENCE_BITS) - 1
NEVER = -1  # in place of a code


def codes_of(lanes: Lanes, sequence: int) -> np.ndarray:
    """(n,) int64, the codes of these lanes at the access with this number."""
    known = vars(lanes)  # the same lanes come again and again: what no number changes is kept with them
    if "who" not in known:
        known["who"] = (lanes.batch.block_ids[lanes.block] << BLOCK_SHIFT) + lanes.thread
    return known["who"] + (sequence << SEQUENCE_SHIFT)


def thread_of(codes):
    return codes & THREAD_MASK


def sequence_of(codes):
    return codes >> SEQUENCE_SHIFT & SEQUENCE_MASK


def block_of(codes):
    return codes >> BLOCK_SHIFT


def warp_of(codes):
    """Block and warp as one number; equal for lanes of one warp."""
    return (codes >> BLOCK_SHIFT << THREAD_BITS) | (codes & THREAD_MASK) >> WARP_THREADS_SHIFT
