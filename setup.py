"""Puts the course into the wheel, beside the packages: autograder/machine/course_home.py finds it there.

A release is built with WARPBOOK_ADDRESS, the address of the repository on its code host: then the package index shows
links to it, and the README's pictures. Without one, nothing is said of an address.
"""

from __future__ import annotations

import json
import os
import re
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


def urls(address: str) -> dict[str, str]:
    """What a package index shows beside the description."""
    if not address:
        return {}
    of_files = f"{address}/blob/main"
    return {
        "Source": address,
        "Issues": f"{address}/issues",
        "Changelog": f"{of_files}/CHANGELOG.md",
        "Documentation": f"{of_files}/README.md",
    }


def description(readme: str, address: str) -> str:
    """The README as a package index shows it, which knows no file beside it: links lead to the code host."""
    if not address:
        return readme
    with_pictures = re.sub(r"(!\[[^]]*\])\((?!https?:)([^)]+)\)", rf"\1({address}/raw/main/\2)", readme)
    return re.sub(r"(?<!!)(\[[^]]*\])\((?!https?:|#)([^)]+)\)", rf"\1({address}/blob/main/\2)", with_pictures)


ADDRESS = os.environ.get("WARPBOOK_ADDRESS", "").rstrip("/")
setup(
    cmdclass={"build_py": WithCourse},
    long_description=description((ROOT / "README.md").read_text(encoding="utf-8"), ADDRESS),
    long_description_content_type="text/markdown",
    project_urls=urls(ADDRESS),
)
