"""The shadow of an array lasts for a launch: what a batch of blocks touched is emptied, and nothing else made anew."""

from __future__ import annotations

import numpy as np
import pytest

import simt
from simt.analyses import races
from simt.analyses.races.codes import BLOCK_SHIFT, SEQUENCE_SHIFT
from simt.analyses.races.shadow import BlockShadow, Order, ShadowedAccess
from simt.cuda_api import cuda

N_KEYS, LANES = 400, 32


def step(random, sequence: int) -> ShadowedAccess:
    codes = (3 << BLOCK_SHIFT) | (sequence << SEQUENCE_SHIFT) | np.arange(LANES)
    floor = np.full(LANES, 3 << BLOCK_SHIFT)
    return ShadowedAccess(sequence, random.integers(0, N_KEYS, LANES), codes, np.zeros(LANES, np.int64), floor)


def clashes_of(shadow: BlockShadow, n_steps: int) -> list:
    """What a shadow finds in loads, atomics and stores that come in turn."""
    random, order, found = np.random.default_rng(n_steps), Order(np.zeros(1, np.int64), np.zeros(1, np.int64)), []
    for sequence in range(1, n_steps + 1):
        one, kind = step(random, sequence), ("load", "atomic", "store")[sequence % 3]
        found += [(sequence, hazard, clash.tolist()) for hazard, clash, _ in shadow.clashes(one, order, kind)]
        if kind == "load":
            shadow.note_load(lambda one=one: one, LANES)
            shadow.enter_loads()
        else:
            (shadow.enter_atomic if kind == "atomic" else shadow.enter_store)(one)
    return found


@pytest.mark.parametrize("n_steps", [3, 30])  # of few elements, and of more than a quarter
def test_an_emptied_shadow_finds_what_a_new_one_finds(n_steps):
    used = BlockShadow(N_KEYS)
    clashes_of(used, n_steps)
    used.empty()

    expected = clashes_of(BlockShadow(N_KEYS), 30)
    assert expected
    assert expected == clashes_of(used, 30)


def test_all_batches_of_a_launch_share_one_shadow_of_an_array(monkeypatch):
    """A shadow per batch cost programs that draw large images half of their time."""
    made = []

    class Counted(BlockShadow):
        def __init__(self, *arguments):
            made.append(arguments)
            super().__init__(*arguments)

    @cuda.jit
    def fill(out):
        out[cuda.grid(1)] = 1

    monkeypatch.setattr(races, "BlockShadow", Counted)
    simt.trace(fill, 96, 1024, np.zeros(96 * 1024, np.int8))
    assert 1 == len(made)
