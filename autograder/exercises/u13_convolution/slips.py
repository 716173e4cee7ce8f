"""Wrong outputs of unit 13 that betray their cause: what each mistake computes, and what to say about it."""

from __future__ import annotations

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u13_convolution import values as data
from autograder.exercises.u13_convolution.product_values import as_matrix


def flipped(values: Values) -> dict:
    """The weights were turned round, as in mathematics."""
    return data.convolved(values | {"weights": values["weights"][..., ::-1, ::-1]})


def weights_transposed(values: Values) -> dict:
    """Rows and columns of the weights were exchanged."""
    return data.convolved(values | {"weights": values["weights"].swapaxes(-1, -2)})


def last_channel(values: Values) -> dict:
    """The sum begins anew in every channel."""
    return data.convolved({"src": values["src"][:, -1:], "weights": values["weights"][:, -1:]})


def first_channel(values: Values) -> dict:
    """One channel of src was used."""
    return data.convolved({"src": values["src"][:, :1], "weights": values["weights"][:, :1]})


def not_centred(values: Values) -> dict:
    """The window begins at the output's own place, and goes down and right from there."""
    k = values["weights"].shape[-1]
    pad = k // 2
    src = np.pad(values["src"], ((0, 0), (0, 0), (0, pad), (0, pad)))
    return {"dst": data.convolved(values | {"src": src})["dst"][:, :, pad:, pad:]}


def edges_repeated(values: Values) -> dict:
    """Past an edge, the nearest pixel inside counted again."""
    weights = values["weights"].astype(np.float64)
    met = data.windows(values["src"], weights.shape[-1], "edge")
    with np.errstate(invalid="ignore"):
        return {"dst": np.einsum("oiab,nircab->norc", weights, met)}


def first_image(values: Values) -> dict:
    """Every image got the result of the first."""
    src = np.broadcast_to(values["src"][:1], values["src"].shape)
    return data.convolved(values | {"src": src})


def rows_cut_short(values: Values) -> dict:
    """x of the grid went down the rows: as many rows as there are threads along x, as many columns as along y."""
    dst = np.asarray(data.convolved(values)["dst"])
    (blocks_x, blocks_y, _), (threads_x, threads_y, _) = data.planes(values)
    rows, cols = np.indices(dst.shape)[-2:]
    return {"dst": np.ma.masked_array(dst, mask=(rows >= blocks_x * threads_x) | (cols >= blocks_y * threads_y))}


LAYER = (
    Slip("weights_turned", "the weights are flipped: weights[..., 0, 0] belongs to the upper left", flipped),
    Slip("swapped_axes", "rows and columns of the weights are exchanged", weights_transposed),
    Slip("sum_begins_anew", "only the last channel of src counts: the sum begins anew in every channel", last_channel),
    Slip("first_channel_only", "only the first channel of src was used", first_channel),
    Slip(
        "not_centred",
        "the window begins at the output's own place: the middle weight belongs there, so it should begin k // 2 "
        "rows higher and k // 2 columns further left",
        not_centred,
    ),
    Slip("border", "past an edge the nearest element counts again: 0 should", edges_repeated),
    Slip("first_image_only", "every image has the result of the first: the image is part of the index", first_image),
)
DIRECT = (
    Slip(
        "swapped_axes",
        "the grid's axes are exchanged: cuda.grid gives x first, and x has as many threads as a row has elements. "
        "So rows and columns were cut short",
        rows_cut_short,
    ),
    *LAYER,
)


def without_halo(values: Values) -> dict:
    """What the neighbours of a block own counted as 0."""
    weights, src = values["weights"], values["src"]
    dst = np.zeros(values["dst"].shape)
    for row in range(0, src.shape[2], data.HIGH):
        for col in range(0, src.shape[3], data.WIDE):
            place = (..., slice(row, row + data.HIGH), slice(col, col + data.WIDE))
            dst[place] = data.convolved({"src": src[place], "weights": weights})["dst"]
    return {"dst": dst}


def first_group(values: Values) -> dict:
    """Every group of 8 output channels got the weights of the first."""
    n_out = len(values["weights"])
    return data.convolved(values | {"weights": values["weights"][np.arange(n_out) % data.FILTERS]})


TILED = (
    Slip(
        "missing_halo",
        "outputs at the edges of a block are wrong: what its neighbours own was never loaded",
        without_halo,
    ),
    Slip(
        "group_left_out",
        "every group of 8 output channels has the weights of the first: the group is part of their index",
        first_group,
    ),
    *LAYER,
)


# im2col, and a product without it


