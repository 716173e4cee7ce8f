"""What known mistakes of unit 06 compute. Each takes the values of a case and returns the outputs it would give."""

from __future__ import annotations

import numpy as np

from autograder.contract import Values
from autograder.exercises.u06_reductions.values import (
    THREADS,
    WARP,
    axis_totals,
    blocks_a_column,
    blocks_for,
    ceil_div,
    first_largest,
    pick,
    visits,
)


def blocks_of(values: Values) -> np.ndarray:
    """(n_blocks, 256) float64: what each thread of each block holds before the tree, one element each."""
    return visits(values["src"].astype(np.float64), blocks_for(values["src"].size), THREADS)[0]


def thread_sums(values: Values, width: int) -> np.ndarray:
    """(n_groups, width) float64: what each thread holds after its grid-stride loop."""
    return visits(values["src"].astype(np.float64), values["partial"].size, width).sum(axis=0)


def first_block_everywhere(values: Values) -> dict:
    """Every block sums the first block's elements: threadIdx.x stands where grid(1) belongs."""
    return {"partial": np.full(values["partial"].size, blocks_of(values)[0].sum())}


def first_block_into_total(values: Values) -> dict:
    """Every block adds the first block's elements to the total."""
    blocks = blocks_of(values)
    return {"total": np.array([blocks[0].sum() * len(blocks)])}


def last_pair_missing(values: Values) -> dict:
    """The iteration with d = 1 never ran: even threads only."""
    return {"partial": blocks_of(values)[:, ::2].sum(axis=1)}


