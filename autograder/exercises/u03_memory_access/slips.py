"""What known mistakes of unit 03 compute. Each takes the values of a case and returns the outputs it would give."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u03_memory_access import level_values as levels
from autograder.exercises.u03_memory_access import values as data


def from_the_beginning(values: Values) -> dict:
    """start was left out."""
    return data.taken(values | {"start": 0})


def neighbours(values: Values) -> dict:
    """step was left out."""
    return data.taken(values | {"step": 1})


def start_scaled(values: Values) -> dict:
    """src[(start + i) step]."""
    return data.taken(values | {"start": values["start"] * values["step"]})


def cut_short(oracle: Callable[[Values], dict], launch: Callable[[Values], tuple]) -> Callable[[Values], dict]:
    """x of the grid went down the rows: as many rows as there are threads along x, as many columns as along y."""

    def produces(values: Values) -> dict:
        dst = np.asarray(oracle(values)["dst"])
        (blocks_x, blocks_y, *_), (threads_x, threads_y, *_) = launch(values)
        rows, cols = np.indices(dst.shape)[-2:]
        return {"dst": np.ma.masked_array(dst, mask=(rows >= blocks_x * threads_x) | (cols >= blocks_y * threads_y))}

    return produces


def first_rows(values: Values) -> dict:
    """dst[r] = src[r]: the table's first rows, whichever are wanted."""
    places = np.arange(len(values["dst"])).clip(0, len(values["src"]) - 1)
    return {"dst": values["src"][places]}


def dt_left_out(values: Values) -> dict:
    """x += vx."""
    return data.drifted(values | {"dt": np.float32(1)})


def wrong_velocities(values: Values) -> dict:
    """The mass taken for vx, vx for vy, vy for vz."""
    bodies = data.drifted(values | {"dt": 0})["bodies"]
    with np.errstate(invalid="ignore"):
        bodies[0:3] += float(values["dt"]) * bodies[3:6]
    return {"bodies": bodies}


def x_alone(values: Values) -> dict:
    """y and z stay."""
    bodies = data.drifted(values)["bodies"]
    bodies[1:3] = values["bodies"][1:3]
    return {"bodies": bodies}


def mass_moved(values: Values) -> dict:
    """The mass moved, too, by the charge."""
    bodies = data.drifted(values)["bodies"]
    with np.errstate(invalid="ignore"):
        bodies[3] += float(values["dt"]) * bodies[7]
    return {"bodies": bodies}


