"""The tables of docs/interpreter-fidelity.md that come from golden files; `python -m tests.zoo page` writes them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from tests.zoo import exceptions, racecheck
from tests.zoo.catalogue import ENTRIES, PLANTED
from tests.zoo.compare import LIMITS, golden, lanes_at_work, pairs, traces
from tests.zoo.simulated import lines_found, trace_of

PAGE = Path(__file__).parent.parent.parent / "docs" / "interpreter-fidelity.md"
BEGIN, END = "<!-- {}: written by `python -m tests.zoo page` -->", "<!-- end of {} -->"

ROWS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("global load requests, sectors", "a load of one warp; its distinct 32-byte sectors", ("global_load_",)),
    ("global store requests, sectors", "the same for stores", ("global_store_",)),
    (
        "global atomic requests, sectors",
        "each sector as often as its hottest address; one where the compiler reduces a warp first",
        ("global_atomic_",),
    ),
    (
        "shared load requests, wavefronts, bank conflicts",
        "32 banks of 4 bytes; groups of lanes for wide elements; one word is broadcast",
        ("shared_load_",),
    ),
    ("shared store requests, wavefronts, bank conflicts", "the same, without merging of groups", ("shared_store_",)),
    (
        "shared atomic requests, wavefronts",
        "lanes of one bank queue; compare-and-swap passes twice",
        ("shared_atomic_",),
    ),
    ("shared bytes of a block", "static and dynamic arrays as allocated", ("shared_bytes",)),
)


def counters_table() -> str:
    """One row a kind of counter: how it is counted, and how often it is the hardware's."""
    head = golden("zoo")
    tool = head["tool"].split()[1]
    n_kernels = len({entry.kernel for entry in ENTRIES})
    n_course = len([name for part, name in traces() if part == "course"])
    lines = [
        f"Measured on an {head['device']} (driver {head['driver']}) with Nsight Compute {tool} and numba-cuda "
        f"{head['versions']['numba-cuda']} on {head['date']}: the {n_course} solutions and naive versions of the "
        f"course, and the zoo, {len(ENTRIES)} launches of {n_kernels} kernels. "
        "A pair is a counter of a launch that is not zero; equal means within 1 %.",
        "",
        "| counter | model | zoo: equal pairs | course: equal pairs |",
        "|---|---|---|---|",
    ]
    for name, model, prefixes in ROWS:
        chosen = [pair for pair in pairs() if pair.counter.startswith(prefixes)]
        zoo, own = (_share(pair.equal for pair in chosen if pair.part == part) for part in ("zoo", "course"))
        lines.append(f"| {name} | {model} | {zoo} | {own} |")
    zoo, own = (_share(pair.equal for pair in pairs() if pair.part == part) for part in ("zoo", "course"))
    lines.append(f"| all | | {zoo} | {own} |")
    everything = [pair.equal for pair in pairs()]
    steady = [pair.equal for pair in pairs() if pair.repeats]
    lines += [
        "",
        f"Together {_share(everything)} pairs are equal, {sum(everything) / len(everything):.1%}. "
        f"Everything was launched twice: {len(everything) - len(steady)} pairs are not equal to themselves on the GPU. "
        f"Of the others {_share(steady)} are, {sum(steady) / len(steady):.1%}.",
        "",
        _lanes(),
    ]
    return "\n".join(lines)


def _lanes() -> str:
    shares = lanes_at_work()
    within = " and ".join(f"{sum(share <= limit for share in shares)} within {limit:.0%}" for limit in LIMITS)
    return (
        f"*Lanes at work*, threads per instruction, are a model, since source lines stand for instructions: "
        f"of {len(shares)} launches, {within} of the hardware's number."
    )


def _share(flags: Iterable[bool]) -> str:
    flags = list(flags)
    return f"{sum(flags)} of {len(flags)}" if flags else "none"


def exceptions_table() -> str:
    """One row a reason: why, and which entries it explains."""
    lines = ["| why | kernels | pairs |", "|---|---|---|"]
    for reason, (title, explanation) in exceptions.REASONS.items():
        chosen = exceptions.of(reason)
        names = ", ".join(f"`{entry}`" for entry in chosen)
        lines.append(f"| **{title}.** {explanation} | {names} | {sum(map(len, chosen.values()))} |")
    return "\n".join(lines)


def races_table() -> str:
    """One row a kind of race: how many were planted, and who found them; the last row has none to find."""
    record = json.loads(racecheck.GOLDEN.read_text())
    reported = set(record["reported"])
    lines = [
        f"compute-sanitizer {record['tool'].split()[1]} on the same {record['device']}, {record['date']}:",
        "",
        "| kernels | how many | racecheck reports | simt reports |",
        "|---|---|---|---|",
    ]
    for beyond in dict.fromkeys(planted.beyond_racecheck for planted in PLANTED):
        chosen = [planted for planted in PLANTED if planted.beyond_racecheck == beyond]
        by_racecheck = sum(f"planted:{planted.name}" in reported for planted in chosen)
        by_simt = sum(planted.lines == lines_found(trace_of(planted.entry(planted.racy))) for planted in chosen)
        kind = f"a race planted, but {beyond}" if beyond else "a race planted in shared memory"
        lines.append(f"| {kind} | {len(chosen)} | {by_racecheck} | {by_simt} |")
    correct = [trace_of(planted.entry(planted.mended)) for planted in PLANTED] + list(traces().values())
    false = sum(not name.endswith("_racy") for name in reported)
    by_simt = sum(bool(trace.findings) for trace in correct)
    lines.append(f"| no race: mended, zoo and course | {len(correct)} | {false} | {by_simt} |")
    memory = json.loads(racecheck.MEMORY.read_text())
    lines += [
        "",
        f"Its memcheck, {memory['date']}, had {len(memory['reported']) or 'nothing'} to report of the "
        f"{len(memory['checked']['course'])} solutions and naive versions of the course.",
    ]
    return "\n".join(lines)


TABLES = {"counters": counters_table, "exceptions": exceptions_table, "races": races_table}


def written(text: str) -> str:
    """The page with its tables as they are now. Raises ValueError where a table's marks are missing."""
    for name, table in TABLES.items():
        begin, end = BEGIN.format(name), END.format(name)
        if text.count(begin) != 1 or text.count(end) != 1:
            raise ValueError(f"{PAGE.name} needs one line {begin!r} and one line {end!r}.")
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}\n{table()}\n{end}{rest.partition(end)[2]}"
    return text


def write() -> Path:
    """Write the tables into the page; returns its path."""
    PAGE.write_text(written(PAGE.read_text()))
    return PAGE
