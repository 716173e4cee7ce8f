"""Inputs, oracle, bound and cases of unit 19's count_gains."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from autograder.contract import Argument, Case, Sizes, Values

WIDE, HALF = 4, 2  # bytes of a number
GPU = 4.0, 4_000.0, 50.0, 400.0  # us of a launch, GB/s, TFLOP/s in float32 and in float16
GAIN_ARGUMENTS = (
    Argument("steps", "in", "int64", "(n, 4)", "two tensors read, or -1; elements of weights; the engine's kernel"),
    Argument("elements", "in", "int64", "(n + 1,)", "of tensor 0, the input, and of tensor i + 1, made by step i"),
    Argument("flops", "in", "float64", "(n,)", "of each step"),
    Argument("gpu", "in", "float64", "(4,)", "us of a launch, GB/s, TFLOP/s in float32, TFLOP/s in float16"),
    Argument("launches", "out", "int64", "(4,)", "by the host, of the framework and of the engine's three ways"),
    Argument("read_bytes", "out", "int64", "(4,)", "of all kernels together"),
    Argument("write_bytes", "out", "int64", "(4,)", "of all kernels together"),
    Argument("time_us", "out", "float64", "(4,)", "the least that each way takes"),
)


@dataclass(frozen=True)
class Counting:
    """What of the rules is followed; all of them, for a right answer."""

    inner_stays: bool = True  # what a kernel makes and only its own steps read moves no bytes
    read_once: bool = True  # by each kernel
    read_later: bool = True  # what another kernel reads is written
    outputs: bool = True  # what nobody reads is written
    weights: bool = True
    longer_counts: bool = True  # the larger of two times, and not their sum
    by_kernel: bool = True  # each kernel has its bound, and not the whole
    beside: bool = True  # the host launches while kernels run
    launched: bool = True  # launches take time
    half_peak: bool = True  # float16 is faster, too
    half_weights: bool = True
    one_graph: bool = True


RIGHT = Counting()


@dataclass(frozen=True)
class Way:
    """How a network is run. kernels: of each step, (n,) int64; graph: launched at once."""

    kernels: np.ndarray
    width: int
    tflops: float
    graph: bool = False


def ways_of(values: Values, rules: Counting) -> tuple[Way, ...]:
    """The framework's, then the engine's: fused, in float16, as one graph."""
    fused, (_, _, wide, half) = values["steps"][:, 3], values["gpu"]
    half = half if rules.half_peak else wide
    framework = Way(np.arange(len(fused)), WIDE, wide)
    return framework, Way(fused, WIDE, wide), Way(fused, HALF, half), Way(fused, HALF, half, graph=True)


def counted(values: Values, rules: Counting = RIGHT) -> dict:
    """launches, read_bytes, write_bytes (4,) int64 and time_us (4,) float64."""
    rows = np.array([run(values, way, rules) for way in ways_of(values, rules)])
    whole = rows[:, :3].astype(np.int64)
    return {"launches": whole[:, 0], "read_bytes": whole[:, 1], "write_bytes": whole[:, 2], "time_us": rows[:, 3]}


def run(values: Values, way: Way, rules: Counting) -> tuple[int, int, int, float]:
    """Launches, bytes read and written, and microseconds."""
    launch_us, gbs = values["gpu"][:2]
    each = [(way.kernels == k) for k in np.unique(way.kernels)]
    read, written = zip(*(moved(values, mine, way.width, rules) for mine in each), strict=True)
    n_bytes, flops = np.add(read, written), np.array([values["flops"][mine].sum() for mine in each])
    once = way.graph and rules.one_graph
    if not rules.by_kernel:
        n_bytes, flops = n_bytes.sum(keepdims=True), flops.sum(keepdims=True)
    together = np.maximum if rules.longer_counts else np.add
    bodies = together(flops / (way.tflops * 1e6), n_bytes / (gbs * 1e3))
    launches = 1 if once else len(each)
    time = 0.0 if rules.beside else launches * launch_us
    for i, body in enumerate(bodies):
        if rules.beside and rules.launched:
            time = max(time, launch_us * (1 if once else i + 1))
        time += body
    return launches, sum(read), sum(written), time


def moved(values: Values, mine: np.ndarray, width: int, rules: Counting) -> tuple[int, int]:
    """Bytes that the kernel of these steps reads, and writes. mine: (n,) bool."""
    reads, elements = values["steps"][:, :2], values["elements"]
    made = set((np.flatnonzero(mine) + 1).tolist())
    taken = [tensor for tensor in reads[mine].ravel().tolist() if tensor >= 0]
    elsewhere, anywhere = set(reads[~mine].ravel().tolist()), set(reads.ravel().tolist())
    if rules.inner_stays:
        taken = [tensor for tensor in taken if tensor not in made]
        kept = {t for t in made if t in elsewhere and rules.read_later or t not in anywhere and rules.outputs}
    else:
        kept = made
    if rules.read_once:
        taken = sorted(set(taken))
    of_weights = int(values["steps"][mine, 2].sum()) * (width if rules.half_weights else WIDE)
    read = width * sum(int(elements[tensor]) for tensor in taken) + of_weights * rules.weights
    return read, width * sum(int(elements[tensor]) for tensor in kept)


def gain_bound(values: Values, expected) -> dict:
    """Some roundings of float64 in sums of n times."""
    return {"time_us": 1e-9 * (1 + np.abs(expected["time_us"]))}


def made_of(steps: np.ndarray, elements: np.ndarray, flops: np.ndarray, gpu: Sequence[float] = GPU) -> Values:
    """All arguments for a network."""
    return {
        "steps": np.array(steps, np.int64),
        "elements": np.array(elements, np.int64),
        "flops": np.array(flops, np.float64),
        "gpu": np.array(gpu, np.float64),
        "launches": np.zeros(4, np.int64),
        "read_bytes": np.zeros(4, np.int64),
        "write_bytes": np.zeros(4, np.int64),
        "time_us": np.zeros(4),
    }


def make_gains(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """A network on an H200 or so."""
    return on_gpu(GPU)(sizes, rng)


def past_two_gib(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Tensors of more bytes than 32 bits count."""
    values = on_gpu((3.0, 4_000.0, 50.0, 400.0))(sizes, rng)
    return values | {"elements": values["elements"] << 10}


def on_gpu(gpu: Sequence[float], scale: int = 1) -> Callable[[Sizes, np.random.Generator], Values]:
    """Networks of this GPU: mostly chains, with residuals, branches and several outputs, large tensors and small."""

    def made(sizes: Sizes, rng: np.random.Generator) -> Values:
        n = sizes["n"]
        earlier = np.array([rng.integers(0, i + 1) for i in range(n)])
        steps = np.full((n, 4), -1, np.int64)
        steps[:, 0] = np.where(rng.random(n) < 0.8, np.arange(n), earlier)
        second = np.array([rng.integers(0, i + 1) for i in range(n)])
        steps[:, 1] = np.where(rng.random(n) < 0.5, second, -1)
        steps[:, 1] = np.where(rng.random(n) < 0.1, steps[:, 0], steps[:, 1])
        steps[:, 2] = rng.choice([0, 0, 1_000, 250_000], n) // scale
        steps[:, 3] = np.cumsum(np.r_[0, rng.random(n - 1) < 0.45])
        elements = rng.choice([2_000, 50_000, 1_000_000, 4_000_000], n + 1) // scale
        flops = elements[1:] * rng.choice([1.0, 8.0, 400.0], n)
        return made_of(steps, elements, flops, gpu)

    return made


GAIN_CASES = tuple(Case({"n": n}, trace=False) for n in (9, 1, 2, 4, 30))
