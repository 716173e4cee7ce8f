"""Inputs, oracle, bound and cases of unit 19's mend_layers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from autograder.contract import Argument, Case, Sizes, Values

N_MENDED = 3
LAYER_ARGUMENTS = (
    Argument("flops", "in", "float64", "(n,)", "of each layer"),
    Argument("n_bytes", "in", "float64", "(n,)", "that it has to read and write at least"),
    Argument("time_us", "in", "float64", "(n,)", "that it took"),
    Argument("tflops", "scalar", "float64", "", "what the GPU can do at most, in TFLOP/s"),
    Argument("gbs", "scalar", "float64", "", "what its memory can do at most, in GB/s"),
    Argument("worst", "out", "int64", "(3,)", "the layers with most to gain, the first one most; -1 past the last"),
    Argument("memory", "out", "int64", "(n,)", "1 where bytes bound the layer, 0 where flops do"),
    Argument("share", "out", "float64", "", "of the whole time, that is saved if these layers reach their bound"),
)


@dataclass(frozen=True)
class Mending:
    """What of the rules is followed; all of them, for a right answer."""

    bounded: bool = True  # a gain is a time beyond the bound, and not the whole time
    ratio: bool = False  # layers are ordered by how many times as long as their bound they take
    longer_counts: bool = True  # the larger of the two times, and not their sum
    flops: bool = True
    n_bytes: bool = True
    descending: bool = True
    nothing_to_gain: bool = True  # layers at their bound are left out
    sides: bool = True  # 1 is memory
    of_all: bool = True  # share is of the whole time
    saves_excess: bool = True  # and not the whole time of these layers


RIGHT = Mending()


def mended(values: Values, ways: Mending = RIGHT) -> dict:
    """worst (3,) and memory (n,) int64, share float64."""
    of_flops = values["flops"] / (float(values["tflops"]) * 1e6)  # microseconds
    of_bytes = values["n_bytes"] / (float(values["gbs"]) * 1e3)
    time = values["time_us"]
    used = np.array([of_flops * ways.flops, of_bytes * ways.n_bytes])
    bound = used.max(axis=0) if ways.longer_counts else used.sum(axis=0)
    gain = time - bound if ways.bounded else time.astype(np.float64)
    key = time / np.maximum(bound, 1e-9) if ways.ratio else gain
    order = np.argsort(-key if ways.descending else key, kind="stable").tolist()
    left = [i for i in order if gain[i] > 0 or not ways.nothing_to_gain][:N_MENDED]
    saved = float(sum((gain if ways.saves_excess else time)[i] for i in left))
    whole = float(time.sum()) if ways.of_all else float(sum(time[i] for i in left))
    by_bytes = of_bytes > of_flops if ways.sides else of_bytes <= of_flops
    return {
        "worst": np.array([*left, *[-1] * (N_MENDED - len(left))], np.int64),
        "memory": by_bytes.astype(np.int64),
        "share": np.float64(saved / whole if whole else 0.0),
    }


def layer_bound(values: Values, expected) -> dict:
    """Some roundings of float64 in sums of n times."""
    return {"share": 1e-9}


def make_layers(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """Layers of whole microseconds, on an H200 or so."""
    return layers_on(800.0, 4_000.0, 1.0)(sizes, rng)


def layers_on(tflops: float, gbs: float, unit_us: float) -> Callable[[Sizes, np.random.Generator], Values]:
    """Layers on both sides of the ridge: some long and good, some short and bad, and some beyond their bound, as one is
    that finds its input in the cache. No two have the same to gain. Times are multiples of unit_us, or of a quarter."""

    def made(sizes: Sizes, rng: np.random.Generator) -> Values:
        n = sizes["n"]
        bound = rng.integers(2, 3 * n + 4, n).astype(np.float64)
        by_bytes = rng.random(n) < 0.5
        other = rng.uniform(0.1, 0.9, n)
        flops = np.where(by_bytes, bound * other, bound) * unit_us * tflops * 1e6
        n_bytes = np.where(by_bytes, bound, bound * other) * unit_us * gbs * 1e3
        time = bound + rng.permutation(np.arange(1, n + 1))
        longest = int(np.argmax(bound))
        beyond = (rng.random(n) < 0.2) | (np.arange(n) == longest) & (n > 1)
        time[beyond] = 0.75 * bound[beyond]
        return {
            "flops": np.round(flops),
            "n_bytes": np.round(n_bytes),
            "time_us": unit_us * time,
            "tflops": np.float64(tflops),
            "gbs": np.float64(gbs),
            "worst": np.zeros(N_MENDED, np.int64),
            "memory": np.zeros(n, np.int64),
            "share": np.float64(0),
        }

    return made


LAYER_CASES = tuple(Case({"n": n}, trace=False) for n in (12, 1, 2, 5, 53))
