"""A trace as text: findings first, then what each line moved, with every number explained in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from simt.events import Finding, Launch
from simt.hardware import WARP_SIZE
from simt.launching.geometry import volume
from simt.source.counts import count_text
from simt.text.text_tables import section, short
from simt.tracing import Trace

Row = dict[str, Any]  # one row of `Trace.by_site` or `Trace.by_line`
WIDEST_TEXT = 36
WIDEST_SOURCE = 60


def render(trace: Trace) -> str:
    """Everything worth reading about a trace, sections without content left out."""
    sections = (launches, findings, global_memory, shared_memory, blocks, atomics, lanes, arithmetic, arrays)
    return "\n\n".join(text for text in (part(trace) for part in sections) if text)


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
    return section(
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
    return section(
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
    return section(
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
        text = short(row["text"], WIDEST_SOURCE)
        rows.append((row["line"], text, warps, f"{active:.1f}", split, _lane_words(active, row)))
    return section(
        f"Lanes. A warp executes a line once for all its {WARP_SIZE} lanes, however few take part. "
        f"Ideal: {WARP_SIZE} lanes at work and no warp that splits.",
        ("line", "source", "warps", "lanes at work", "warps that split", "in words"),
        rows,
    )


def arithmetic(trace: Trace) -> str:
    """Arithmetic by line: flops by type, and what is more than one instruction."""
    columns = {"float16_flops": "float16", "float32_flops": "float32", "float64_flops": "float64",
               "tensor_flops": "tensor cores", "float_divisions": "divisions", "special_functions": "functions",
               "integer_operations": "integer"}  # fmt: skip
    if not trace.counters["tensor_flops"]:
        del columns["tensor_flops"]
    rows = []
    for row in trace.by_line():
        counts = [row[name] for name in columns]
        if any(counts):
            text = short(row["text"], WIDEST_SOURCE)
            rows.append((row["line"], text, *(count or "" for count in counts), _arithmetic_words(row)))
    return section(
        "Arithmetic, as the source writes it. A flop is an addition, a subtraction or a multiplication of "
        "floating-point numbers: `acc += a * b` is two, though the GPU does both in one instruction. Ideal: as few as "
        "the problem takes, in the narrowest type that is exact enough; divisions and functions only where needed.",
        ("line", "source", *columns.values(), "in words"),
        rows,
        _intensity_words(trace),
    )


def blocks(trace: Trace) -> str:
    """What the threads of a block share and wait for: shared memory, barriers, exchanges within a warp."""
    n_blocks = sum(volume(launch.grid) for launch in trace.launches)
    rows = []
    for row in trace.by_site():
        passed, synced, shared = row["barriers"], row["warp_syncs"], row["shared_bytes"]
        if passed or synced or shared:
            words = f"{passed / n_blocks:.3g} a block" if passed else ""
            rows.append((*_place(row), passed or "", synced or "", shared or "", words))
    return section(
        "Blocks. At a barrier all threads of a block wait for the slowest, at a warp's the lanes of the warp. Shared "
        "bytes are those of one block, all arrays up to this line; the more a block takes, the fewer blocks fit on a "
        "multiprocessor. Ideal: a barrier only between a write and a read of another thread.",
        ("line", "expression", "barriers", "by warps", "shared bytes", "in words"),
        rows,
    )


def arrays(trace: Trace) -> str:
    """Bytes by array against the array's size."""
    traffic = trace.bytes_by_array()
    rows = [
        (name, t.array_bytes, t.load_bytes, t.store_bytes, t.atomic_bytes, t.least_bytes, _traffic_words(t))
        for name, t in sorted(traffic.items())
    ]
    asked, least = (sum(getattr(t, name) for t in traffic.values()) for name in ("moved_bytes", "least_bytes"))
    return section(
        "Arrays. Bytes that threads asked for, against the fewest that can move: each sector that is touched, in once "
        "if it is read, out once if it is written. Ideal: threads ask for no more than that.",
        ("array", "bytes", "loaded", "stored", "atomics", "fewest", "in words"),
        rows,
        _share_words(asked, least),
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


def _share_words(asked: int, least: int) -> str:
    if not least:
        return ""
    if asked < least:
        return f"In all, {least:,} bytes move, and threads asked for {asked / least:.0%} of them: sectors move whole."
    if asked == least:
        return f"In all, threads asked for {asked:,} bytes, and no fewer can move."
    return (
        f"In all, threads asked for {asked:,} bytes, {asked / least:.3g} times the {least:,} that have to move. What "
        "is asked for again may come from a cache."
    )


def _arithmetic_words(row: Row) -> str:
    words = ["double precision"] if row["float64_flops"] else []
    if row["float_divisions"] or row["special_functions"]:
        words.append("each division or function is many instructions")
    return ", ".join(words)


def _intensity_words(trace: Trace) -> str:
    flops = sum(trace.counters[f"{kind}_flops"] for kind in ("float16", "float32", "float64", "tensor"))
    least = sum(traffic.least_bytes for traffic in trace.bytes_by_array().values())
    if not flops or not least:
        return ""
    total = count_text(flops, "flop")
    return f"In all {total}, {flops / least:.3g} for each byte that has to move between memory and the GPU."


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
    return row["line"], short(row["text"], WIDEST_TEXT)


def _trim(shape: tuple[int, ...]) -> tuple[int, ...]:
    while len(shape) > 1 and shape[-1] == 1:
        shape = shape[:-1]
    return shape
