"""Build the course: from each source the solved notebook beside it, from that, through nbgrader, the release.

    python -m tools.build_notebooks                  build everything
    python -m tools.build_notebooks 01_vector_add    build these units only
    python -m tools.build_notebooks --check          build elsewhere and compare, byte for byte

Outputs recorded in a solved notebook stay with the cells whose source did not change; tables that they quote from
benchmarks/results/ are written anew.
"""

from __future__ import annotations

import argparse
import filecmp
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder.classroom.demo.nbgrader_commands import in_one_process
from autograder.classroom.for_nbgrader.recording_note import RECORD, recording_note
from autograder.exercises import of_unit
from autograder.machine.scratch import ScratchFolder
from tools.parts import quoted_figures
from tools.parts.notebook_source import SourceError, read_source, render
from tools.parts.recorded import take
from tools.parts.units import ROOT, Unit, units_of

SKIPPED = shutil.ignore_patterns(".ipynb_checkpoints", "__pycache__", "*.pyc")


class ReleaseError(RuntimeError):
    """nbgrader could not make a release; the message ends with what it said."""


def build(root: Path, only: list[str] | None = None, contracts=of_unit) -> list[Unit]:
    """Build solved and released notebooks below `root`, which holds solutions/ and gets course/.

    only: unit ids, all units by default; contracts: unit id -> its exercises.
    Returns: the units built.  Raises: SourceError, ReleaseError; FileNotFoundError for an unknown unit.
    """
    units = units_of(root / "solutions")
    unknown = set(only or ()) - {unit.id for unit in units}
    if unknown:
        raise FileNotFoundError(f"No source solutions/NN/NN.py for {', '.join(sorted(unknown))}.")
    chosen = [unit for unit in units if not only or unit.id in only]
    refuse_to_overwrite_work(root / "course", chosen)
    for unit in chosen:
        solve(unit, units, contracts(unit.id))
    release(root, "*" if not only else None, chosen)
    if not only:
        for stale in (root / "course").glob("[0-9][0-9]_*"):
            if stale.name not in {unit.id for unit in units}:
                shutil.rmtree(stale)
    return chosen


def solve(unit: Unit, units: list[Unit], exercises: tuple) -> None:
    """Write the solved notebook of one unit beside its source, keeping what was recorded."""
    notebook = read_source(unit.source, exercises)
    link_neighbours(notebook, unit, units)
    target = unit.source.with_suffix(".ipynb")
    if target.exists():
        keep_outputs(notebook, nbformat.read(target, as_version=4))
    target.write_text(render(notebook))


def link_neighbours(notebook: NotebookNode, unit: Unit, units: list[Unit]) -> None:
    """End the last text cell of a notebook with where to go from here."""
    place = units.index(unit)
    before = [f"Before this: [{units[place - 1].title}]({units[place - 1].link})"] if place else []
    after = [f"Next: [{units[place + 1].title}]({units[place + 1].link})"] if place + 1 < len(units) else []
    text = " · ".join(before + after) or "This is the only unit."
    last = [cell for cell in notebook.cells if cell.cell_type == "markdown"][-1]
    last.source += f"\n\n{text}"


def keep_outputs(notebook: NotebookNode, recorded: NotebookNode) -> None:
    """Copy recorded outputs to the cells with the same source, and say near the top where they come from."""
    for cell in take(notebook, recorded)[0]:
        quoted_figures.refresh(cell)
    record = recorded.metadata.get(RECORD)
    if record:
        notebook.metadata[RECORD] = record
        notebook.cells[0].source += recording_note(record)


def release(root: Path, pattern: str | None, units: list[Unit]) -> None:
    """Let nbgrader make course/ from solutions/, without a database: a running course keeps its own."""
    assignments = [pattern] if pattern else [unit.id for unit in units]
    options = ["--force", "--no-db", f"--CourseDirectory.root={root}"]
    commands = in_one_process([["generate_assignment", assignment, *options] for assignment in assignments])
    done = subprocess.run(commands, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        failed = assignments[len(done.stdout.splitlines())]
        said = "\n".join(done.stderr.splitlines()[-12:])
        raise ReleaseError(f"nbgrader could not release {failed}:\n{said}")


def refuse_to_overwrite_work(course: Path, units: list[Unit]) -> None:
    """Raise ReleaseError when a released notebook has been run: somebody is learning in it."""
    for unit in units:
        path = course / unit.id / f"{unit.id}.ipynb"
        if path.exists() and was_run(nbformat.read(path, as_version=4)):
            raise ReleaseError(f"{path} has been worked in and would be replaced. Move it away first.")


def was_run(notebook: NotebookNode) -> bool:
    """True when a code cell has outputs or a number; a release has neither."""
    return any(cell.get("outputs") or cell.get("execution_count") for cell in notebook.cells)


def differences(root: Path, contracts=of_unit) -> list[str]:
    """Build from a copy of `root`'s sources and list every file that differs from what `root` holds."""
    with ScratchFolder("build") as scratch:
        fresh = Path(scratch)
        shutil.copytree(root / "solutions", fresh / "solutions", ignore=SKIPPED)
        build(fresh, contracts=contracts)
        return [f"{path}: {why}" for part in ("solutions", "course") for path, why in compare(root, fresh, part)]


def compare(root: Path, fresh: Path, part: str) -> list[tuple[str, str]]:
    """The files below `part` that are missing, extra or different in `root`, each with what is the matter."""
    there = {path.relative_to(root) for path in (root / part).rglob("*") if is_kept(path)}
    built = {path.relative_to(fresh) for path in (fresh / part).rglob("*") if is_kept(path)}
    found = [(str(path), "not built yet") for path in sorted(built - there)]
    found += [(str(path), "no source gives this file") for path in sorted(there - built)]
    both = sorted(there & built)
    return found + [
        (str(path), "differs from its source") for path in both if not filecmp.cmp(root / path, fresh / path, False)
    ]


def is_kept(path: Path) -> bool:
    """True for a file that git would keep."""
    return path.is_file() and not {".ipynb_checkpoints", "__pycache__"} & set(path.parts)


def main(arguments: list[str] | None = None) -> int:
    """Build, or check; exit 1 with one line per difference."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("units", nargs="*", help="unit ids, as in 01_vector_add; all by default")
    parser.add_argument("--check", action="store_true", help="change nothing; fail where a file is out of date")
    options = parser.parse_args(arguments)
    try:
        if options.check:
            found = differences(ROOT)
            if found:
                sys.exit("\n".join(found) + "\nRun `make course` and commit what it builds.")
            print("course/ and the solved notebooks are what their sources give")
        else:
            print(f"built {', '.join(unit.id for unit in build(ROOT, options.units)) or 'nothing'}")
    except (SourceError, ReleaseError, FileNotFoundError) as problem:
        sys.exit(str(problem))
    return 0


if __name__ == "__main__":
    sys.exit(main())
