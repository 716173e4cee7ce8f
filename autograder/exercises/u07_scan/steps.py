"""What becomes of running sums in which one step, between lanes, between warps or down a tree, is another one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Values
from autograder.exercises.u07_scan.values import FOURS, THREADS, in_pieces

WARP = 32


def fours_by_warp(values: Values, lanes: Callable[[np.ndarray], np.ndarray], warps: Callable[[np.ndarray], np.ndarray]):
    """Running sums of four a thread, where one step is another one.

    lanes: what lies before each lane, of the (warps, 32) totals of threads; warps: what lies before each warp, of the
    (blocks, 8, 32) totals.
    """
    src = values["src"]
    own = in_pieces(src, 4).cumsum(axis=1, dtype=np.float64)
    totals = in_pieces(own[:, -1], WARP)
    of_lanes = lanes(totals).ravel()[: len(own)]
    of_warps = warps(in_pieces(own[:, -1], FOURS // 4).reshape(-1, FOURS // 4 // WARP, WARP))
    before = of_lanes + np.repeat(of_warps.ravel(), WARP)[: len(own)]
    return {"dst": (own + before[:, None]).ravel()[: src.size]}


def before_lanes(totals: np.ndarray) -> np.ndarray:
    """What lies before each lane of a warp. totals: (warps, 32)."""
    return totals.cumsum(axis=1) - totals


def before_warps(totals: np.ndarray) -> np.ndarray:
    """What lies before each warp of a block. totals: (blocks, 8, 32)."""
    sums = totals.sum(axis=2)
    return sums.cumsum(axis=1) - sums


def lane_0_hears_itself(values: Values) -> dict:
    """The shuffle that brings what lies before a lane gives lane 0 its own total."""

    def lanes(totals: np.ndarray) -> np.ndarray:
        before = before_lanes(totals)
        before[:, 0] = totals[:, 0]
        return before

    return fours_by_warp(values, lanes, before_warps)


def warp_before_alone(values: Values) -> dict:
    """Each warp adds the total of the warp before it, and of no other."""
    return fours_by_warp(values, before_lanes, lambda totals: np.pad(totals.sum(axis=2), ((0, 0), (1, 0)))[:, :-1])


def totals_of_lane_0(values: Values) -> dict:
    """The total that a warp leaves is lane 0's."""
    return fours_by_warp(values, before_lanes, lambda totals: totals[:, :, 0].cumsum(axis=1) - totals[:, :, 0])


def down_the_tree(step: Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]) -> Callable[[Values], dict]:
    """Blelloch's scan with another step on the way down. step: (left, right) of pairs become (left, right)."""

    def produces(values: Values) -> dict:
        s = in_pieces(values["src"], THREADS).astype(np.float64)
        for d in (1 << k for k in range(8)):
            s[:, 2 * d - 1 :: 2 * d] += s[:, d - 1 :: 2 * d]
        s[:, -1] = 0
        for d in (128 >> k for k in range(8)):
            left, right = s[:, d - 1 :: 2 * d].copy(), s[:, 2 * d - 1 :: 2 * d].copy()
            s[:, d - 1 :: 2 * d], s[:, 2 * d - 1 :: 2 * d] = step(left, right)
        return {"dst": s.ravel()[: values["src"].size]}

    return produces
