"""Asks compute-sanitizer about every kernel: racecheck about races, memcheck about memory. Keeps what they report."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.zoo.catalogue import ENTRIES, PLANTED
from tests.zoo.course import entries
from tests.zoo.measure import MeasuringError, heading, joined
from tests.zoo.on_gpu import MARK, chosen

GOLDEN = Path(__file__).parent.parent / "golden" / "races.json"
MEMORY = GOLDEN.with_name("memory.json")
REPORT = re.compile(r"=========\s+(Error|Warning|Info): Race reported between")
ACCESS = re.compile(r"(\w+) access at (.*?)\+0x[0-9a-f]+(?: in \S+:(\d+))?(?: \[(\d+) hazards?\])?$")
SUMMARY = "RACECHECK SUMMARY"
ERROR = re.compile(r"^========= (?!COMPUTE-SANITIZER|ERROR SUMMARY)(\S.*)$")  # the first line of what memcheck reports
COMMAND = ("compute-sanitizer", "--print-limit", "1000000", "--tool")
RACECHECK = (*COMMAND, "racecheck", "--racecheck-report", "analysis")
MEMCHECK = (*COMMAND, "memcheck", "--report-api-errors", "no")


def reports(text: str) -> dict[str, list[dict[str, Any]]]:
    """What racecheck reported on each entry, in the order of launching; an empty list where it found nothing.

    A report holds its severity, and each access with its kind and its line of the file (None without one).
    Raises MeasuringError where the text breaks off before the last entry.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    current = ""
    for line in text.splitlines():
        if line.startswith(MARK):
            current = line[len(MARK) :].strip()
            found[current] = []
        elif report := REPORT.search(line):
            found[current].append({"severity": report[1], "accesses": [], "hazards": 0})
        if line.startswith("=========") and (access := ACCESS.search(line)):
            last = found[current][-1]
            last["accesses"].append((access[1], int(access[3]) if access[3] else None))
            last["hazards"] += int(access[4] or 0)
    if "end" not in found or SUMMARY not in text:
        raise MeasuringError(f"racecheck broke off after {current!r}:\n{text[-3000:]}")
    del found["end"]
    return found


def condensed(entry_reports: list[dict[str, Any]], first_line: int) -> dict[str, Any]:
    """The worst severity, every pair of lines, counted from the kernel's `def` as 1, and how many hazards."""
    pairs = set()
    for report in entry_reports:
        lines = sorted({line - first_line + 1 for _, line in report["accesses"] if line})
        pairs.add(tuple(lines))
    severities = {report["severity"] for report in entry_reports}
    return {
        "severity": next(name for name in ("Error", "Warning", "Info") if name in severities),
        "lines": sorted(map(list, pairs)),
        "hazards": sum(report["hazards"] for report in entry_reports),
    }


def errors(text: str) -> dict[str, list[str]]:
    """The first lines of what memcheck reported on each entry. Raises MeasuringError where the text breaks off."""
    found: dict[str, list[str]] = {}
    current = ""
    for line in text.splitlines():
        if line.startswith(MARK):
            current = line[len(MARK) :].strip()
            found[current] = []
        elif current and (error := ERROR.match(line)):
            found[current].append(error[1])
    if "end" not in found or "ERROR SUMMARY" not in text:
        raise MeasuringError(f"memcheck broke off after {current!r}:\n{text[-3000:]}")
    del found["end"]
    return found


def names_of(only: str) -> list[str]:
    """The names of what `only` chooses among planted races, the zoo and the course."""
    planted = [kernel.__name__ for each in PLANTED for kernel in (each.racy, each.mended)]
    names = [*planted, *(entry.name for entry in ENTRIES), *(entry.name for entry in entries())]
    return [name for name in names if chosen(name, only)]


def said(command: tuple[str, ...], only: str = "", jobs: int = 1) -> list[str]:
    """What a tool of compute-sanitizer printed on everything chosen, by as many processes as there are jobs.

    Raises MeasuringError where compute-sanitizer is missing.
    """
    if shutil.which(command[0]) is None:
        raise MeasuringError(f"{command[0]} is not on the PATH. It comes with the CUDA toolkit.")
    names = names_of(only)
    parts = [",".join(names[first::jobs]) for first in range(jobs)] if jobs > 1 else [only]

    def one(part: str) -> str:
        process = [*command, sys.executable, "-m", "tests.zoo.on_gpu", "checked", part]
        return subprocess.run(process, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(one, filter(None, parts) if only else parts))


def check(only: str = "", jobs: int = 1) -> dict[str, list[dict[str, Any]]]:
    """Run everything chosen under racecheck. Raises MeasuringError where it is missing or breaks off."""
    return {name: found for text in said(RACECHECK, only, jobs) for name, found in reports(text).items()}


def write(path: Path, only: str = "", jobs: int = 1) -> Path:
    """Check everything and write one file; returns its path. With `only`, the others of an existing file stay."""
    found = check(only, jobs)
    first = {kernel.__name__: kernel.__code__.co_firstlineno for p in PLANTED for kernel in (p.racy, p.mended)}
    reported = {
        name: condensed(entry_reports, first.get(name.partition(":")[2], 1))
        for name, entry_reports in found.items()
        if entry_reports
    }
    return _written(path, found, reported, only)


def write_memory(path: Path, only: str = "", jobs: int = 1) -> Path:
    """The same with memcheck: an entry that it reports comes with the first line of each report."""
    found = {name: lines for text in said(MEMCHECK, only, jobs) for name, lines in errors(text).items()}
    return _written(path, found, {name: lines for name, lines in found.items() if lines}, only)


def _written(path: Path, found: dict[str, Any], reported: dict[str, Any], only: str) -> Path:
    """Write what was checked and what was reported."""
    checked: dict[str, list[str]] = {}
    for name in found:
        part, _, own = name.partition(":")
        checked.setdefault(part, []).append(own)
    document = {**heading(COMMAND[0]), "checked": checked, "reported": reported}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_to_json(with_others(document, path) if only else document))
    return path


def with_others(document: dict[str, Any], path: Path) -> dict[str, Any]:
    """What was checked now, and of an existing file what was not: of the course, only what it still has.

    Raises MeasuringError where the file tells of another machine or other versions.
    """
    if not path.exists():
        return document
    known = json.loads(path.read_text())
    joined(path, {key: document[key] for key in document if key not in ("checked", "reported")}, known)
    now = {part: dict.fromkeys(names) for part, names in document["checked"].items()}
    old = {part: [name for name in names if name not in now.get(part, ())] for part, names in known["checked"].items()}
    there = {entry.name for entry in entries()}
    old["course"] = [name for name in old.get("course", ()) if name in there]
    checked = {part: [*old.get(part, ()), *now.get(part, ())] for part in {**old, **now}}
    stay = {f"{part}:{name}" for part, names in old.items() for name in names}
    reported = {name: report for name, report in known["reported"].items() if name in stay}
    return {**document, "checked": checked, "reported": {**reported, **document["reported"]}}


def merge(source: Path, path: Path = GOLDEN) -> Path:
    """Put a file that was written elsewhere, on the same device and versions, into a golden file."""
    path.write_text(_to_json(with_others(json.loads(source.read_text()), path)))
    return path


def _to_json(document: dict[str, Any]) -> str:
    """One line a report."""
    head = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in document.items() if key != "reported"]
    body = [f"    {json.dumps(name)}: {json.dumps(report)}" for name, report in document["reported"].items()]
    return "{\n" + "\n".join(head) + '\n  "reported": {\n' + ",\n".join(body) + "\n  }\n}\n"
