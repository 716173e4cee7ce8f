"""Asks compute-sanitizer's racecheck about every kernel, and keeps what it reported."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.zoo.catalogue import PLANTED
from tests.zoo.measure import MeasuringError, heading
from tests.zoo.on_gpu import MARK

GOLDEN = Path(__file__).parent.parent / "golden" / "races.json"
REPORT = re.compile(r"=========\s+(Error|Warning|Info): Race reported between")
ACCESS = re.compile(r"(\w+) access at (.*?)\+0x[0-9a-f]+(?: in \S+:(\d+))?(?: \[(\d+) hazards?\])?$")
SUMMARY = "RACECHECK SUMMARY"
COMMAND = ("compute-sanitizer", "--tool", "racecheck", "--racecheck-report", "analysis", "--print-limit", "1000000")


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


def check(only: str = "") -> dict[str, list[dict[str, Any]]]:
    """Run everything under racecheck. Raises MeasuringError where it is missing or breaks off."""
    if shutil.which(COMMAND[0]) is None:
        raise MeasuringError(f"{COMMAND[0]} is not on the PATH. It comes with the CUDA toolkit.")
    command = [*COMMAND, sys.executable, "-m", "tests.zoo.on_gpu", "checked", only]
    ran = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return reports(ran.stdout)


def write(path: Path, only: str = "") -> Path:
    """Check everything and write one file; returns its path."""
    found = check(only)
    first = {kernel.__name__: kernel.__code__.co_firstlineno for p in PLANTED for kernel in (p.racy, p.mended)}
    document: dict[str, Any] = {**heading(COMMAND[0]), "checked": {}, "reported": {}}
    for name, entry_reports in found.items():
        part, _, own = name.partition(":")
        document["checked"].setdefault(part, []).append(own)
        if entry_reports:
            document["reported"][name] = condensed(entry_reports, first.get(own, 1))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_to_json(document))
    return path


def _to_json(document: dict[str, Any]) -> str:
    """One line a report."""
    head = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in document.items() if key != "reported"]
    body = [f"    {json.dumps(name)}: {json.dumps(report)}" for name, report in document["reported"].items()]
    return "{\n" + "\n".join(head) + '\n  "reported": {\n' + ",\n".join(body) + "\n  }\n}\n"
