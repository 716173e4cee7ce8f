"""Two pictures of an engine's layers, as files: how long each takes, and how near each comes to what the GPU can do.

A layer's work is counted from its shapes: products of convolutions and matrices, bytes of its inputs and outputs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from minitrt.graph.ir import Op
from minitrt.tactics.geometry import of

MOST_BARS, NAME_LENGTH = 40, 48
TENSOR_OPERATIONS = {  # compute capability -> INT8 operations of one SM in a clock; FP16 has half of them
    (7, 5): 2048, (8, 0): 4096, (8, 6): 2048, (8, 7): 4096, (8, 9): 2048, (9, 0): 8192, (10, 0): 16384, (12, 0): 4096,
}  # fmt: skip
COLOURS = {"INT8": "#f58518", "HALF": "#4c78a8", "FLOAT": "#54a24b"}


@dataclass(frozen=True)
class Layer:
    """One layer. operations and nbytes of one run; ms: mean time of a run."""

    name: str
    kind: str
    element: str
    operations: float
    nbytes: float
    ms: float

    @property
    def intensity(self) -> float:
        """Operations per byte."""
        return self.operations / self.nbytes


@dataclass(frozen=True)
class Ceilings:
    """What a GPU's data sheet allows: bytes and INT8 tensor operations per second."""

    bandwidth: float
    int8: float


def layers_of(ops: Sequence[Op], times: Mapping[str, Sequence[float]]) -> list[Layer]:
    """The layers that were timed. ops: with concrete shapes; times: name -> milliseconds of each run."""
    return [layer_of(op, float(np.mean(times[op.name]))) for op in ops if times.get(op.name)]


def layer_of(op: Op, ms: float) -> Layer:
    geometry = of(op)
    nbytes = sum(value.nbytes for value in (*op.present, *op.outputs))
    operations = geometry.operations if geometry else op.output.size
    return Layer(op.name, op.kind, (op.input(0) or op.output).dtype.name, max(operations, 1), max(nbytes, 1), ms)


def ceilings() -> Ceilings | None:
    """Of this thread's GPU, from its clocks; None without one, and for architectures that nobody has entered."""
    from minitrt.device.driver import attribute, device_count, device_facts

    rate = TENSOR_OPERATIONS.get(device_facts().compute_capability) if device_count() else None
    if rate is None:
        return None
    hertz = 1e3 * attribute("CLOCK_RATE")
    bus = attribute("GLOBAL_MEMORY_BUS_WIDTH") / 8
    return Ceilings(2e3 * attribute("MEMORY_CLOCK_RATE") * bus, rate * device_facts().sm_count * hertz)


def draw_times(layers: Sequence[Layer], path: str, title: str) -> None:
    """A bar a layer, longest first; what is left over is one bar at the end."""
    ordered = sorted(layers, key=lambda layer: -layer.ms)
    shown, rest = ordered[:MOST_BARS], ordered[MOST_BARS:]
    names, times = [short(layer.name) for layer in shown], [layer.ms for layer in shown]
    colours = [COLOURS.get(layer.element, "#bab0ac") for layer in shown]
    if rest:
        names, times = [*names, f"{len(rest)} more"], [*times, sum(layer.ms for layer in rest)]
        colours = [*colours, "#d8d8d8"]
    plot, figure, axes = new_figure(9, 1.2 + 0.22 * len(names))
    axes.barh(range(len(names)), [1e3 * ms for ms in times], color=colours)
    axes.set_yticks(range(len(names)), names, fontsize=7)
    axes.invert_yaxis()
    axes.set_xlabel(f"us; all layers together {1e3 * sum(layer.ms for layer in layers):,.1f}")
    add_legend(axes, layers)
    save(plot, figure, axes, path, title)


def draw_roofline(layers: Sequence[Layer], limits: Ceilings | None, path: str, title: str) -> None:
    """A point a layer: operations per second over operations per byte, below the GPU's ceilings."""
    plot, figure, axes = new_figure(8, 5)
    for element in sorted({layer.element for layer in layers}):
        mine = [layer for layer in layers if layer.element == element and layer.ms > 0]
        rates = [layer.operations / layer.ms * 1e3 for layer in mine]
        axes.scatter([layer.intensity for layer in mine], rates, s=18, color=COLOURS.get(element, "#bab0ac"), alpha=0.8)
    if limits is not None:
        x = np.geomspace(0.1, 1e4, 200)
        for element, peak in (("INT8", limits.int8), ("HALF", limits.int8 / 2)):
            axes.plot(x, np.minimum(limits.bandwidth * x, peak), color=COLOURS[element], linewidth=1)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("operations per byte of inputs and outputs")
    axes.set_ylabel("operations per second")
    add_legend(axes, layers)
    save(plot, figure, axes, path, title if limits else f"{title} (no GPU whose ceilings are known)")


def new_figure(width: float, height: float) -> tuple[Any, Any, Any]:
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plot

    figure, axes = plot.subplots(figsize=(width, height))
    return plot, figure, axes


def add_legend(axes: Any, layers: Sequence[Layer]) -> None:
    for element in sorted({layer.element for layer in layers}):
        axes.scatter([], [], color=COLOURS.get(element, "#bab0ac"), label=element)
    axes.legend(loc="lower right", fontsize=7)


def save(plot: Any, figure: Any, axes: Any, path: str, title: str) -> None:
    """Write the file, in the format that its name ends in. Raises: ValueError for one that matplotlib lacks."""
    axes.set_title(title, fontsize=9)
    figure.tight_layout()
    figure.savefig(path)
    plot.close(figure)


def short(name: str) -> str:
    """A layer's name, its middle left out where it is long."""
    half = (NAME_LENGTH - 3) // 2
    return name if len(name) <= NAME_LENGTH else f"{name[:half]}...{name[-half:]}"
