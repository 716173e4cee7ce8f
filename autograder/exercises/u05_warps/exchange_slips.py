"""What known mistakes with shuffles and matches compute. Each takes the values of a case, as in `slips`."""

from __future__ import annotations

from functools import partial

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u05_warps.values import SIDE, WARP, counted


def each_turn_alone(values: Values) -> dict:
    """Each stretch of 32 columns begins at 0 again."""
    src = values["src"].astype(np.float64)
    parts = [src[:, k : k + WARP].cumsum(axis=1) for k in range(0, src.shape[1], WARP)]
    return {"dst": np.concatenate(parts, axis=1) if parts else src}


def exclusive(values: Values) -> dict:
    """The element itself left out."""
    src = values["src"].astype(np.float64)
    with np.errstate(invalid="ignore"):
        return {"dst": src.cumsum(axis=1) - src}


def from_the_right(values: Values) -> dict:
    """Each stretch of 32 added up from its end: what shuffles down do."""
    src = values["src"].astype(np.float64)
    parts = [src[:, k : k + WARP][:, ::-1].cumsum(axis=1)[:, ::-1] for k in range(0, src.shape[1], WARP)]
    return {"dst": np.concatenate(parts, axis=1) if parts else src}


def _in_turns(src: np.ndarray, scan, carried) -> dict:
    """Rows, 32 columns at a time, padded with 0. scan: (rows, 32) -> the same; carried: (sums, sums of these 32, the
    carry) -> the next carry."""
    n_rows, n_cols = src.shape
    padded = np.zeros((n_rows, -(-n_cols // WARP) * WARP))
    padded[:, :n_cols] = src
    carry = np.zeros((n_rows, 1))
    for begin in range(0, n_cols, WARP):
        alone = scan(padded[:, begin : begin + WARP])
        padded[:, begin : begin + WARP] = alone + carry
        carry = carried(alone + carry, alone)
    return {"dst": padded[:, :n_cols]}


def last_carry_alone(values: Values) -> dict:
    """The carry is the sum of the iteration before, without what that one had been given."""
    src = values["src"].astype(np.float64)
    return _in_turns(src, lambda part: part.cumsum(axis=1), lambda sums, alone: alone[:, -1:])


def carry_of_each_lane(values: Values) -> dict:
    """Each lane carries its own sum over."""
    src = values["src"].astype(np.float64)
    return _in_turns(src, lambda part: part.cumsum(axis=1), lambda sums, alone: sums)


def carry_of_lane_31(values: Values) -> dict:
    """Lane 31 alone has a carry; the others go on with 0."""
    src = values["src"].astype(np.float64)

    def carried(sums: np.ndarray, alone: np.ndarray) -> np.ndarray:
        return np.where(np.arange(WARP) == WARP - 1, sums, 0)

    return _in_turns(src, lambda part: part.cumsum(axis=1), carried)


def carry_of_lane_0(values: Values) -> dict:
    """Lane 0's sum is carried over."""
    src = values["src"].astype(np.float64)
    return _in_turns(src, lambda part: part.cumsum(axis=1), lambda sums, alone: sums[:, :1])


def one_lane_too_high(values: Values) -> dict:
    """Lanes with l > d add, and lane d, which has somebody at l - d, does not."""
    src = values["src"].astype(np.float64)
    return _in_turns(src, _scan_of((1, 2, 4, 8, 16), True, skipped=1), lambda sums, alone: sums[:, -1:])


def heard_times_zero(values: Values) -> dict:
    """What the lowest lanes hear is multiplied by 0: infinity times 0 is NaN."""
    src = values["src"].astype(np.float64)
    with np.errstate(invalid="ignore"):
        return _in_turns(src, _scan_of((1, 2, 4, 8, 16), False, times=0.0), lambda sums, alone: sums[:, -1:])


def _scan_of(distances: tuple[int, ...], guarded: bool, times: float = 1.0, skipped: int = 0):
    """A scan of (rows, 32) with some distances. guarded: the lowest d lanes, and so many `skipped` ones, add nothing;
    elsewhere they add their own value `times` something."""

    def scan(part: np.ndarray) -> np.ndarray:
        value = part.copy()
        for d in distances:
            heard = value * times if not guarded else np.zeros_like(value)
            heard[:, d + skipped :] = value[:, skipped:-d]
            value = value + heard
        return value

    return scan


def sixteen_missing(values: Values) -> dict:
    """Four steps, with distances up to 8."""
    src = values["src"].astype(np.float64)
    return _in_turns(src, _scan_of((1, 2, 4, 8), True), lambda sums, alone: sums[:, -1:])


def lowest_add_themselves(values: Values) -> dict:
    """Lanes without anybody below get their own value back, and add it."""
    src = values["src"].astype(np.float64)
    return _in_turns(src, _scan_of((1, 2, 4, 8, 16), False), lambda sums, alone: sums[:, -1:])


def _exchanged(values: Values, rounds: tuple[int, ...], keeps: bool = False) -> dict:
    """What some rounds of exchanges leave. keeps: each lane gives the number that it should keep."""
    src = values["src"]
    n_rows, n_cols = src.shape
    padded = np.zeros((-(-n_rows // SIDE) * SIDE, -(-n_cols // SIDE) * SIDE), np.float32)
    padded[:n_rows, :n_cols] = src
    a = padded.reshape(padded.shape[0] // SIDE, SIDE, padded.shape[1] // SIDE, SIDE).transpose(0, 2, 1, 3).copy()
    for d in rounds:  # a: (strips, groups, register, lane)
        for k in (k for k in range(SIDE) if not k & d):
            lower = np.array([lane for lane in range(SIDE) if not lane & d])
            low, high = a[..., k, :].copy(), a[..., k + d, :].copy()
            from_upper, from_lower = (high, low) if keeps else (low, high)
            a[..., k + d, lower] = from_upper[..., lower + d]
            a[..., k, lower + d] = from_lower[..., lower]
    dst = a.transpose(1, 2, 0, 3).reshape(padded.shape[::-1])  # lane l stores row l of the strip
    return {"dst": dst[:n_cols, :n_rows]}


def copied(values: Values) -> dict:
    """The pieces of eight by eight are in their new places, but not turned themselves."""
    src = values["src"]
    n_rows, n_cols = src.shape
    padded = np.zeros((-(-n_rows // 8) * 8, -(-n_cols // 8) * 8), np.float32)
    padded[:n_rows, :n_cols] = src
    pieces = padded.reshape(padded.shape[0] // 8, 8, padded.shape[1] // 8, 8)
    return {"dst": pieces.transpose(2, 1, 0, 3).reshape(padded.shape[::-1])[:n_cols, :n_rows]}


def whole_group_adds(values: Values) -> dict:
    """Every member adds the size of its group."""
    hist = np.zeros(values["hist"].size, np.int64)
    for first in range(0, values["keys"].size, WARP):
        keys, sizes = np.unique(values["keys"][first : first + WARP], return_counts=True)
        hist[keys] += sizes * sizes
    return {"hist": hist}


def lane_0_leads(values: Values) -> dict:
    """Only the group of lane 0 is counted."""
    hist = np.zeros(values["hist"].size, np.int64)
    for first in range(0, values["keys"].size, WARP):
        part = values["keys"][first : first + WARP]
        hist[part[0]] += (part == part[0]).sum()
    return {"hist": hist}


def spare_lanes_counted(values: Values) -> dict:
    """Lanes without a key count as key 0."""
    hist = np.asarray(counted(values)["hist"]).copy()
    hist[0] += max(1, -(-values["keys"].size // 256)) * 256 - values["keys"].size
    return {"hist": hist}


def second_lane_leads(values: Values) -> dict:
    """The lane after the lowest one adds, where it belongs to the group."""
    hist = np.zeros(values["hist"].size, np.int64)
    for first in range(0, values["keys"].size, WARP):
        part = values["keys"][first : first + WARP]
        for key in np.unique(part):
            lanes = np.flatnonzero(part == key)
            hist[key] += lanes.size * (lanes[0] + 1 in lanes)
    return {"hist": hist}


def groups_counted(values: Values) -> dict:
    """1 was added for each group, however many lanes it has."""
    hist = np.zeros(values["hist"].size, np.int64)
    for first in range(0, values["keys"].size, WARP):
        hist[np.unique(values["keys"][first : first + WARP])] += 1
    return {"hist": hist}


SCANS = (
    Slip("no_carry", "every 32 columns the sum begins at 0 again: nothing is carried over", each_turn_alone),
    Slip("exclusive", "each element lacks its own value: what comes before it is added, without itself", exclusive),
    Slip(
        "shuffle_direction", "each stretch of 32 is added up from its right end: the values move down", from_the_right
    ),
    Slip(
        "carry_not_added_up",
        "from column 64 on only the last 32 columns are carried over: the carry must hold all that came before",
        last_carry_alone,
    ),
    Slip(
        "carry_not_shared",
        "each lane carries its own sum over: lane 31 has the sum of the whole iteration, and must tell the others",
        carry_of_each_lane,
    ),
    Slip(
        "carry_not_shared",
        "lane 31 alone has the carry: the other lanes go on with what they had, and must be told",
        carry_of_lane_31,
    ),
    Slip(
        "carry_not_shared", "lane 0's sum is carried over: lane 31 has the sum of the whole iteration", carry_of_lane_0
    ),
    Slip(
        "lowest_lanes_add_themselves",
        "in each step one lane too few adds: lane d has lane 0 to ask, so lanes with l at least d add",
        one_lane_too_high,
    ),
    Slip(
        "infinity_times_zero",
        "what the lowest lanes hear is multiplied by 0 in place of being left out: infinity times 0 is NaN",
        heard_times_zero,
    ),
    Slip(
        "half_a_warp",
        "each sum holds the last 16 columns at most: the step with distance 16 is missing",
        sixteen_missing,
    ),
    Slip(
        "lowest_lanes_add_themselves",
        "lanes with nobody below them get their own value back from the shuffle, and add it to themselves",
        lowest_add_themselves,
    ),
)
TURNED = (
    Slip("not_exchanged", "the pieces of 8 x 8 are in their places, but not transposed themselves", copied),
    *(
        Slip(
            "round_missing",
            f"the round with distance {7 - sum(rounds)} is missing: the exchanges with {rounds[0]} and {rounds[1]} "
            "were made",
            partial(_exchanged, rounds=rounds),
        )
        for rounds in ((4, 2), (4, 1), (2, 1))
    ),
    Slip(
        "gives_what_it_keeps",
        "each lane gave the number that it should keep, and kept a copy: give the other one of the two",
        partial(_exchanged, rounds=(4, 2, 1), keeps=True),
    ),
)
KEYS = (
    Slip("one_per_group", "each group of equal lanes counts as 1, however many lanes it has", groups_counted),
    Slip("whole_group_adds", "every lane adds the size of its group: of each group, one lane should", whole_group_adds),
    Slip(
        "ffs_from_one",
        "the leader is one lane too high, and often of another group: cuda.ffs counts the lowest bit as 1",
        second_lane_leads,
    ),
    Slip(
        "lane_0_leads",
        "only the group that lane 0 belongs to is counted: each group has a leader of its own",
        lane_0_leads,
    ),
    Slip(
        "spare_lanes_counted",
        "lanes past the end count as key 0: they have no key, so nobody may count them",
        spare_lanes_counted,
    ),
)
