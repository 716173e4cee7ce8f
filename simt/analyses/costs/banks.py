"""How many passes over the 32 banks of shared memory does each access take?

A pass is what Nsight Compute calls a wavefront (`l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st,atom}`). On an
H200, 309 of 310 random patterns of 1 to 16 byte elements agree; the other is a randomly masked 16-byte load, which
numba code hardly makes. Whole kernels are compared in tests/zoo.
"""

from __future__ import annotations

import numpy as np

from simt.analyses.costs.codegen import counts_by_one, reduced_first
from simt.analyses.costs.held_loads import HeldLoads
from simt.analyses.costs.patterns import NOBODY, counted_once, requests_of, sort_rows
from simt.analyses.counters import Tally
from simt.events import Access
from simt.hardware import BANK_BYTES, BANKS, WARP_SIZE

PERIOD_BYTES = BANKS * BANK_BYTES
WIDEST_BYTES = 16  # what one lane can move in one request
PASSES_OF_CAS = 2  # a compare-and-swap passes twice


def bank_degree(words: np.ndarray, active: np.ndarray) -> np.ndarray:
    """(n,) most distinct words that the active lanes of each row want from one bank. One word is broadcast."""
    key = np.where(active, (words % BANKS << 40) + words // BANKS, NOBODY)
    key = sort_rows(key, active)
    new = key != NOBODY
    new[:, 1:] &= key[:, 1:] != key[:, :-1]
    row, column = np.nonzero(new)
    bank = (key[row, column] >> 40).astype(np.intp, copy=False)
    return np.bincount(row * BANKS + bank, minlength=len(words) * BANKS).reshape(-1, BANKS).max(axis=1)


@counted_once
def wavefronts_per_request(
    addresses: np.ndarray, active: np.ndarray, access_bytes: int, load: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Count the passes of warp-wide loads or stores of shared memory.

    Up to 4 bytes per lane, the 32 lanes go in one group; 8 bytes in two groups of 16; 16 bytes in four groups of 8.
    A group takes `bank_degree` passes. A load serves two neighbouring groups together when every lane agrees with
    lane ^ 1, or every lane with lane ^ 2.

    Args:    addresses: (n, 32) int64 bytes; active: (n, 32) bool; access_bytes: 1, 2, 4, 8 or 16; load: not a store.
    Returns: (n,) passes and (n,) the fewest possible; the difference is the bank conflicts.
    Source:  measured under Nsight Compute on an H200; NVIDIA's forum states the rule for loads.
    """
    words_each = max(1, access_bytes // BANK_BYTES)
    if words_each == 1:
        any_active: np.ndarray = np.asarray(active.any(axis=1), np.int64)
        return bank_degree(addresses // BANK_BYTES, active), any_active
    pair = 2 * WARP_SIZE // words_each  # lanes of two neighbouring groups
    passes = np.zeros(len(addresses), np.int64)
    fewest = np.zeros(len(addresses), np.int64)
    for begin in range(0, WARP_SIZE, pair):
        part = slice(begin, begin + pair)
        pair_passes, pair_fewest = _pair_of_groups(addresses[:, part], active[:, part], words_each, load)
        passes += pair_passes
        fewest += pair_fewest
    return passes, fewest


def _pair_of_groups(addresses, active, words_each: int, load: bool) -> tuple[np.ndarray, np.ndarray]:
    half = addresses.shape[1] // 2
    first = _group_degree(addresses[:, :half], active[:, :half], words_each)
    second = _group_degree(addresses[:, half:], active[:, half:], words_each)
    groups = (first > 0).astype(np.int64) + (second > 0)
    if not load:
        return first + second, groups
    together = _neighbours_agree(addresses, active, 1) | _neighbours_agree(addresses, active, 2)
    joined = _group_degree(addresses, active, words_each)
    return np.where(together, joined, first + second), np.where(together, np.minimum(groups, 1), groups)


def _neighbours_agree(addresses, active, distance: int) -> np.ndarray:
    """(n,) whether each active lane has the address of lane ^ distance; an inactive lane agrees with anything."""
    other = np.arange(addresses.shape[1]) ^ distance
    return ((addresses == addresses[:, other]) | ~active | ~active[:, other]).all(axis=1)


def _group_degree(addresses, active, words_each: int) -> np.ndarray:
    words = np.concatenate([addresses // BANK_BYTES + k for k in range(words_each)], axis=1)
    return bank_degree(words, np.concatenate([active] * words_each, axis=1))


@counted_once
def atomic_wavefronts_per_request(addresses: np.ndarray, active: np.ndarray, access_bytes: int = 4) -> np.ndarray:
    """(n,) passes of warp-wide atomics: lanes of one bank queue, also those on one address.

    Args as in `wavefronts_per_request`; numbers of 8 bytes go in two groups of 16 lanes, as stores do.
    """
    n_groups = max(1, access_bytes // BANK_BYTES)
    lanes_each = addresses.shape[1] // n_groups
    passes = np.zeros(len(addresses), np.int64)
    for begin in range(0, addresses.shape[1], lanes_each):
        part = slice(begin, begin + lanes_each)
        bank = addresses[:, part] // BANK_BYTES % BANKS + BANKS * np.arange(len(addresses))[:, None]
        lanes = np.bincount(bank[active[:, part]].astype(np.intp, copy=False), minlength=BANKS * len(addresses))
        passes += lanes.reshape(-1, BANKS).max(axis=1)
    return passes


class Banks(HeldLoads):
    """Requests, passes and conflicts of shared memory, by site."""

    def __init__(self) -> None:
        super().__init__()
        self.tally = Tally()

    def access(self, event: Access) -> None:
        if event.array.space != "shared" or self.is_held(event):
            return
        name = f"shared_{event.kind}"
        passes = conflicts = 0
        for requests in requests_of(event, PERIOD_BYTES):
            for offset in range(0, event.access_bytes, WIDEST_BYTES):
                taken, fewest = self._passes(event, requests.addresses + offset, requests.active, offset)
                passes += requests.total(taken)
                conflicts += requests.total(taken - fewest)
        counts = {f"{name}_requests": event.lanes.n_warps, f"{name}_wavefronts": passes}
        if event.kind != "atomic":
            counts[f"{name}_bank_conflicts"] = conflicts
        self.tally.add(event.site, **counts)

    @staticmethod
    def _passes(event: Access, addresses, active, offset: int) -> tuple[np.ndarray, np.ndarray]:
        if event.kind != "atomic":
            size = min(event.access_bytes - offset, WIDEST_BYTES)
            return wavefronts_per_request(addresses, active, size, event.kind == "load")
        if counts_by_one(event) or reduced_first(event):
            taken = bank_degree(addresses // BANK_BYTES, active)
        else:
            turns = PASSES_OF_CAS if event.operation == "cas" else 1
            taken = turns * atomic_wavefronts_per_request(addresses, active, event.access_bytes)
        return taken, active.any(axis=1).astype(np.int64)
