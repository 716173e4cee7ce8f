"""Run public projects' own tests under numba's simulator and under ours, and record both.

    python -m benchmarks.public_projects [--only NAME] [--mirrors FOLDER] [--keep FOLDER [--again]]

Every project is checked out at a named commit into a scratch folder; nothing of it stays here.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder.machine.scratch import ScratchFolder
from benchmarks.public_projects import page
from benchmarks.public_projects.checkout import CheckoutError, check_out, python_for
from benchmarks.public_projects.comparison import compared
from benchmarks.public_projects.page import RECORD
from benchmarks.public_projects.projects import PROJECTS, Project
from benchmarks.public_projects.running import CUDASIM, OURS, suite
from benchmarks.record import record as keep_record


def measured(project: Project, scratch: Path, mirrors: Path | None, here_alone: bool) -> dict[str, Any]:
    """Both runs of one project; here_alone: numba's simulator ran before. Raises: CheckoutError."""
    folder = scratch / project.name
    folder.mkdir(parents=True, exist_ok=True)
    checkout = folder / "checkout"
    if not checkout.exists():
        check_out(project, checkout, mirrors)
    python = python_for(project, folder / "venv")
    runs = folder / "runs.json"
    known = json.loads(runs.read_text()) if here_alone and runs.exists() else {}
    there = known.get(CUDASIM) or suite(project, checkout, python, CUDASIM, folder)
    runs.write_text(json.dumps({CUDASIM: there}, indent=1))  # who ends this now can go on with --here-alone
    return {CUDASIM: there, OURS: suite(project, checkout, python, OURS, folder)}


def tried_again(project: Project, scratch: Path, both: dict[str, Any]) -> dict[str, Any]:
    """The runs, with what passes in numba's simulator and not here run here once more. Times stay those of the runs."""
    lost = compared(project, both[CUDASIM], both[OURS])["lost"].keys() - project.known.keys()
    if lost:
        names = " or ".join(sorted({name.rpartition("::")[2].partition("[")[0] for name in lost}))
        again = replace(project, tests=(*project.tests, "-k", names) if project.tests else (), programs=tuple(lost))
        folder = scratch / project.name
        outcomes = suite(again, folder / "checkout", python_for(project, folder / "venv"), OURS, folder)["tests"]
        both[OURS]["tests"].update({name: one for name, one in outcomes.items() if name in lost})
    return both


def record(name: str, found: dict[str, Any]) -> None:
    """Enter one project into the record; the others stay as they were."""
    before = json.loads(RECORD.read_text())["projects"] if RECORD.exists() else {}
    today = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d")
    known = before | {name: {"date": today, **found}}
    keep_record(RECORD.stem, {"projects": {one.name: known[one.name] for one in PROJECTS if one.name in known}})


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", help="projects whose name holds this")
    parser.add_argument("--mirrors", type=Path, help="bare repositories named OWNER+NAME, asked before GitHub")
    parser.add_argument(
        "--keep", type=Path, help="leave checkouts, environments and logs there; default: nothing is left"
    )
    parser.add_argument("--again", action="store_true", help="compare what --keep has, and run nothing")
    parser.add_argument(
        "--here-alone", action="store_true", help="run the interpreter alone, where --keep has the other"
    )
    parser.add_argument("--lost", action="store_true", help="with --again: run here once more what is lost")
    asked = parser.parse_args()
    with ScratchFolder("projects") as folder:
        scratch = asked.keep or Path(folder)
        for project in PROJECTS:
            if asked.only not in project.name:
                continue
            runs = scratch / project.name / "runs.json"
            try:
                if not asked.again:
                    both = measured(project, scratch, asked.mirrors, asked.here_alone)
                    runs.write_text(json.dumps(both, indent=1))
                both = json.loads(runs.read_text()) if runs.exists() else {}
                if OURS not in both:
                    continue
                if asked.lost:
                    both = tried_again(project, scratch, both)
                    runs.write_text(json.dumps(both, indent=1))
            except CheckoutError as error:
                print(f"{project.name}: {error}")
                continue
            found = compared(project, both[CUDASIM], both[OURS])
            record(project.name, found)
            told = ", ".join(f"{key} {found[key]}" for key in ("there", "both", "told", "here_alone", "cpu_s"))
            print(f"{project.name}: {told}; {len(found['lost'])} lost, {len(found['findings'])} findings", flush=True)
    page.write()
    return 0


if __name__ == "__main__":
    sys.exit(main())
