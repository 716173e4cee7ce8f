"""A trace as text: findings first, then what each line moved, with every number explained in words."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable
from typing import Any

from simt.events import WARP_SIZE, Finding, Launch
from simt.trace import Trace

Row = dict[str, Any]  # one row of `Trace.by_site` or `Trace.by_line`
WIDEST_TEXT = 36
WIDEST_SOURCE = 60
WIDEST_TITLE = 110


def render(trace: Trace) -> str:
    """Everything worth reading about a trace, sections without content left out."""
    sections = (launches, findings, global_memory, shared_memory, atomics, lanes, arrays)
    return "\n\n".join(text for text in (section(trace) for section in sections) if text)


def launches(trace: Trace) -> str:
    """One line a launch: kernel, grid, block."""
    return "\n".join(_launch_line(launch) for launch in trace.launches)


def findings(trace: Trace) -> str:
    """Mistakes in the order to mend them, then notes."""
    lines = [_finding_text(finding) for finding in trace.findings] or ["No mistakes found."]
    lines += [_finding_text(note, "note") for note in trace.notes]
    return "\n".join(lines)


def global_memory(trace: Trace) -> str:
    """Requests and sectors of every access to global memory."""
    rows = []
    for row, kind in _accesses(trace, "global"):
        requests, sectors = row[f"global_{kind}_requests"], row[f"global_{kind}_sectors"]
        ideal = row.get(f"global_{kind}_sectors_ideal", 0)
        each = f"{ideal / requests:.2f}" if ideal else ""
        words = _sector_words(sectors, ideal) if ideal else _queue_words(row["atomic_max_contention"])
        rows.append((*_place(row), kind, requests, sectors, f"{sectors / requests:.2f}", each, words))
    return _section(
        "Global memory. A warp asks once; the answer comes in sectors of 32 bytes, and every sector takes its time. "
        "Ideal: what the same elements would fill side by side.",
        ("line", "expression", "does", "requests", "sectors", "a request", "ideal", "in words"),
        rows,
    )


def shared_memory(trace: Trace) -> str:
    """Passes and conflicts of every access to shared memory."""
    rows = []
    for row, kind in _accesses(trace, "shared"):
        requests, passes = row[f"shared_{kind}_requests"], row[f"shared_{kind}_wavefronts"]
        conflicts = row.get(f"shared_{kind}_bank_conflicts", passes - requests)
        words = "no conflicts" if not conflicts else f"{passes / (passes - conflicts):.1f} times the passes needed"
        rows.append((*_place(row), kind, requests, passes, f"{passes / requests:.2f}", conflicts, words))
    return _section(
        "Shared memory. It has 32 banks of 4-byte words, and a pass reads one word of each; lanes that want different "
        "words of one bank wait for another pass. Ideal: 0 conflicts.",
        ("line", "expression", "does", "requests", "passes", "a request", "conflicts", "in words"),
        rows,
    )


def atomics(trace: Trace) -> str:
    """Operations and contention of every atomic."""
    rows = [
        (
            *_place(row),
            row["atomic_operations"],
            row["atomic_max_contention"],
            row["atomic_hottest_cell"],
            _queue_words(row["atomic_max_contention"]),
        )
        for row in trace.by_site()
        if row["atomic_operations"]
    ]
    return _section(
        "Atomics. Operations on one element happen one after the other. Ideal: lanes of a warp hit different elements.",
        ("line", "expression", "operations", "worst warp", "hottest element", "in words"),
        rows,
    )


def lanes(trace: Trace) -> str:
    """How many lanes of a warp work, line by line, and where warps split."""
    rows = []
    for row in trace.by_line():
        warps = row["warp_instructions"]
        if not warps:
            continue
        active = row["thread_instructions"] / warps
        split = f"{row['divergent_branches']:,} of {row['branches']:,}" if row["branches"] else ""
        text = _short(row["text"], WIDEST_SOURCE)
        rows.append((row["line"], text, warps, f"{active:.1f}", split, _lane_words(active, row)))
    return _section(
        f"Lanes. A warp executes a line once for all its {WARP_SIZE} lanes, however few take part. "
        f"Ideal: {WARP_SIZE} lanes at work and no warp that splits.",
        ("line", "source", "warps", "lanes at work", "warps that split", "in words"),
        rows,
    )


def arrays(trace: Trace) -> str:
    """Bytes by array against the array's size."""
    rows = [
        (name, t.array_bytes, t.load_bytes, t.store_bytes, t.atomic_bytes, _traffic_words(t))
        for name, t in sorted(trace.bytes_by_array().items())
    ]
    return _section(
        "Arrays. Bytes that threads asked for, against the bytes of the array. Ideal: each element once.",
        ("array", "bytes", "loaded", "stored", "atomics", "in words"),
        rows,
    )


