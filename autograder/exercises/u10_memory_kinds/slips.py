"""Wrong outputs of unit 10 that betray their cause: what each mistake computes, and what to say about it."""

from __future__ import annotations

import numpy as np

from autograder.contract import Slip
from autograder.exercises.u10_memory_kinds.values import TAPS, _windows, blurred, relaxed


def _first_elements(values):
    return {"out": values["table"][: values["picks"].size].astype(np.float64)}


def _one_round_less(values):
    fewer = relaxed({**values, "rounds": int(values["rounds"]) - 1})
    return {"notes": np.append(values["x"][0], fewer["notes"]), "final": fewer["final"]}


def _taps_turned(values):
    with np.errstate(invalid="ignore"):
        return {"out": (_windows(values["x"], len(TAPS)) * TAPS[::-1]).sum(axis=1)}


def _last_tap_missing(values):
    with np.errstate(invalid="ignore"):
        return {"out": (_windows(values["x"], len(TAPS))[:, :-1] * TAPS[:-1]).sum(axis=1)}


def _codes_themselves(values):
    return {"out": values["codes"].astype(np.float64)}


def _mean(values):
    n, total = values["out"].size, np.zeros(values["out"].size, np.float32)
    with np.errstate(invalid="ignore", over="ignore"):
        for k in range(9):
            total += values["x"][k : k + n]
        return {"out": total / np.float32(9)}


def _centre(values):
    return {"out": _windows(values["x"], 9)[:, 4]}


def _rank(k: int):
    return lambda values: {"out": np.sort(_windows(values["x"], 9), axis=1)[:, k]}


def _row_behind(values):
    out = blurred(values)["out"]
    return {"out": np.vstack([out[1:], np.zeros_like(out[:1])])}


PICKED = (Slip("picks_ignored", "out holds the first elements of the table: picks was not used", _first_elements),)
RELAXED = (Slip("one_round_less", "one round too few: look at what was noted, and when", _one_round_less),)
FILTERED = (
    Slip("taps_turned", "the taps were applied from the last to the first: TAPS[k] belongs to x[i + k]", _taps_turned),
    Slip("last_tap_missing", "the last tap was left out: 16 taps are k = 0 to 15", _last_tap_missing),
)
LOOKED_UP = (Slip("codes_themselves", "out holds the codes, and not what the table has for them", _codes_themselves),)
MEDIANS = (
    Slip("mean_for_median", "out is the mean of the nine: the median is the fifth of them in order", _mean),
    Slip("not_sorted", "out is what stands in the middle of the window: the median is the fifth in order", _centre),
    Slip("one_place_too_low", "out is the fourth smallest of the nine: the median is the fifth", _rank(3)),
    Slip("one_place_too_high", "out is the sixth smallest of the nine: the median is the fifth", _rank(5)),
)
BLURRED = (Slip("row_behind", "each row of out holds the blur of the row after it", _row_behind),)
