"""Which of its own tactics a V3 plugin runs with: each is timed on the shapes of the optimum, and the fastest is kept.

Times go to the timing cache like those of our kernels, so that a second build chooses alike without measuring.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

import numpy as np

from minitrt.graph.ir import NUMPY_TYPES, Graph, Op, Value
from minitrt.plugins.exprs import evaluate
from minitrt.plugins.running import Runner
from minitrt.tactics.contract import signature
from minitrt.tactics.timing_cache import TimingCache

RUNS = 5


def choose_plugin_tactics(
    graph: Graph, concrete: Graph, cache: TimingCache | None, on_gpu: bool, log: Callable[[str], None]
) -> None:
    """Write the fastest tactic of every plugin that has several on the operations of both graphs."""
    by_name = {op.name: op for op in graph.ops}
    for op in concrete.ops:
        offered = op.attrs.get("tactics", []) if op.kind == "plugin" else []
        if len(offered) < 2:
            continue
        times = {tactic: known_or_measured(op, tactic, cache, on_gpu) for tactic in offered}
        best = min(offered, key=lambda tactic: (times[tactic], offered.index(tactic)))
        log(f"{op.name}: tactic {best} of the plugin's {offered} takes {times[best]:.2f} us")
        op.attrs["tactic"] = by_name[op.name].attrs["tactic"] = best


def known_or_measured(op: Op, tactic: int, cache: TimingCache | None, on_gpu: bool) -> float:
    """Microseconds of one run, from the cache if it has them."""
    attrs = {key: value for key, value in op.attrs.items() if key != "tactic"}
    known, name = signature(Op(op.kind, op.name, op.inputs, op.outputs, attrs)), f"plugin_{tactic}"
    found = cache.query(known, name) if cache else None
    if found is None:
        found = round(measured(Op(op.kind, op.name, op.inputs, op.outputs, {**attrs, "tactic": tactic}), on_gpu), 2)
        if cache:
            cache.update(known, name, found)
    return found


def measured(op: Op, on_gpu: bool) -> float:
    """Microseconds: the median of some runs on random elements. Raises: PluginError when the plugin fails."""
    rng = np.random.default_rng(0)
    inputs = [filled(value, rng) for value in op.present]
    known = [Value(v.name, v.dtype, a.shape, v.scale, data=a) for v, a in zip(op.present, inputs, strict=True)]
    shapes = [tuple(evaluate(tree, known, upper=True) for tree in trees) for trees in op.attrs["shapes"]]
    outputs = [np.zeros(shape, NUMPY_TYPES[v.dtype]) for shape, v in zip(shapes, op.outputs, strict=True)]
    outs = [v.like(v.name, shape=a.shape) for v, a in zip(op.outputs, outputs, strict=True)]
    arrays = [*inputs, *outputs, np.zeros(max(1, op.attrs.get("workspace", 0)), np.uint8)]
    runner, concrete = Runner(op), Op(op.kind, op.name, known, outs, op.attrs)
    return (on_the_gpu if on_gpu else on_the_host)(
        lambda places, stream: runner.enqueue(
            concrete, places[: len(inputs)], places[len(inputs) : -1], places[-1], stream
        ),
        arrays,
    )


def filled(value: Value, rng: np.random.Generator) -> np.ndarray:
    if value.is_constant:
        return np.ascontiguousarray(value.data)
    dtype = NUMPY_TYPES[value.dtype]
    return rng.standard_normal(value.shape).astype(dtype) if dtype.kind == "f" else np.zeros(value.shape, dtype)


def on_the_host(enqueue: Callable[[list[int], int], Any], arrays: Sequence[np.ndarray]) -> float:
    places, times = [array.ctypes.data for array in arrays], []
    for _ in range(RUNS + 1):
        began = time.perf_counter()
        enqueue(places, 0)
        times.append(1e6 * (time.perf_counter() - began))
    return median(times[1:])  # the first run may have compiled


def on_the_gpu(enqueue: Callable[[list[int], int], Any], arrays: Sequence[np.ndarray]) -> float:
    from minitrt.device.driver import Event, Memory, Stream, upload, use_device

    use_device()
    memory = [Memory(array.nbytes) for array in arrays]
    for there, array in zip(memory, arrays, strict=True):
        upload(there.address, array)
    stream, places, times = Stream(), [there.address for there in memory], []
    for _ in range(RUNS + 1):
        begin = Event().record(int(stream))
        enqueue(places, int(stream))
        times.append(Event().record(int(stream)).us_since(begin))
    return median(times[1:])
