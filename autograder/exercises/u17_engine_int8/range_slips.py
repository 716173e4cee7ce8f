"""Wrong outputs of unit 17 that betray their cause, where a range is chosen."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u17_engine_int8.range_values import bin_of, centres_of, range_errors, stored_as

# percentile_range


def at_bin(rule: Callable[[Values], float]) -> Callable[[Values], dict]:
    """The range at another place. rule: -> a number of bins."""
    return lambda values: {"limit": np.float64(rule(values) * values["width"])}


def share_of_bins(values: Values) -> int:
    return int(values["share"] * len(values["counts"]))


def from_the_other_end(values: Values) -> int:
    return bin_of(values | {"share": 1 - values["share"]})


PERCENTILE = (
    Slip(
        "upper_edge",
        "the range is one bin too large: the lower edge of the bin that reaches the share is asked for",
        at_bin(lambda v: bin_of(v) + 1),
    ),
    Slip(
        "middle_of_bin",
        "the range is half a bin too large: the lower edge is asked for",
        at_bin(lambda v: bin_of(v) + 0.5),
    ),
    Slip(
        "passed_not_reached",
        "where a bin reaches the share exactly, a later bin was taken: reached is enough, so compare with >=",
        at_bin(lambda v: bin_of(v, "right")),
    ),
    Slip(
        "share_of_bins",
        "the range follows the share of the bins: a share of the magnitudes is asked for, which counts tells",
        at_bin(share_of_bins),
    ),
    Slip(
        "share_of_the_largest",
        "the range is a share of the largest: a share of the magnitudes is asked for, which counts tells",
        at_bin(lambda v: v["share"] * len(v["counts"])),
    ),
    Slip(
        "wrong_end",
        "1 - share of the magnitudes lies below this range: the share that is kept lies below it",
        at_bin(from_the_other_end),
    ),
    Slip("bin_number", "this is the number of a bin: times width it is a magnitude", lambda v: bin_number(v)),
    Slip("scale_for_range", "this is the scale: the range is 127 of them", at_bin(lambda v: bin_of(v) / 127)),
)


def bin_number(values: Values) -> dict:
    """Without the width."""
    return {"limit": np.float64(bin_of(values))}


# range_errors


def by_stored(rule: Callable[[Values, np.ndarray], np.ndarray]) -> Callable[[Values], dict]:
    """Another idea of what remains of a centre. rule: (values, centres) -> (n_tried, n_bins)."""

    def produces(values: Values) -> dict:
        centres = centres_of(values)
        return {"errors": np.square(rule(values, centres) - centres) @ values["counts"].astype(np.float64)}

    return produces


def scales_of(values: Values) -> np.ndarray:
    return values["tried"].astype(np.float64)[:, None] / 127


def never_cut(values: Values, centres: np.ndarray) -> np.ndarray:
    return np.rint(centres / scales_of(values)) * scales_of(values)


def cut_off(values: Values, centres: np.ndarray) -> np.ndarray:
    return np.minimum(np.floor(centres / scales_of(values)), 127) * scales_of(values)


def range_as_scale(values: Values, centres: np.ndarray) -> np.ndarray:
    scales = scales_of(values) * 127
    return np.minimum(np.rint(centres / scales), 127) * scales


def with_128(values: Values, centres: np.ndarray) -> np.ndarray:
    scales = scales_of(values) * 127 / 128
    return np.minimum(np.rint(centres / scales), 127) * scales


def in_steps(values: Values, centres: np.ndarray) -> np.ndarray:
    return np.minimum(np.rint(centres / scales_of(values)), 127)


def clipped_alone(values: Values, centres: np.ndarray) -> np.ndarray:
    return np.minimum(centres, scales_of(values) * 127)


def by_lower_edges(values: Values) -> dict:
    """Each magnitude taken as large as the lower edge of its bin."""
    edges = centres_of(values) - float(values["width"]) / 2
    return {"errors": np.square(stored_as(values, edges) - edges) @ values["counts"].astype(np.float64)}


def magnitudes_of_errors(values: Values) -> dict:
    """|stored - centre| in place of its square."""
    centres = centres_of(values)
    return {"errors": np.abs(stored_as(values, centres) - centres) @ values["counts"].astype(np.float64)}


def with_counts(rule: Callable[[np.ndarray], np.ndarray]) -> Callable[[Values], dict]:
    """The right errors of other counts."""
    return lambda values: range_errors(values | {"counts": rule(values["counts"])})


ERRORS = (
    Slip(
        "never_cut",
        "what lies beyond a range loses nothing here: there are 127 steps, so it is stored as the last of them",
        by_stored(never_cut),
    ),
    Slip("truncated", "steps are cut off and not rounded: 2.75 became 2", by_stored(cut_off)),
    Slip(
        "range_as_scale",
        "the range itself is used as the scale: a step is one 127th of it",
        by_stored(range_as_scale),
    ),
    Slip(
        "levels",
        "a step is one 128th of the range here: 127 of them reach its end",
        by_stored(with_128),
    ),
    Slip("in_steps", "steps are compared with magnitudes: times the scale they are magnitudes", by_stored(in_steps)),
    Slip("clipping_alone", "only what is cut off counts: what rounding loses is missing", by_stored(clipped_alone)),
    Slip("lower_edges", "each magnitude is taken for the lower edge of its bin: take the middle", by_lower_edges),
    Slip("not_squared", "the errors are added up as they are: their squares are asked for", magnitudes_of_errors),
    Slip(
        "counts_left_out",
        "every bin counts once: counts[b] magnitudes have the error of bin b",
        with_counts(lambda counts: np.ones_like(counts)),
    ),
    Slip(
        "first_turn_only",
        "only the first 128 bins were looked at: each thread goes on in steps of 128",
        with_counts(lambda counts: np.where(np.arange(len(counts)) < 128, counts, 0)),
    ),
    Slip(
        "mean_in_place_of_sum",
        "this is the sum over the number of magnitudes: the sum itself is asked for",
        lambda v: {"errors": range_errors(v)["errors"] / v["counts"].sum()},
    ),
    Slip(
        "first_range_only",
        "every block worked on the first range: the block's number is its range",
        lambda v: range_errors(v | {"tried": np.broadcast_to(v["tried"][:1], v["tried"].shape)}),
    ),
)
