"""Time bounds as text: one GPU in full, or several side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from simt.text.text_tables import section, significant, wrapped

if TYPE_CHECKING:
    from simt.timing.roofline import Bound, Term

LABEL = "a bound, not a measurement"
ASSUMES = (
    "the arrays begin in device memory and not in the L2 cache, the clock is the highest that the maker names, "
    "nothing ever waits, and starting a kernel takes no time"
)
PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"))
UNITS = {"bytes": "B/s", "flops": "flop/s", "passes": "passes/s"}


def one(bound: Bound, remarks: Sequence[str] = ()) -> str:
    """The bound on one GPU, part by part, and what it means. remarks: what else is known, as occupancy."""
    if bound.limit is None:
        return wrapped(f"Time on {bound.gpu.name}: nothing is moved and nothing computed, so there is no bound.")
    rows = [
        (term.name, f"{term.amount:,.0f} {term.unit}", rate_words(term), microseconds(term.time_us),
         "whatever the compiler does" if term.certain else "for the source as written")
        for term in bound.terms
    ]  # fmt: skip
    title = (
        f"Time on {bound.gpu.name}: at least {microseconds(bound.time_us)}, because of {bound.limit.name}. This is "
        f"{bound.says}. It takes for granted that {ASSUMES}."
    )
    parts = [section(title, ("part", "work", "fastest", "takes at least", "holds"), rows), wrapped(ridge_words(bound))]
    if held := bound.work.read_bytes + bound.work.write_bytes - bound.moved_bytes:
        parts.append(
            wrapped(f"{held:,} bytes more may still be in the L2 cache at the end and are left out of the bound.")
        )
    if 0 < bound.work.blocks < bound.gpu.multiprocessors:
        parts.append(wrapped(_idle_words(bound)))
    if bound.fits_l2:
        parts.append(wrapped(_l2_words(bound)))
    return "\n".join([*parts, *map(wrapped, remarks)])


def several(bounds: Sequence[Bound]) -> str:
    """One line a GPU: the least time, what sets it, and the ridge."""
    rows = [
        (bound.gpu.name, microseconds(bound.time_us), bound.limit.name, significant(bound.gpu.ridge(bound.work.dtype)),
         bound.side)
        for bound in bounds
        if bound.limit is not None
    ]  # fmt: skip
    if not rows:
        return ""
    intensity = significant(bounds[0].work.intensity)
    return section(
        f"Time: {LABEL}. {sentence(bounds)} It takes for granted that {ASSUMES}. Below the ridge, in flops per byte, "
        f"memory takes longer than arithmetic; here {intensity} are done. Choose one GPU to see every part.",
        ("GPU", "at least", "because of", "ridge", "side"),
        rows,
    )


def sentence(bounds: Sequence[Bound]) -> str:
    """What the bounds of one piece of work say, whichever GPU; they differ where memory limits some and not others."""
    said = dict.fromkeys(bound.says.removeprefix(f"{LABEL}: ") for bound in bounds if bound.limit is not None)
    return " ".join(f"{text[0].upper()}{text[1:]}." for text in said)


def ridge_words(bound: Bound) -> str:
    """Arithmetic intensity against the ridge."""
    ridge, work = bound.gpu.ridge(bound.work.dtype), bound.work
    where = "below" if bound.side == "memory" else "above"
    return (
        f"{significant(work.intensity)} flops for each byte that has to move, {where} this GPU's ridge of "
        f"{significant(ridge)} for {work.dtype}: "
        + (
            "memory takes longer than the arithmetic."
            if where == "below"
            else "the arithmetic takes longer than memory."
        )
    )


def rate_words(term: Term) -> str:
    """The highest rate of a part, as in "4.80 TB/s"."""
    factor, prefix = next((item for item in PREFIXES if term.per_s >= item[0]), (1.0, ""))
    return f"{significant(term.per_s / factor)} {prefix}{UNITS[term.unit]}"


def microseconds(time_us: float) -> str:
    """A time with three digits that count, as in "12.3 us"."""
    return f"{significant(time_us)} us"


def _idle_words(bound: Bound) -> str:
    blocks = "1 block" if bound.work.blocks == 1 else f"{bound.work.blocks} blocks"
    return (
        f"{blocks} for {bound.gpu.multiprocessors} multiprocessors: the others have nothing to do, so all rates but "
        "memory's are those of the ones with a block. Ideal: several blocks for each."
    )


def _l2_words(bound: Bound) -> str:
    size = bound.gpu.l2_bytes >> 20
    return (
        f"All that moves fits in the L2 cache of {size} MB: a launch that finds it there need not wait for memory. To "
        "learn about speed, take a problem several times that size."
    )
