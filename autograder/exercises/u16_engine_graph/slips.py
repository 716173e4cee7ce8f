"""Wrong outputs of unit 16's layers that betray their cause: query_key_value, network_head."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u16_engine_graph.values import JOINED, apart, projected

# query_key_value


def product(values: Values) -> np.ndarray:
    """All three results side by side, float64."""
    return np.hstack([projected(values)[name] for name in JOINED])


def by_columns(rule: Callable[[np.ndarray, int, int], dict]) -> Callable[[Values], dict]:
    """Other columns of the wide product. rule: (product, n_query, n_key) -> outputs."""
    return lambda values: rule(product(values), values["queries"].shape[1], values["keys"].shape[1])


def exchanged(wide: np.ndarray, n_query: int, n_key: int) -> dict:
    """keys have the last columns."""
    last = wide[:, n_query + n_key :]
    return {"queries": wide[:, :n_query], "keys": last, "values": wide[:, n_query : n_query + n_key]}


def interleaved(wide: np.ndarray, n_query: int, n_key: int) -> dict:
    """Keys and values took turns."""
    rest = wide[:, n_query:]
    return {"queries": wide[:, :n_query], "keys": rest[:, ::2], "values": rest[:, 1::2]}


def last_product(values: Values) -> dict:
    return apart(values["x"][:, -1:].astype(np.float64) * values["weights"][-1:], values)


def first_product(values: Values) -> dict:
    return apart(values["x"][:, :1].astype(np.float64) * values["weights"][:1], values)


def of_row_0(values: Values) -> dict:
    """Every row of the results is the first row's."""
    wide = product(values)
    return apart(np.repeat(wide[:1], len(wide), axis=0), values)


def sums_of_all(values: Values) -> dict:
    """x was added up, not multiplied."""
    n_rows, n_cols = len(values["x"]), values["weights"].shape[1]
    return apart(np.broadcast_to(values["weights"].sum(axis=0, dtype=np.float64), (n_rows, n_cols)), values)


PROJECTIONS = (
    Slip(
        "keys_and_values_exchanged",
        "keys and values are exchanged: the next n_key columns are keys",
        by_columns(exchanged),
    ),
    Slip(
        "taking_turns",
        "columns of keys and values take turns: those of keys stand together, and those of values after them",
        by_columns(interleaved),
    ),
    Slip("last_product", "each result is its last product alone: add with +=", last_product),
    Slip(
        "first_product",
        "each result is its first product alone: an iteration for each of the n_in elements of a row",
        first_product,
    ),
    Slip("row_0_for_all", "every row has the results of row 0: the row belongs to the index of x", of_row_0),
    Slip("x_left_out", "weights are added up without x: each of them is a factor of x[row, k]", sums_of_all),
)

# network_head


def scores(values: Values, averages: np.ndarray) -> dict:
    """The fully connected layer, float64. averages: (n_images, n_channels)."""
    return {"logits": averages @ values["weights"].astype(np.float64) + values["bias"]}


def by_averages(rule: Callable[[Values, np.ndarray], np.ndarray]) -> Callable[[Values], dict]:
    """Another average of each channel. rule: (values, x + residual) -> (n_images, n_channels)."""

    def produces(values: Values) -> dict:
        with np.errstate(invalid="ignore"):
            return scores(values, rule(values, values["x"].astype(np.float64) + values["residual"]))

    return produces


def rectified(total: np.ndarray) -> np.ndarray:
    return np.maximum(total, 0)


def first_of_32(total: np.ndarray) -> np.ndarray:
    """Only the first iteration of each lane, divided by all."""
    return rectified(total)[:, :, :32].sum(axis=2) / total.shape[2]


def one_lane(total: np.ndarray) -> np.ndarray:
    """What lane 0 added up."""
    return rectified(total)[:, :, ::32].sum(axis=2) / total.shape[2]


def without_bias(values: Values) -> dict:
    averages = rectified(values["x"].astype(np.float64) + values["residual"]).mean(axis=2)
    return {"logits": scores(values, averages)["logits"] - values["bias"]}


def bias_per_channel(values: Values) -> dict:
    averages = rectified(values["x"].astype(np.float64) + values["residual"]).mean(axis=2)
    times = values["x"].shape[1] - 1
    return {"logits": scores(values, averages)["logits"] + times * values["bias"].astype(np.float64)}


def of_image_0(values: Values) -> dict:
    right = by_averages(lambda v, total: rectified(total).mean(axis=2))(values)["logits"]
    return {"logits": np.repeat(right[:1], len(right), axis=0)}


HEAD = (
    Slip(
        "relu_after_average",
        "the ReLU cuts the average: it has to cut every element first, before negative and positive ones cancel",
        by_averages(lambda values, total: rectified(total.mean(axis=2))),
    ),
    Slip(
        "residual_after_relu",
        "the residual is added after the ReLU: the ReLU cuts the sum of both",
        by_averages(lambda v, total: (rectified(v["x"].astype(np.float64)) + v["residual"]).mean(axis=2)),
    ),
    Slip("relu_left_out", "the ReLU is missing: what is below 0 counts as 0", by_averages(lambda v, t: t.mean(axis=2))),
    Slip(
        "residual_left_out",
        "the residual is missing",
        by_averages(lambda v, total: rectified(v["x"].astype(np.float64)).mean(axis=2)),
    ),
    Slip(
        "not_divided",
        "sums are taken for averages: divide by the number of a channel's pixels",
        by_averages(lambda v, total: rectified(total).sum(axis=2)),
    ),
    Slip(
        "not_divided",
        "sums are divided by 32, the lanes of a warp: divide by the number of a channel's pixels",
        by_averages(lambda v, total: rectified(total).sum(axis=2) / 32),
    ),
    Slip(
        "average_cut",
        "averages are cut to whole numbers: // is for indices, and an average has a fraction",
        by_averages(lambda v, total: np.floor(rectified(total).mean(axis=2))),
    ),
    Slip(
        "largest_taken",
        "the largest element of a channel is taken: the average is asked for",
        by_averages(lambda v, total: rectified(total).max(axis=2)),
    ),
    Slip(
        "first_turn_only",
        "only the first 32 pixels of a channel count: each lane goes on in steps of 32",
        by_averages(lambda v, total: first_of_32(total)),
    ),
    Slip(
        "own_lane_only",
        "a channel's sum is what its first lane added up: add the sums of all 32 lanes",
        by_averages(lambda v, total: one_lane(total)),
    ),
    Slip("bias_left_out", "the bias is missing", without_bias),
    Slip("bias_per_channel", "the bias is added once per channel: it belongs to the whole sum", bias_per_channel),
    Slip("image_0_for_all", "every image has the result of image 0", of_image_0),
)
