"""Puts the course into the wheel, beside the packages: autograder/machine/course_home.py finds it there."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
OF_CLASSES = "class-"  # begins the names of large results that no notebook shows


def without_outputs(notebook: Path) -> str:
    """A solved notebook as q.solution() and the judge read it: its outputs weigh ten times as much as all else."""
    document = json.loads(notebook.read_text(encoding="utf-8"))
    for cell in document["cells"]:
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def put_course_into(folder: Path) -> None:
    """Write course/, solutions/ and benchmarks/results/ below `folder`, whatever was there before is gone."""
    shutil.rmtree(folder, ignore_errors=True)
    for path in ROOT.glob("course/*/*.ipynb"):
        _write(folder / path.relative_to(ROOT), path.read_text(encoding="utf-8"))
    for path in ROOT.glob("solutions/*/*.ipynb"):
        _write(folder / path.relative_to(ROOT), without_outputs(path))
    for path in ROOT.glob("benchmarks/results/*.json"):
        if not path.name.startswith(OF_CLASSES):
            _write(folder / path.relative_to(ROOT), path.read_text(encoding="utf-8"))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


class WithCourse(build_py):
    """Build the packages, and the course beside them. An editable installation has it where it is."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            put_course_into(Path(self.build_lib) / "warpbook_course")


setup(cmdclass={"build_py": WithCourse})
