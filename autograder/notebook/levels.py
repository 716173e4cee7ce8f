"""The speed of reading by the size of what is read: measured with a learner's kernel, beside a recorded one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograder import backend
from autograder.notebook import display
from autograder.notebook.recorded import ABSENT, document_of

RECORD = "memory_levels"
MADE_BY = "python benchmarks/bench_memory_access.py"
Curve = tuple[str, Sequence[int], Sequence[float]]  # a name, sizes in MiB, rates in GB/s


def memory_levels(kernel: Callable) -> Any:
    """Draw GB/s over the size of an array that is read again and again.

    kernel: of rung 6, (src, times, sums); timed where there is a GPU.
    Returns: matplotlib Figure; None, with the reason shown, where there is nothing to draw.
    """
    document = document_of(RECORD)
    curves = [(name, document["sizes_mib"], rates) for name, rates in document.get("rates_gbs", {}).items()]
    l2_mib = document.get("l2_mib", 0)
    told = f"{document['device']}, {document['date']}" if document else ""
    if backend.gpu_available():
        curves += _measured(kernel)
        l2_mib = _l2_mib()
    if not curves:
        display.text(ABSENT.format(name=RECORD, make=MADE_BY))
        return None
    return draw(curves, l2_mib, told)


def _measured(kernel: Callable) -> list[Curve]:
    """The curve of this GPU; none, with the reason shown, for a kernel that does not read."""
    from autograder.speed.levels import SIZES_MIB, NotReadError, rates_gbs

    try:
        return [("your kernel, now", SIZES_MIB, rates_gbs(kernel))]
    except NotReadError as error:
        display.text(f"Your kernel is not timed: {error}")
        return []


def _l2_mib() -> int:
    device: Any = backend.cuda_module().get_current_device()
    return int(device.L2_CACHE_SIZE) >> 20


def draw(curves: Sequence[Curve], l2_mib: int, told: str) -> Any:
    """The curves over a logarithmic axis of sizes, and the size of the L2. told: device and date of recorded ones."""
    from simt.figures.drawing import canvas

    surface = canvas(8.5, 4.2)
    for name, sizes, rates in curves:
        surface.axes.plot(sizes, rates, marker="o", label=name)
    if l2_mib:
        surface.axes.axvline(l2_mib, color="#6B6B6B", linestyle=(0, (2, 3)), label=f"L2: {l2_mib} MiB")
    surface.axes.set(xscale="log", xlabel="size of the array, MiB", ylabel="GB/s")
    surface.axes.set_ylim(bottom=0)
    surface.axes.legend(frameon=False, fontsize=9)
    surface.bare("top", "right")
    name, sizes, rates = curves[-1]
    title = f"{sizes[0]} MiB are read {rates[0] / rates[-1]:.1f} times as fast as {sizes[-1]} MiB"
    body = "\n".join(f"{a:>6} MiB  {b:>8,.0f} GB/s" for a, b in zip(sizes, rates, strict=True))
    surface.claim(title, "; ".join(filter(None, (name, told))), f"GB/s over MiB, {name}: {title}.", body)
    return surface.figure
