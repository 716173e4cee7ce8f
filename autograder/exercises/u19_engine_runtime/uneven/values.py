"""Inputs, oracle and cases of unit 19's batch_uneven."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autograder.contract import Argument, Case, Sizes, Values
from autograder.exercises.u19_engine_runtime.uneven.engine import JudgedLengths, table_of

UNEVEN_ARGUMENTS = (
    Argument("engine", "in", "int64", "(n_lengths,)", "an engine that takes batches of a few lengths"),
    Argument("tokens", "in", "int64", "(n_tokens,)", "all sequences, one after the other"),
    Argument("starts", "in", "int64", "(n + 1,)", "where each begins; the last number is where all end"),
    Argument("answers", "out", "int64", "(n,)", "what the engine says of each sequence, -1 for one that is too long"),
    Argument("runs", "out", "int64", "", "batches that were run: engine.runs at the end"),
    Argument("elements", "out", "int64", "", "their elements, padding included: engine.elements at the end"),
)


@dataclass(frozen=True)
class Batching:
    """What of the rules is followed; all of them, for a right answer."""

    buckets: bool = True  # or all sequences are padded to the largest length
    sorted: bool = True  # into buckets, and not as they come
    inclusive: bool = True  # a sequence as long as a bucket belongs to it
    many: bool = True  # up to `most` rows in a batch
    rest: bool = True  # what does not fill a batch runs, too
    refuses: bool = True  # too long ones, which are cut otherwise
    behind: bool = True  # padding stands behind a sequence
    mask: str = "real"  # or "all", "other than 0", "one more"
    in_order: bool = True  # answers come in the order of the sequences


RIGHT = Batching()


def batched(values: Values, ways: Batching = RIGHT) -> dict:
    """answers, (n,) int64; runs; elements."""
    engine, starts = JudgedLengths.of(values["engine"]), values["starts"]
    lengths = np.diff(starts)
    fits = lengths <= engine.ends[-1] if ways.refuses else np.ones(len(lengths), bool)
    shown = np.minimum(lengths, engine.ends[-1])
    bucket = np.minimum(
        np.searchsorted(engine.ends, shown, "left" if ways.inclusive else "right"), len(engine.ends) - 1
    )
    bucket = bucket if ways.buckets else np.full(len(lengths), len(engine.ends) - 1)
    answers, given = np.full(len(lengths), -1), []
    for members in groups(np.flatnonzero(fits), bucket, engine.most if ways.many else 1, ways):
        end = engine.ends[bucket[members].max()]
        batch, mask = padded(values, members, shown, int(end), ways)
        answers[members] = engine.run(batch, mask)
        given += answers[members].tolist()
    if not ways.in_order:
        answers[: len(given)], answers[len(given) :] = given, -1
    return {"answers": answers, "runs": np.int64(engine.runs), "elements": np.int64(engine.elements)}


def groups(fits: np.ndarray, bucket: np.ndarray, most: int, ways: Batching) -> list[np.ndarray]:
    """The sequences of each batch."""
    kinds = [fits[bucket[fits] == k] for k in range(bucket.max(initial=-1) + 1)] if ways.sorted else [fits]
    found = [kind[at : at + most] for kind in kinds for at in range(0, len(kind), most)]
    return found if ways.rest else [one for one in found if len(one) == most]


def padded(values: Values, members: np.ndarray, shown: np.ndarray, end: int, ways: Batching) -> tuple:
    """(batch, mask) of some sequences, (n_rows, end) each."""
    batch, mask = np.zeros((len(members), end), np.int64), np.zeros((len(members), end), bool)
    for row, i in enumerate(members):
        at = 0 if ways.behind else end - shown[i]
        batch[row, at : at + shown[i]] = values["tokens"][values["starts"][i] : values["starts"][i] + shown[i]]
        mask[row, at : at + shown[i] + (ways.mask == "one more")] = True
    if ways.mask == "all":
        mask[:] = True
    return batch, batch != 0 if ways.mask == "other than 0" else mask


def make_uneven(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """Sequences of every length up to a little more than the engine takes, many as long as a bucket; some are 0."""
    n, most = sizes["n"], sizes["most"]
    ends = np.sort(rng.choice(np.arange(2, 60), sizes["n_ends"], replace=False))
    lengths = rng.integers(1, ends[-1] + 4, n)
    alike = rng.random(n) < 0.3
    lengths[alike] = rng.choice([*ends, *(ends + 1)], n)[alike]
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return {
        "engine": table_of(ends.tolist(), most),
        "tokens": rng.integers(0, 9, starts[-1]),
        "starts": starts,
        "answers": np.zeros(n, np.int64),
        "runs": np.int64(0),
        "elements": np.int64(0),
    }


UNEVEN_CASES = tuple(
    Case({"n": n, "most": most, "n_ends": n_ends}, trace=False)
    for n, most, n_ends in ((21, 4, 3), (1, 8, 1), (40, 8, 5), (9, 1, 2), (64, 16, 4))
)
