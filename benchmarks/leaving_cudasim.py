"""The same small programs under numba's simulator and under ours: docs/leaving-cudasim.md's table.

    python -m benchmarks.leaving_cudasim [--check]

Each program is a file, run by `NUMBA_ENABLE_CUDASIM=1 python FILE` and by `python -m simt FILE`. Processor time is that
of the whole process, imports and all. It is recorded; --check compares only what programs print and end with.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

from autograder.machine.scratch import ScratchFolder
from benchmarks.cudasim_probes import HEAD, PROBES, Probe
from benchmarks.record import RESULTS, record

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/leaving-cudasim.md"
BEGIN, END = "<!-- measured: begin -->\n", "<!-- measured: end -->\n"
PATIENCE_S = 10
NAME = "leaving_cudasim"


def outcome(probe: Probe, folder: Path, simulator: bool) -> dict[str, Any]:
    """What one program does. Returns: prints (its last line), raises, finds (kinds with lines), cpu_s; hangs."""
    path = folder / f"{probe.name}.py"
    path.write_text(HEAD + probe.source)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(path)]
    if simulator:
        environment["NUMBA_ENABLE_CUDASIM"] = "1"
    else:
        command[1:] = ["-m", "autograder.cli", "run", "--json", str(path)]
    before = _child_seconds()
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        return {"hangs": True}
    said = {"cpu_s": round(_child_seconds() - before, 2)}
    document = {} if simulator else json.loads(done.stdout)
    found = sorted({f"{one['kind'].replace('_', ' ')}" for one in document.get("findings", [])})
    printed = [line for line in (done.stdout if simulator else done.stderr).splitlines() if line.startswith("> ")]
    code = done.returncode if simulator else document["script_exit_code"]
    raised = re.findall(r"^(?:\w+\.)*(\w+(?:Error|Exception))(?::|$)", done.stderr, re.MULTILINE) if code else []
    return said | {"prints": printed[-1][2:] if printed else "", "raises": raised[-1] if raised else "", "finds": found}


def _child_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure() -> dict[str, dict[str, Any]]:
    """Every probe under both."""
    with ScratchFolder("bench") as folder:
        return {
            probe.name: {who: outcome(probe, Path(folder), who == "cudasim") for who in ("cudasim", "simt")}
            for probe in PROBES
        }


def said(one: dict[str, Any]) -> str:
    """An outcome in a cell of the table."""
    if one.get("hangs"):
        return f"hangs (ended after {PATIENCE_S} s)"
    parts = [f"prints {one['prints']}"] if one["prints"] else []
    parts += [f"ends with {one['raises']}"] if one["raises"] else []
    parts += [f"**{', '.join(one['finds'])}**"] if one["finds"] else []
    return "; ".join(parts) or "prints nothing"


def table(document: dict[str, Any]) -> str:
    """The rows, the processor time of the programs that both finish, and where that was measured."""
    measured = document["programs"]
    rows = ["| program | numba's simulator | `python -m simt` |", "|---|---|---|"]
    rows += [f"| {p.what} | {said(measured[p.name]['cudasim'])} | {said(measured[p.name]['simt'])} |" for p in PROBES]
    timed = [p for p in PROBES if p.timed]
    rows += ["", "| processor time, with all imports | numba's simulator | `python -m simt` |", "|---|--:|--:|"]
    for p in timed:
        of = {who: measured[p.name][who].get("cpu_s") for who in ("cudasim", "simt")}
        rows.append(f"| {p.what} | {of['cudasim']:.1f} s | {of['simt']:.1f} s |")
    versions = ", ".join(f"{name} {number}" for name, number in document["versions"].items())
    return "\n".join([*rows, "", f"{document['machine']}, {document['date']}; {versions}."]) + "\n"


def main() -> int:
    """Write the page, or compare what the programs do with what was recorded."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 where a program does something else"
    )
    if parser.parse_args().check:
        return _check(json.loads((RESULTS / f"{NAME}.json").read_text()))
    document = json.loads(record(NAME, {"programs": measure()}).read_text())
    before, _, rest = PAGE.read_text().partition(BEGIN)
    PAGE.write_text(before + BEGIN + table(document) + END + rest.partition(END)[2])
    return 0


def _check(document: dict[str, Any]) -> int:
    recorded, now = document["programs"], measure()
    others = [name for name in recorded if _without_times(recorded[name]) != _without_times(now.get(name, {}))]
    for name in others:
        print(f"{name}: recorded {recorded[name]}, now {now.get(name)}. python -m benchmarks.leaving_cudasim")
    in_page = table(document) in PAGE.read_text()
    print("the page is current" if in_page else f"{PAGE} does not show what was recorded")
    return int(bool(others) or not in_page)


def _without_times(one: dict[str, Any]) -> dict[str, Any]:
    return {who: {key: value for key, value in of.items() if key != "cpu_s"} for who, of in one.items()}


if __name__ == "__main__":
    sys.exit(main())
