"""Measures every entry with Nsight Compute and writes golden files that a machine without a GPU compares with."""

from __future__ import annotations

import datetime
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from autograder.machine.scratch import ScratchFolder
from autograder.speed.bench import versions
from tests.zoo.metrics import counters_of, rows_of, total, wanted

FAILED = "failed"  # what `on_gpu` calls the entry of launches that belong to one which did not end well
GOLDEN = Path(__file__).parent.parent / "golden" / "counters"


class MeasuringError(RuntimeError):
    """Nsight Compute is not there, or what it wrote cannot be matched with what was launched."""


def device() -> dict[str, str]:
    """Name and driver of the first GPU, as nvidia-smi gives them, and the versions that decide the machine code."""
    asked = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader", "--id=0"]
    name, driver = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip().split(", ")
    return {"device": name, "driver": driver}


def tool_version(tool: str) -> str:
    """The last line that `tool --version` prints."""
    return (
        subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout.strip().splitlines()[-1]
    )


def heading(tool: str) -> dict[str, Any]:
    """What a golden file says about where its numbers come from."""
    date = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d")
    return {**device(), "date": date, "tool": tool_version(tool), "versions": versions()}


def profile(only: str = "") -> tuple[list[dict[str, str]], list[dict[str, Any]]]:
    """ncu's rows and the log of launches, both in the order of launching.

    Raises MeasuringError where ncu is missing or fails.
    """
    if shutil.which("ncu") is None:
        raise MeasuringError("ncu is not on the PATH. Install Nsight Compute, or compare with the committed files.")
    with ScratchFolder("zoo") as folder:
        log, report = Path(folder) / "launches.json", Path(folder) / "ncu.csv"
        command = ["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base"]
        command += ["--metrics", ",".join(wanted()), "--log-file", str(report)]
        command += [sys.executable, "-m", "tests.zoo.on_gpu", str(log), only]
        ran = subprocess.run(command, capture_output=True, text=True)
        text = report.read_text() if report.exists() else ""
        if ran.returncode or not log.exists():
            raise MeasuringError(
                f"ncu ended with {ran.returncode}.\n{ran.stdout[-3000:]}{ran.stderr[-3000:]}{text[-3000:]}"
            )
        return rows_of(text), json.loads(log.read_text())


def matched(rows: list[dict[str, str]], launches: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Counters and machine code by entry. Launches are matched by order, and each kernel's name is checked.

    Raises MeasuringError where the two do not tell of the same launches.
    """
    if len(rows) != len(launches):
        raise MeasuringError(f"ncu saw {len(rows)} launches, numba made {len(launches)}: one of them missed some.")
    by_entry: dict[str, list[tuple[dict, dict]]] = {}
    for row, launch in zip(rows, launches, strict=True):
        if launch["function"] not in row["Kernel Name"]:
            raise MeasuringError(f"launch {row['ID']} is {row['Kernel Name']}, not {launch['function']}.")
        by_entry.setdefault(launch["entry"], []).append((counters_of(row), launch))
    return {name: _entry(measured) for name, measured in by_entry.items() if name != FAILED}


def _entry(measured: list[tuple[dict, dict]]) -> dict[str, Any]:
    """One entry of a golden file. Everything was launched twice; `again` holds what differed the second time."""
    half = len(measured) // 2
    first, second = (total(counters for counters, _ in part) for part in (measured[:half], measured[half:]))
    launches = [
        {"function": launch["function"], "instructions": launch["instructions"]} for _, launch in measured[:half]
    ]
    again = {name: value for name, value in second.items() if value != first[name]}
    return {"launches": launches, "counters": first, **({"again": again} if again else {})}


def write(folder: Path, only: str = "") -> list[Path]:
    """Measure and write zoo.json and course.json into a folder; returns their paths.

    only: measure entries whose name holds one of these texts, with commas between, and leave the others of an existing
    file as they are.
    """
    rows, launches = profile(only)
    entries, head = matched(rows, launches), heading("ncu")
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for part in ("zoo", "course"):
        path = folder / f"{part}.json"
        measured = {name.partition(":")[2]: entry for name, entry in entries.items() if name.startswith(f"{part}:")}
        known = _alike(path, head) if only else {}
        path.write_text(to_json({**head, "entries": {**known, **measured}}))
        paths.append(path)
    return paths


def merge(folder: Path, into: Path = GOLDEN) -> list[Path]:
    """Put what was measured into another folder, on the same device and versions, into the golden files."""
    paths = []
    for part in ("zoo", "course"):
        document, path = json.loads((folder / f"{part}.json").read_text()), into / f"{part}.json"
        head = {key: value for key, value in document.items() if key != "entries"}
        path.write_text(to_json({**head, "entries": {**_alike(path, head), **document["entries"]}}))
        paths.append(path)
    return paths


def _alike(path: Path, head: dict[str, Any]) -> dict[str, Any]:
    """The entries of a golden file that was measured on the same machine and versions.

    Raises MeasuringError for another one: a file tells of one device.
    """
    if not path.exists():
        return {}
    known = json.loads(path.read_text())
    joined(path, head, known)
    return known["entries"]


def joined(path: Path, head: dict[str, Any], known: dict[str, Any]) -> None:
    """Raise MeasuringError unless both were measured on the same machine, with the same versions."""
    differs = [key for key in head if key != "date" and head[key] != known[key]]
    if differs:
        raise MeasuringError(
            f"{path} was measured with another {' and '.join(differs)}. Measure all: leave out --only."
        )


def to_json(document: dict[str, Any]) -> str:
    """One line an entry, so that differences read line by line."""
    head = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in document.items() if key != "entries"]
    body = [f"    {json.dumps(name)}: {json.dumps(entry)}" for name, entry in document["entries"].items()]
    return "{\n" + "\n".join(head) + '\n  "entries": {\n' + ",\n".join(body) + "\n  }\n}\n"
