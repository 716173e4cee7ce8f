"""What known mistakes of unit 07 compute. Each takes the values of a case and returns the outputs it would give."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u07_scan.steps import (
    down_the_tree,
    lane_0_hears_itself,
    totals_of_lane_0,
    warp_before_alone,
)
from autograder.exercises.u07_scan.values import (
    FOURS,
    PIECE,
    THREADS,
    TILE,
    above,
    exclusive,
    in_order,
    in_pieces,
    inclusive_by,
)

WARP = 32


def restarting(size: int, dtype: type = np.float64) -> Callable[[Values], dict]:
    """Running sums that begin again every `size` elements."""
    return lambda v: {"dst": in_pieces(v["src"], size).cumsum(axis=1, dtype=dtype).ravel()[: v["src"].size]}


def without_own(size: int) -> Callable[[Values], dict]:
    """Running sums that begin again every `size` elements and leave the own element out."""

    def produces(values: Values) -> dict:
        with np.errstate(invalid="ignore"):  # infinity minus infinity
            return {"dst": inclusive_by(size)(values)["dst"] - values["src"]}

    return produces


def reaching_back(n: int) -> Callable[[Values], dict]:
    """The sums of the last n elements of the same 256: a scan whose distances end below n."""

    def produces(values: Values) -> dict:
        rows = in_pieces(values["src"], THREADS).astype(np.float64)
        sums = np.stack([rows[:, max(0, t + 1 - n) : t + 1].sum(axis=1) for t in range(THREADS)], axis=1)
        return {"dst": sums.ravel()[: values["src"].size]}

    return produces


def every_second(values: Values) -> dict:
    """The first iteration, of neighbours, is missing: only elements at even distances were added up."""
    rows = in_pieces(values["src"], THREADS).astype(np.float64)
    sums = np.empty_like(rows)
    for start in (0, 1):
        sums[:, start::2] = rows[:, start::2].cumsum(axis=1)
    return {"dst": sums.ravel()[: values["src"].size]}


def block_sum_added(values: Values) -> dict:
    """The root kept the block's sum, which went down the tree to everybody."""
    own = np.repeat(in_pieces(values["src"], THREADS).sum(axis=1, dtype=np.float64), THREADS)
    return {"dst": exclusive(values)["dst"] + own[: values["src"].size]}


def starts_of_first(n: int) -> Callable[[Values], dict]:
    """The first n pieces got their starts; each of the others began with its own sum."""

    def produces(values: Values) -> dict:
        pieces = in_pieces(values["src"].astype(np.int64), PIECE)
        sums = pieces.sum(axis=1)
        starts = np.where(np.arange(sums.size) < n, sums.cumsum() - sums, sums)
        return {"dst": (pieces.cumsum(axis=1) + starts[:, None]).ravel()[: values["src"].size]}

    return produces


