"""Wrong outputs of unit 09 that betray their cause: what each mistake computes, and what to say about it."""

from __future__ import annotations

import numpy as np

from autograder.contract import Slip

SCALED = (
    Slip("wrong_formula", "The kernel did not run: out is x.", lambda v: {"out": v["x"]}),
    Slip("output_not_written", "Nothing was copied down: out holds zeros.", lambda v: {"out": np.zeros_like(v["x"])}),
)


def _first_chunk_of_four(values):
    out = np.zeros_like(values["x"])
    end = -(-out.size // 4)
    out[:end] = 2 * values["x"][:end] + 1
    return {"out": out}


def _whole_chunks_only(values):
    out = np.zeros_like(values["x"])
    end = out.size // 4 * 4
    out[:end] = 2 * values["x"][:end] + 1
    return {"out": out}


CHUNKS = (
    *SCALED,
    Slip("only_first_chunk", "Only the first quarter came back.", _first_chunk_of_four),
    Slip("missing_tail", "The elements after the last whole chunk are missing.", _whole_chunks_only),
)
BOTH = (
    Slip("wrong_formula", "Only the half that comes from x is there.", lambda v: {"out": 2 * v["x"] + 1}),
    Slip("wrong_formula", "Only the half that comes from y is there.", lambda v: {"out": 2 * v["y"] + 1}),
)
BATCH_SUMS = (
    Slip(
        "wrong_batch",
        "Every sum is the last batch's: all copies read the buffer after its last refill.",
        lambda v: {"sums": np.full(len(v["batches"]), v["batches"][-1].sum(), np.float32)},
    ),
)
CHAIN = (
    Slip("wrong_count", "One pass ran: the graph was captured, and replayed once.", lambda v: {"x": v["x"] + 20}),
    Slip(
        "wrong_count",
        "One pass too many ran: replay as often as `replays` says, and let nothing else work on x.",
        lambda v: {"x": v["x"] + 20 * (v["replays"] + 1)},
    ),
    Slip(
        "wrong_count",
        "One step too many ran: the warm-up launch worked on x itself.",
        lambda v: {"x": v["x"] + 20 * v["replays"] + 1},
    ),
)
