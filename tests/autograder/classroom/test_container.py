"""What the Containerfile copies is all that grading needs: a class is graded with those files and no others."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import nbformat
import pytest

from autograder.classroom.demo.students import cells_by_id
from tests.patience import PATIENCE_S
from tools.parts.units import ROOT

UNIT, EXERCISE = "01_vector_add", "blend"
COMMANDS = """
import sys, autograder, autograder.cli as cli
assert autograder.__file__.startswith(sys.argv[1]), autograder.__file__
for command in sys.argv[2:]:
    print("==", command)
    code = cli.main(command.split())
    assert not code, (command, code)
"""


def lines_of(instruction: str) -> list[list[str]]:
    """The words of each such line of the Containerfile."""
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    return [found.split() for found in re.findall(rf"^{instruction} (.+)$", text, flags=re.MULTILINE)]


def copy_as_the_image_does(folder: Path) -> None:
    for *sources, target in lines_of("COPY"):
        for source in sources:
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, folder / target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                folder.mkdir(exist_ok=True)
                shutil.copy(ROOT / source, folder / target)


def hand_in(path: Path) -> None:
    """The released notebook with one answer."""
    notebook = nbformat.read(ROOT / "course" / UNIT / f"{UNIT}.ipynb", as_version=4)
    solved = nbformat.read(ROOT / "solutions" / UNIT / f"{UNIT}.ipynb", as_version=4)
    cells_by_id(notebook)[EXERCISE].source = cells_by_id(solved)[EXERCISE].source
    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)


@pytest.mark.release
@pytest.mark.skipif(sys.platform != "linux", reason="no jail can be made here")
def test_a_class_is_graded_with_what_the_image_has(tmp_path):
    copy_as_the_image_does(image := tmp_path / "image")
    hand_in(tmp_path / "submitted" / "ada" / UNIT / f"{UNIT}.ipynb")
    commands = [
        "list",
        "grade --submissions submitted --out .",
        "similar --out .",
        f"replay verdicts/ada/{UNIT}/{UNIT}.json",
        "regrade --submissions submitted --out . --exercise vector_add.blend",
    ]
    ran = subprocess.run(
        [sys.executable, "-c", COMMANDS, str(image), *commands],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(image)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )

    assert 0 == ran.returncode, ran.stdout + ran.stderr
    assert "0 answers come out differently" in ran.stdout and (tmp_path / "gradebook.html").is_file()
    assert re.search(r'"vector_add.blend",2.0,2,"right"', (tmp_path / "gradebook.csv").read_text())


def test_the_image_installs_extras_that_there_are_for_an_ordinary_user():
    (install,) = [words[-1].strip('"') for words in lines_of("RUN") if words[:2] == ["pip", "install"]]
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert set(re.fullmatch(r"\.\[(.+)\]", install)[1].split(",")) <= extras.keys()
    assert [["grader"]] == lines_of("USER")