def before_for_all_four(values: Values) -> dict:
    """Each thread wrote the sum of what lies before its four to all of them."""
    sums = in_pieces(values["src"], 4).sum(axis=1, dtype=np.float64)
    per_block = in_pieces(sums, FOURS // 4)
    with np.errstate(invalid="ignore"):
        before = (per_block.cumsum(axis=1) - per_block).ravel()
    return {"dst": np.repeat(before, 4)[: values["src"].size]}


def missing_piece(values: Values) -> dict:
    """Each piece began with the sum up to its own end: the starts were scanned inclusively."""
    pieces = in_pieces(values["src"].astype(np.int64), PIECE)
    own = np.repeat(pieces.sum(axis=1), PIECE)[: values["src"].size]
    return {"dst": values["src"].cumsum(dtype=np.int64) + own}


def whole_without_own(values: Values) -> dict:
    """Running sums of everything without the own element."""
    with np.errstate(invalid="ignore"):
        return {"dst": values["src"].cumsum(dtype=np.float64) - values["src"]}


def nearest_tile_only(values: Values) -> dict:
    """Each tile began with the sum of the one before it alone."""
    pieces = in_pieces(values["src"].astype(np.float64), TILE)
    starts = np.append(0, pieces.sum(axis=1)[:-1])
    return {"dst": (pieces.cumsum(axis=1) + starts[:, None]).ravel()[: values["src"].size]}


def equal_kept(values: Values) -> dict:
    """What equals the limit was kept as well."""
    return above(values | {"limit": np.nextafter(values["limit"], np.float32(-np.inf))})


def not_closed(values: Values) -> dict:
    """The elements stayed at their own places."""
    src = values["src"]
    return {"dst": np.where(src > values["limit"], src, values["dst"]), "count": above(values)["count"]}


def lowest_bits(bits: int) -> Callable[[Values], dict]:
    """Rounds are missing: in order of the lowest bits alone."""

    def produces(values: Values) -> dict:
        keys = values["keys"]
        return {"keys": keys[np.argsort(keys & ((1 << bits) - 1), kind="stable")]}

    return produces


def highest_first(values: Values) -> dict:
    """The highest digit first and the lowest last: in order of the four digits read backwards."""
    keys = values["keys"]
    return {"keys": keys[np.argsort(keys.byteswap(), kind="stable")]}


def falling(values: Values) -> dict:
    """The largest first."""
    return {"keys": in_order(values)["keys"][::-1]}


INCLUSIVE = (
    Slip("inclusive_or_exclusive", "the own element is left out: each sum ends one element too early", exclusive),
    Slip(
        "warps_alone", "the sums begin again every 32 elements: iterations beyond d = 16 are missing", restarting(WARP)
    ),
    Slip(
        "last_turn_missing",
        "each sum reaches back over 128 elements only: the iteration of d = 128 is missing",
        reaching_back(128),
    ),
    Slip(
        "warps_alone",
        "each sum reaches back over 32 elements only: iterations beyond d = 16 are missing",
        reaching_back(WARP),
    ),
    Slip(
        "first_turn_missing",
        "only every second element is in the sums: the iteration of d = 1 is missing",
        every_second,
    ),
)
EXCLUSIVE = (
    Slip(
        "inclusive_or_exclusive", "the own element is included: an exclusive scan leaves it out", inclusive_by(THREADS)
    ),
    Slip("root_not_cleared", "every sum is too large by the block's own sum: the root is not 0", block_sum_added),
    Slip(
        "children_exchanged",
        "on the way down the two children are exchanged: the left one gets what the right one held, and the right one "
        "the sum of both",
        down_the_tree(lambda left, right: (left + right, left)),
    ),
    Slip(
        "children_exchanged",
        "the left cell is overwritten before it is added to the right one: keep it in a variable first",
        down_the_tree(lambda left, right: (right, right + right)),
    ),
)
FOURS_EACH = (
    Slip(
        "inclusive_or_exclusive", "the own element is left out: each sum ends one element too early", without_own(FOURS)
    ),
    Slip("warps_alone", "the sums begin again every 128 elements: the warps before are missing", restarting(128)),
    Slip("threads_alone", "the sums begin again every 4 elements: the lanes before are missing", restarting(4)),
    Slip(
        "lane_0_hears_itself",
        "lane 0 adds its own total as what lies before it: nobody is before lane 0, and it hears itself in a shuffle",
        lane_0_hears_itself,
    ),
    Slip(
        "warps_alone",
        "each warp adds the total of the warp before it alone: all warps before it count",
        warp_before_alone,
    ),
    Slip("warps_alone", "what a warp leaves is lane 0's total: the sum of all lanes is in lane 31", totals_of_lane_0),
    Slip("own_four_missing", "all four elements of a thread get the sum of what lies before them", before_for_all_four),
)
DEVICE = (
    Slip(
        "inclusive_or_exclusive",
        "the own element is left out: each sum ends one element too early",
        lambda v: {"dst": (v["src"].cumsum(dtype=np.int64) - v["src"]).astype(np.int32)},
    ),
    Slip(
        "pieces_alone", "the sums begin again every 1,024 elements: no piece got its start", restarting(PIECE, np.int64)
    ),
    Slip(
        "starts_inclusive",
        "each piece is too large by its own sum: the starts are those of the next piece",
        missing_piece,
    ),
    *(
        Slip(
            "one_turn_of_sums",
            f"pieces from number {n:,} on begin with their own sum: one iteration of a block reaches {n:,} of the sums",
            starts_of_first(n),
        )
        for n in (256, 512, 1024, 2048)
    ),
)
LOOKBACK = (
    Slip("tiles_alone", "the sums begin again every 4,096 elements: no tile got its start", restarting(TILE)),
    Slip(
        "looks_at_one_tile", "each tile begins with the sum of the one tile before it, and no more", nearest_tile_only
    ),
    Slip(
        "inclusive_or_exclusive", "the own element is left out: each sum ends one element too early", whole_without_own
    ),
)
KEPT = (
    Slip(
        "fixed_limit", "what is above 0 is kept, whatever the limit is", lambda v: above(v | {"limit": np.float32(0)})
    ),
    Slip("keeps_equal", "what equals the limit is kept as well: it is not above", equal_kept),
    Slip("gaps_left", "every kept element is still at its old place: the gaps are not closed", not_closed),
)
SORTED = (
    Slip(
        "highest_first",
        "the keys are in order of their lowest digit, then the next: the highest came first",
        highest_first,
    ),
    Slip("one_round", "the keys are in order of their lowest 8 bits only", lowest_bits(8)),
    *(
        Slip(
            "one_round",
            f"the keys are in order of their lowest {bits} bits only: a round is missing, or wrote to spare alone",
            lowest_bits(bits),
        )
        for bits in (16, 24)
    ),
    Slip("falling_order", "the largest key comes first", falling),
)