# Words


def _sector_words(sectors: int, ideal: int) -> str:
    if sectors <= ideal:
        return "as few as possible"
    return f"{sectors / ideal:.1f} times the fewest possible; {ideal / sectors:.0%} of what moves is needed"


def _queue_words(worst: int) -> str:
    return "no queue within a warp" if worst <= 1 else f"up to {worst} lanes of a warp queue for one element"


def _lane_words(active: float, row: Row) -> str:
    if row["divergent_branches"]:
        return f"{row['divergent_branches'] / row['branches']:.0%} of the warps run both sides"
    return "all lanes work" if active == WARP_SIZE else f"{active / WARP_SIZE:.0%} of the lanes work"


def _traffic_words(traffic) -> str:
    if not traffic.array_bytes or not traffic.load_bytes + traffic.store_bytes + traffic.atomic_bytes:
        return "not touched"
    parts = [
        f"{verb} {_times(moved / traffic.array_bytes)}"
        for verb, moved in (
            ("loaded", traffic.load_bytes),
            ("stored", traffic.store_bytes),
            ("updated", traffic.atomic_bytes),
        )
        if moved
    ]
    return ", ".join(parts)


def _times(ratio: float) -> str:
    return "once" if ratio == 1 else f"{ratio:.3g} times"


def _launch_line(launch: Launch) -> str:
    grid, block = (" x ".join(str(extent) for extent in _trim(shape)) for shape in (launch.grid, launch.block))
    return f"{launch.kernel}: grid of {grid} blocks, {block} threads each"


def _finding_text(finding: Finding, label: str = "") -> str:
    where = ", ".join(f"line {line}" for line in finding.lines)
    kind = label or finding.kind.replace("_", " ")
    times = f" ({finding.count:,} times)" if finding.count > 1 else ""
    head = f"{kind}{' at ' + where if where else ''}{times}"
    return "\n".join([head, f"  {finding.message}", *([f"  {finding.remedy}"] if finding.remedy else [])])


# Layout


def _accesses(trace: Trace, space: str) -> Iterable[tuple[Row, str]]:
    """Sites with requests to a space, once for each kind of access."""
    for row in trace.by_site():
        for kind in ("load", "store", "atomic"):
            if row[f"{space}_{kind}_requests"]:
                yield row, kind


def _place(row: Row) -> tuple[int, str]:
    return row["line"], _short(row["text"], WIDEST_TEXT)


def _short(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 3] + "..."


def _trim(shape: tuple[int, ...]) -> tuple[int, ...]:
    while len(shape) > 1 and shape[-1] == 1:
        shape = shape[:-1]
    return shape


def _section(title: str, header: tuple[str, ...], rows: list[tuple]) -> str:
    return f"{textwrap.fill(title, WIDEST_TITLE)}\n{_table(header, rows)}" if rows else ""


def _table(header: tuple[str, ...], rows: list[tuple]) -> str:
    """Columns two spaces apart; numbers to the right."""
    cells = [header, *([_cell(value) for value in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    right = [all(_is_number(row[column]) for row in rows) for column in range(len(header))]
    adjust: list[Callable[[str, int], str]] = [str.rjust if number else str.ljust for number in right]
    return "\n".join(
        "  ".join(put(text, width) for put, text, width in zip(adjust, row, widths, strict=True)).rstrip()
        for row in cells
    )


def _cell(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) or not value or value.replace(".", "").isdigit()