def first_turn_missing(values: Values) -> dict:
    """The iteration with d = 128 never ran: the lower half of each block only."""
    return {"partial": blocks_of(values)[:, : THREADS // 2].sum(axis=1)}


def tree_missing(values: Values) -> dict:
    """No iteration ran: each block's first element."""
    return {"partial": blocks_of(values)[:, 0]}


def first_turn_of_grid(values: Values) -> dict:
    """Each thread added one element: the grid never came round again."""
    turns = visits(values["src"].astype(np.float64), values["partial"].size, THREADS)
    return {"partial": turns[0].sum(axis=1)}


def suffixes(values: Values) -> dict:
    """The loop advanced by blockDim.x: block b added everything from its first element to the end."""
    src = values["src"].astype(np.float64)
    return {"partial": np.array([src[b * THREADS :].sum() for b in range(values["partial"].size)])}


def stretches(values: Values) -> dict:
    """Each thread adds neighbouring elements, as many as there are turns: the first ones to thread 0, and so on."""
    src, n_blocks = values["src"].astype(np.float64), values["partial"].size
    a_block = ceil_div(src.size, n_blocks * THREADS) * THREADS
    return {"partial": np.array([src[b * a_block : (b + 1) * a_block].sum() for b in range(n_blocks)])}


def last_visited(values: Values) -> dict:
    """`acc = src[i]` for `acc += src[i]`: each thread keeps the last element that it saw."""
    src, n_blocks = values["src"].astype(np.float64), values["partial"].size
    last = np.zeros(n_blocks * THREADS)
    for start in range(0, src.size, last.size):
        turn = src[start : start + last.size]
        last[: turn.size] = turn
    return {"partial": last.reshape(n_blocks, THREADS).sum(axis=1)}


def shuffled_up(values: Values) -> dict:
    """Lane 0 asked for a lane below itself and got its own value back, five times."""
    return {"partial": 32 * thread_sums(values, WARP)[:, 0]}


def half_a_warp(values: Values) -> dict:
    """The first shuffle went 8 lanes down: lanes 16 to 31 were never added."""
    return {"partial": thread_sums(values, WARP)[:, :16].sum(axis=1)}


def lanes_alone(values: Values) -> dict:
    """No shuffle at all: lane 0's own sum."""
    return {"partial": thread_sums(values, WARP)[:, 0]}


def last_shuffle_missing(values: Values) -> dict:
    """The iteration with d = 1 never ran: even lanes only."""
    return {"partial": thread_sums(values, WARP)[:, ::2].sum(axis=1)}


def last_lane_alone(values: Values) -> dict:
    """`value = shfl(...)` for `value += shfl(...)`: lane 31's own sum travelled to lane 0 and met nothing."""
    return {"partial": thread_sums(values, WARP)[:, WARP - 1]}


def whole_blocks(threads: int):
    """What is left out when n // threads rounds the number of blocks down and nobody comes round again."""

    def produces(values: Values) -> dict:
        src = values["src"]
        return {"total": np.array([src[: src.size // threads * threads].sum(dtype=np.float64)])}

    return produces


def first_partial(threads: int):
    """The second pass never ran: the total is what the first block, of so many threads, found."""

    def produces(values: Values) -> dict:
        src, n_most = values["src"], values["partial"].size
        n_blocks = max(1, min(n_most, ceil_div(src.size, threads)))
        return {"total": visits(src, n_blocks, threads)[:, :1].sum(axis=(0, 2), dtype=np.float64)}

    return produces


def last_largest(values: Values) -> dict:
    """Ties went to the highest index."""
    return pick(values, lambda seen: seen.shape[1] - 1 - seen[:, ::-1].argmax(axis=1))


def last_nan(values: Values) -> dict:
    """Of several NaN the one with the highest index was kept."""

    def choose(seen: np.ndarray) -> np.ndarray:
        odd = np.isnan(seen)
        return np.where(odd.any(axis=1), seen.shape[1] - 1 - odd[:, ::-1].argmax(axis=1), seen.argmax(axis=1))

    return pick(values, choose)


def nan_ignored(values: Values) -> dict:
    """`x > best` is false for NaN, so NaN never won."""
    return pick(values, lambda seen: np.where(np.isnan(seen), -np.inf, seen).argmax(axis=1))


def nan_overtaken(values: Values) -> dict:
    """`not x <= best` alone is true for every x once best is NaN, so each later element of the thread replaced it."""
    src, n_warps = values["src"], values["value"].size
    turns = visits(src, n_warps, WARP, -np.inf)
    places = np.minimum(np.arange(turns.size).reshape(turns.shape), src.size)
    best, at = turns[0], places[0]
    for x, i in zip(turns[1:], places[1:], strict=True):
        taken = ~(x <= best) & (i < src.size)
        best, at = np.where(taken, x, best), np.where(taken, i, at)
    lane = np.lexsort((at, np.where(np.isnan(best), 0, -best), ~np.isnan(best)))[:, 0]
    warps = np.arange(n_warps)
    return {"value": best[warps, lane], "index": at[warps, lane]}


def minus_infinity_missed(values: Values) -> dict:
    """The search began with (-inf, n) and took only what is larger, so an element of -inf was never found."""
    right = first_largest(values)
    return right | {"index": np.where(np.isneginf(right["value"]), values["src"].size, right["index"])}


def zero_start(values: Values) -> dict:
    """The search began with 0 at index 0, so that nothing negative ever won."""
    right = first_largest(values)
    lost = right["value"] <= 0
    return {"value": np.where(lost, 0, right["value"]), "index": np.where(lost, 0, right["index"])}


def lane_of_winner(values: Values, order: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(lane, turn) of each warp's winner when lanes are asked in `order`, each for the first of its own largest."""
    turns = visits(values["src"], values["value"].size, WARP, -np.inf).transpose(1, 2, 0)  # (n_warps, lane, turn)
    place = turns[:, order].reshape(len(turns), -1).argmax(axis=1)
    return order[place // turns.shape[2]], place % turns.shape[2]


def lanes_break_ties(values: Values) -> dict:
    """Only `>` was asked in the tree of shuffles, so lane 0, then 16, 8, 24, ... won a tie, whatever the indices."""
    right, n_warps = first_largest(values), values["value"].size
    lane, turn = lane_of_winner(values, np.array([int(f"{k:05b}"[::-1], 2) for k in range(WARP)]))
    index = (turn * n_warps + np.arange(n_warps)) * WARP + lane
    return right | {"index": np.minimum(index, values["src"].size)}


def thread_for_index(values: Values) -> dict:
    """cuda.threadIdx.x was remembered instead of the place in src."""
    right, n_warps = first_largest(values), values["value"].size
    lane, _ = lane_of_winner(values, np.arange(WARP))
    thread = np.arange(n_warps) % (THREADS // WARP) * WARP + lane
    return right | {"index": np.where(right["index"] == values["src"].size, right["index"], thread)}


def lanes_of_rows_alone(values: Values) -> dict:
    """Lane 0 wrote what it found in its row: every 32nd element."""
    return axis_totals(values) | {"row_sums": values["src"][:, ::WARP].sum(axis=1, dtype=np.float64)}


def rows_shared_by_nobody(values: Values) -> dict:
    """Each of the blocks of a column added all rows."""
    right = axis_totals(values)
    return right | {"col_sums": right["col_sums"] * blocks_a_column(len(right["row_sums"]))}