def weights_first(values: Values) -> dict:
    """Rows of cols in another order: all channels of the first weight, then all of the next."""
    met = data.windows(values["src"], 3)
    return {"cols": met.transpose(4, 5, 1, 0, 2, 3).reshape(9 * met.shape[1], -1)}


def columns_first(values: Values) -> dict:
    """a counts columns and b rows."""
    return {"cols": as_matrix(data.windows(values["src"], 3).swapaxes(-1, -2))}


def cols_not_centred(values: Values) -> dict:
    """The window begins at the output's own place."""
    src = np.pad(values["src"], ((0, 0), (0, 0), (0, 1), (0, 1)))
    return {"cols": as_matrix(data.windows(src, 3)[:, :, 1:, 1:])}


def cols_of_edges(values: Values) -> dict:
    """Past an edge, the nearest element."""
    return {"cols": as_matrix(data.windows(values["src"], 3, "edge"))}


def cols_of_first_image(values: Values) -> dict:
    """Every image has the columns of the first."""
    return {"cols": as_matrix(data.windows(np.broadcast_to(values["src"][:1], values["src"].shape), 3))}


def rows_run_on(values: Values) -> dict:
    """The row of p was not taken back to its image: from the second image on, everything lies past the edge."""
    met = data.windows(values["src"], 3).copy()
    met[1:] = 0
    if len(met) > 1:  # the first row of the second image is row n_rows of it, whose upper weights still meet the last
        met[1, :, 0, :, 0] = data.windows(values["src"], 3)[1, :, -1, :, 1]
    return {"cols": as_matrix(met)}


def cols_wrapped(values: Values) -> dict:
    """One place further in memory: past the end of a row its neighbour is the beginning of the next."""
    src = values["src"]
    flat = src.reshape(*src.shape[:2], -1)
    n_cols, n = src.shape[3], flat.shape[2]
    met = np.zeros((*flat.shape[:2], n, 3, 3), src.dtype)
    for a in range(3):
        for b in range(3):
            place = np.arange(n) + (a - 1) * n_cols + b - 1
            there = (place >= 0) & (place < n)
            met[:, :, there, a, b] = flat[:, :, place[there]]
    return {"cols": as_matrix(met.reshape(*src.shape, 3, 3))}


def channels_cut(values: Values) -> dict:
    """Rows of the matrix past the last whole 16 were left out."""
    return rows_of_matrix(values, values["weights"][0].size // 16 * 16)


def first_sixteen(values: Values) -> dict:
    """The loop over tiles ran once."""
    return rows_of_matrix(values, 16)


def last_of_matrix(values: Values) -> dict:
    """`=` for `+=`: the last row of the last tile, which is 0 where the tile is not full."""
    flat = values["weights"].reshape(len(values["weights"]), -1).copy()
    flat[:, :-1] = 0
    if flat.shape[1] % 16:
        flat[:] = 0
    return data.convolved(values | {"weights": flat.reshape(values["weights"].shape)})


def rows_of_matrix(values: Values, n: int) -> dict:
    """The product of the first n rows of cols with their weights."""
    flat = values["weights"].reshape(len(values["weights"]), -1).copy()
    flat[:, n:] = 0
    return data.convolved(values | {"weights": flat.reshape(values["weights"].shape)})


UNROLLED = (
    Slip(
        "neighbour_in_memory",
        "past the end of a row the beginning of the next one is met: neighbours in memory need not be neighbours in a "
        "row, so ask for the column, too",
        cols_wrapped,
    ),
    Slip(
        "row_runs_on",
        "from the second image on nearly everything is 0: the row counts on through the images: % n_rows is missing",
        rows_run_on,
    ),
    Slip(
        "rows_in_another_order",
        "the rows of cols come in another order: nine rows belong to channel 0, the next nine to channel 1",
        weights_first,
    ),
    Slip("swapped_axes", "rows and columns of the weights are exchanged: 3 a + b goes along rows first", columns_first),
    Slip(
        "not_centred",
        "the window begins at the output's own place, where the middle weight belongs: begin one row higher and one "
        "column further left",
        cols_not_centred,
    ),
    Slip("border", "past an edge the nearest element is stored: it should be 0", cols_of_edges),
    Slip(
        "first_image_only",
        "every image has the columns of the first: p counts through the images, too",
        cols_of_first_image,
    ),
)
IMPLICIT = (
    Slip("last_product", "each output is the last product of its sum alone", last_of_matrix),
    Slip("first_tile_only", "only the first 16 rows of the matrix were multiplied", first_sixteen),
    Slip(
        "last_tile_missing",
        "the last rows of the matrix are missing where they fill no whole tile of 16",
        channels_cut,
    ),
    *LAYER,
)
