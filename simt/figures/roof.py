"""Kernels under the roof of a GPU: how much arithmetic a byte can feed, on logarithmic axes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from simt.figures.canvas import BLUE, GREY, INK, SKY, VERMILLION
from simt.figures.errors import NothingToDraw
from simt.text.text_tables import significant, table
from simt.timing.gpus import Gpu
from simt.timing.roofline import ARITHMETIC, TENSOR, Bound

CROWDED_DECADES = 0.25  # upwards, within which names overlap
DECADES_BESIDE = 1.5  # of the axis left of the leftmost point and right of the rightmost
RATES = ((1e12, "Tflop/s"), (1e9, "Gflop/s"), (1e6, "Mflop/s"), (1.0, "flop/s"))


def draw(canvas, bounds: Sequence[tuple[str, Bound]]):
    """Where kernels stand under the roof of one GPU. A point is the best that its bound allows, not a measurement.

    bounds: (name, bound) of each kernel, all of one GPU.
    Raises: NothingToDraw, where no kernel computes with floats; ValueError for bounds of several GPUs.
    """
    if len({bound.gpu for _, bound in bounds}) > 1:
        raise ValueError("a roofline shows one GPU: draw one for each")
    shown = [(name, bound) for name, bound in bounds if bound.work.intensity]
    if not shown:
        raise NothingToDraw("no kernel here computes with floating-point numbers, so all are left of the roofline.")
    gpu = shown[0][1].gpu
    types = [dtype for dtype in ARITHMETIC if any(bound.work.flops.get(dtype) for _, bound in shown)]
    points = [(name, bound, bound.work.intensity, _best_rate(bound)) for name, bound in shown]
    surface = canvas(8.5, 4.6)
    _roofs(surface, gpu, types, [x for _, _, x, _ in points], [y for *_, y in points])
    for name, _, x, y in points:
        crowded = any(_near(x, y, *other[2:]) and (x, y) < tuple(other[2:]) for other in points)
        surface.axes.plot([x], [y], "o", markersize=9, color=BLUE, markeredgecolor="white", zorder=5)
        surface.words(x, y, f"   {name}   ", 9, INK, ha="right" if crowded else "left", va="center")
    surface.axes.set(xlabel="flops for each byte that has to move", ylabel="flop/s")
    surface.bare("top", "right")
    surface.claim(_title(points), "a bound, not a measurement: on the roof at best, usually below", _alt(gpu, points),
                  _body(gpu, types, points))  # fmt: skip
    return surface.figure


def _best_rate(bound: Bound) -> float:
    """Flop/s when the work takes no longer than its bound; as in any roofline, memory moves all that is written."""
    at_the_bound = bound.work.total_flops / (bound.time_us / 1e6)
    return min(at_the_bound, bound.work.intensity * bound.gpu.memory_bytes_per_s)


def _near(x: float, y: float, other_x: float, other_y: float) -> bool:
    """Whether two points stand so close that their names would overlap."""
    return abs(math.log10(x / other_x)) < 1 and abs(math.log10(y / other_y)) < CROWDED_DECADES


def _roofs(surface, gpu: Gpu, types: Sequence[str], xs: Sequence[float], ys: Sequence[float]) -> None:
    """The slope of memory and the ceiling of each type, with the ridge between them."""
    axes, ridges = surface.axes, [gpu.ridge(dtype) for dtype in types]
    left = 10 ** (math.log10(min(*xs, *ridges)) - DECADES_BESIDE)
    right = 10 ** (math.log10(max(*xs, *ridges)) + DECADES_BESIDE)
    for dtype, ridge in zip(types, ridges, strict=True):
        peak = gpu.flops_per_s(dtype)
        color = VERMILLION if dtype == types[-1] else GREY
        axes.plot([left, ridge, right], [left * gpu.memory_bytes_per_s, peak, peak], color=color, linewidth=2)
        axes.plot([ridge, ridge], [left * gpu.memory_bytes_per_s, peak], color=SKY, linewidth=1, linestyle=(0, (2, 3)))
        surface.words(right, peak, f"{_short(dtype)}: {rate_words(peak)} ", 9, color, ha="right", va="bottom")
    bandwidth = f" memory: {gpu.memory_bytes_per_s / 1e9:,.0f} GB/s"
    surface.words(left, 12 * left * gpu.memory_bytes_per_s, bandwidth, 9, GREY, ha="left", va="bottom")
    top = max(gpu.flops_per_s(dtype) for dtype in types)
    axes.set(xscale="log", yscale="log", xlim=(left, right))
    axes.set_ylim(min(left * gpu.memory_bytes_per_s, min(ys) / 3), 4 * top)


def _short(dtype: str) -> str:
    return "tensor cores" if dtype == TENSOR else dtype


def rate_words(rate: float) -> str:
    """A rate with three digits that count, as in "66.9 Tflop/s"."""
    factor, unit = next((each for each in RATES if rate >= each[0]), RATES[-1])
    return f"{significant(rate / factor)} {unit}"


def _title(points) -> str:
    name, bound, x, y = max(points, key=lambda point: point[3])
    share = y / bound.gpu.flops_per_s(bound.work.dtype)
    allow = f"{significant(x)} flops per byte allow" if bound.limit.name == "memory" else f"{bound.limit.name} allows"
    return f"{name}: {allow} at most {significant(100 * share, 2)}% of the arithmetic of an {bound.gpu.name}"


def _alt(gpu: Gpu, points) -> str:
    told = "; ".join(f"{name} {significant(x)} flops per byte, at most {rate_words(y)}" for name, _, x, y in points)
    return f"Roofline of an {gpu.name}, {gpu.memory_bytes_per_s / 1e9:,.0f} GB/s. {told}."


def _body(gpu: Gpu, types: Sequence[str], points) -> str:
    roofs = [(_short(dtype), rate_words(gpu.flops_per_s(dtype)), significant(gpu.ridge(dtype))) for dtype in types]
    kernels = [(name, significant(x), rate_words(y), bound.limit.name) for name, bound, x, y in points]
    return "\n\n".join(
        (
            table(("kernel", "flops per byte", "at most", "because of"), kernels),
            table(("roof", "at most", "from so many flops per byte"), roofs),
        )
    )