def whole_fours(values: Values) -> dict:
    """The elements after the last four were never copied."""
    dst = data.copied(values)["dst"]
    return {"dst": np.ma.masked_array(dst, mask=np.arange(dst.size) >= dst.size // 4 * 4)}


def copy_from_the_beginning(values: Values) -> dict:
    """start was left out."""
    return data.copied(values | {"start": 0})


def start_rounded_down(values: Values) -> dict:
    """start was rounded down to a multiple of four, so that the address fits."""
    return data.copied(values | {"start": values["start"] // 4 * 4})


def edges_missing(values: Values) -> dict:
    """The first and the last row were left alone."""
    dst = levels.boxed(values)["dst"]
    rows = np.arange(len(dst))[:, None]
    return {"dst": np.ma.masked_array(dst, mask=np.broadcast_to((rows == 0) | (rows == len(dst) - 1), dst.shape))}


def edges_repeated(values: Values) -> dict:
    """The first and the last row stand in for the ones beyond."""
    framed = np.pad(values["src"].astype(np.float64), ((1, 1), (0, 0)), mode="edge")
    with np.errstate(invalid="ignore"):
        return {"dst": framed[:-2] + framed[1:-1] + framed[2:]}


def along_the_row(values: Values) -> dict:
    """The neighbours to the left and to the right were added."""
    framed = np.pad(values["src"].astype(np.float64), ((0, 0), (1, 1)))
    with np.errstate(invalid="ignore"):
        return {"dst": framed[:, :-2] + framed[:, 1:-1] + framed[:, 2:]}


def strip_edges_missing(values: Values) -> dict:
    """Where a strip begins, the row above it was not added."""
    dst = levels.boxed(values)["dst"]
    n_strips = levels.strips(values)[0][1]
    share = -(-len(dst) // n_strips)
    with np.errstate(invalid="ignore"):
        dst[share::share] -= values["src"].astype(np.float64)[share - 1 : len(dst) - 1 : share]
    return {"dst": dst}


def once(values: Values) -> dict:
    """One pass."""
    return levels.reread(values | {"times": 1})


def one_too_many(values: Values) -> dict:
    """One pass too many."""
    return levels.reread(values | {"times": values["times"] + 1})


def stretches(values: Values) -> dict:
    """Each thread has a stretch of its own in place of steps."""
    src, n_threads = values["src"], values["sums"].size
    share = -(-src.size // n_threads)
    padded = np.zeros(share * n_threads)
    padded[: src.size] = src
    return {"sums": values["times"] * padded.reshape(n_threads, share).sum(axis=1)}


def all_of_it(values: Values) -> dict:
    """Every thread reads everything."""
    return {"sums": np.full(values["sums"].size, values["times"] * values["src"].sum(dtype=np.float64))}


def steps_of_a_block(values: Values) -> dict:
    """The step is a block, so blocks read what others read, too."""
    src, n_threads = values["src"].astype(np.float64), values["sums"].size
    block = levels.a_thread_a_sum(values)[1]
    return {"sums": values["times"] * np.array([src[t::block].sum() for t in range(n_threads)])}


def flipped(values: Values) -> dict:
    """The weights were turned round, as in mathematics."""
    return levels.convolved(values | {"weights": values["weights"][..., ::-1, ::-1]})


def last_channel(values: Values) -> dict:
    """The sum begins anew in every channel."""
    return levels.convolved({"src": values["src"][-1:], "weights": values["weights"][:, -1:]})


def first_channel(values: Values) -> dict:
    """One channel of src was used."""
    return levels.convolved({"src": values["src"][:1], "weights": values["weights"][:, :1]})


def weights_transposed(values: Values) -> dict:
    """Rows and columns of the weights were exchanged."""
    return levels.convolved(values | {"weights": values["weights"].swapaxes(-1, -2)})


TAKEN = (
    Slip("start_left_out", "start is left out: dst begins with src[0]", from_the_beginning),
    Slip("step_left_out", "step is left out: dst holds neighbours", neighbours),
    Slip("start_scaled", "start is multiplied by step: only the index of the thread should be", start_scaled),
)
X_FIRST = (
    "the grid's axes are exchanged: cuda.grid gives x first, and x has as many threads as a row has elements. "
    "So rows and columns were cut short"
)
GATHERED = (
    Slip("rows_not_asked", "dst holds the first rows of src: ask rows which one is wanted", first_rows),
    Slip("swapped_axes", X_FIRST, cut_short(data.gathered, data.plane)),
)
DRIFTED = (
    Slip("dt_left_out", "the places move by the whole velocity: multiply by dt", dt_left_out),
    Slip("wrong_fields", "the mass is taken for vx: velocities are rows 4, 5 and 6", wrong_velocities),
    Slip("y_and_z_left", "only x moves: y and z are rows 1 and 2", x_alone),
    Slip("mass_moved", "the mass moves, too: fields 0 to 2 are places, field 3 is the mass", mass_moved),
)
COPIED = (
    Slip("missing_tail", "what is left after the last whole four was never copied", whole_fours),
    Slip("start_left_out", "start is left out: dst begins with src[0]", copy_from_the_beginning),
    Slip(
        "start_rounded",
        "start is rounded down to a multiple of four: the address fits, the data do not",
        start_rounded_down,
    ),
)
BOXED = (
    Slip(
        "edges_missing",
        "the first and the last row were never written: a row that is not there counts as 0",
        edges_missing,
    ),
    Slip(
        "edges_repeated", "the first and the last row count twice: a row that is not there counts as 0", edges_repeated
    ),
    Slip(
        "swapped_axes",
        "the neighbours to the left and to the right are added, not those above and below",
        along_the_row,
    ),
    Slip("strip_edges", "where a strip begins, the row above it is missing", strip_edges_missing),
)
REREAD = (
    Slip(
        "times_left_out",
        "each element counts once: times is left out, or the sum begins anew in every pass",
        once,
    ),
    Slip("uncoalesced", "each thread adds up a stretch of its own: it should step by the number of threads", stretches),
    Slip("work_repeated", "every thread adds up everything: each has its own elements", all_of_it),
    Slip("wrong_formula", "the steps are as long as a block: they should be as long as the grid", steps_of_a_block),
    Slip("off_by_one", "each element was added once too often", one_too_many),
)
CONVOLVED = (
    Slip("swapped_axes", X_FIRST, cut_short(levels.convolved, levels.a_plane_per_channel)),
    Slip("weights_turned", "the weights are turned round: weights[..., 0, 0] belongs to src[..., row, col]", flipped),
    Slip("sum_begins_anew", "only the last channel of src is left: the sum begins anew in every channel", last_channel),
    Slip("first_channel_only", "only the first channel of src was used", first_channel),
    Slip("swapped_axes", "rows and columns of the weights are exchanged", weights_transposed),
)
