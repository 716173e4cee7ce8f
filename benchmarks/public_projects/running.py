"""A project's tests and programs under one of the two simulators, and what came of each."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.public_projects.projects import Project

TEST_S, SUITE_S, PROGRAM_S = 60, 3600, 300
PLAIN_NOTEBOOK = (
    "import sys; from autograder.programs.notebook import run_notebook; sys.exit(run_notebook(sys.argv[1], []))"
)
CUDASIM, OURS = "cudasim", "simt"
Ran = tuple[dict[str, dict[str, Any]], list[dict[str, Any]], bool]  # tests, findings, ended


def suite(project: Project, checkout: Path, python: str, who: str, scratch: Path) -> dict[str, Any]:
    """Run it all. Returns: tests as name -> {outcome, found, why}; cpu_s, wall_s, findings; ended: by the bound."""
    used = _used()
    ran = _tests if project.tests else _programs
    tests, found, ended = ran(project, checkout, python, who, scratch)
    cpu_s, wall_s = (round(now - before, 1) for now, before in zip(_used(), used, strict=True))
    return {"tests": tests, "cpu_s": cpu_s, "wall_s": wall_s, "ended": ended, "findings": found}


def _tests(project: Project, checkout: Path, python: str, who: str, scratch: Path) -> Ran:
    said, sarif = scratch / f"{who}.jsonl", scratch / f"{who}.sarif"
    for old in (said, sarif):
        old.unlink(missing_ok=True)
    environment = _environment(project, checkout, who) | {"OUTCOMES": str(said), "LIMIT_S": str(TEST_S)}
    command = [
        python,
        "-m",
        "pytest",
        "-p",
        "outcomes",
        "-q",
        "-p",
        "no:cacheprovider",
        "--continue-on-collection-errors",
        f"--confcutdir={checkout}",
    ]
    command += ["-o", "addopts=", "-o", "filterwarnings=ignore", *project.tests]
    if who == OURS:
        command += ["--warpbook", f"--warpbook-sarif={sarif}"]
    with open(scratch / f"{who}.log", "w") as log:
        try:
            subprocess.run(
                command, cwd=checkout / project.folder, env=environment, stdout=log, stderr=log, timeout=SUITE_S
            )
            ended = False
        except subprocess.TimeoutExpired:
            ended = True
    lines = [json.loads(line) for line in said.read_text().splitlines()] if said.exists() else []
    tests: dict[str, dict[str, Any]] = {}
    for line in lines:
        name = line.pop("test")
        if tests.get(name, {}).get("outcome") not in ("failed", "not collected"):
            tests[name] = line
    return tests, findings(sarif, checkout / project.folder), ended


def _programs(project: Project, checkout: Path, python: str, who: str, scratch: Path) -> Ran:
    environment, tests, found = _environment(project, checkout, who), {}, {}
    for name in project.programs:
        path = checkout / name
        if who == OURS:
            command = [python, "-m", "simt", "--json", path.name]
        elif path.suffix == ".ipynb":
            command = [python, "-c", PLAIN_NOTEBOOK, path.name]
        else:
            command = [python, path.name]
        try:
            done = subprocess.run(
                command, cwd=path.parent, env=environment, capture_output=True, text=True, timeout=PROGRAM_S
            )
        except subprocess.TimeoutExpired:
            tests[name] = {"outcome": "failed", "found": False, "why": f"more than {PROGRAM_S} s"}
            continue
        (scratch / f"{who}.{path.name}.log").write_text(done.stdout + done.stderr)
        said = json.loads(done.stdout) if who == OURS and done.stdout.startswith("{") else {}
        code = said.get("script_exit_code", done.returncode)
        why = (done.stderr.strip().splitlines() or [""])[-1][:300] if code else ""
        tests[name] = {"outcome": "failed" if code else "passed", "found": bool(said.get("findings")), "why": why}
        for one in said.get("findings", []):
            place = one["places"][0]
            at = f"{Path(place['file']).name}:{place['line']}"
            found[at, one["kind"]] = {"at": at, "kind": one["kind"], "message": one["message"]}
    return tests, list(found.values()), False


def _environment(project: Project, checkout: Path, who: str) -> dict[str, str]:
    path = [str(_alone(checkout)), *(str(checkout / folder) for folder in project.path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path), **project.environment}
    environment.pop("NUMBA_ENABLE_CUDASIM", None)
    return environment | ({"NUMBA_ENABLE_CUDASIM": "1"} if who == CUDASIM or project.as_simulated else {})


def _alone(checkout: Path) -> Path:
    """A folder with the plugin and nothing else: a project's `tests` must not find ours."""
    folder = checkout.with_name("plugin")
    folder.mkdir(exist_ok=True)
    shutil.copy(Path(__file__).with_name("outcomes.py"), folder)
    return folder


def _used() -> tuple[float, float]:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime, time.monotonic()


def findings(sarif: Path, folder: Path) -> list[dict[str, Any]]:
    """What was found, each once: at ("file:line"), kind, message; notes are none. folder: where pytest ran."""
    if not sarif.exists():
        return []
    found = {}
    for result in json.loads(sarif.read_text())["runs"][0]["results"]:
        if result.get("level") == "note":
            continue
        place = result["locations"][0]["physicalLocation"]
        file = (folder / place["artifactLocation"]["uri"]).resolve()
        at = f"{file.name}:{place['region']['startLine']}"
        found[at, result["ruleId"]] = {"at": at, "kind": result["ruleId"], "message": result["message"]["text"]}
    return list(found.values())


if sys.platform == "win32":
    raise SystemExit("The simulators are compared on POSIX systems: a test that hangs is ended by an alarm.")
