"""The README's and CONTRIBUTING's commands exist in the menu."""

from __future__ import annotations

import re
import subprocess

import pytest

from tools.check_exercises import MATRICES
from tools.parts.units import ROOT

PROMISED = "lab demo test course generated check-generated check-exercises compile-kernels test-gpu bench lint".split()


def targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))


def test_make_alone_lists_every_target_with_what_it_does():
    shown = subprocess.run(["make", "--no-print-directory"], cwd=ROOT, capture_output=True, text=True, check=True)

    assert targets() == set(re.findall(r"^  ([a-z-]+) +\w", shown.stdout, flags=re.MULTILINE))
    assert set(PROMISED) <= targets()


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_a_page_names_only_targets_that_exist(page):
    named = set(re.findall(r"(?:^|`)make ([a-z][a-z-]*)", (ROOT / page).read_text(), flags=re.MULTILINE))

    assert named <= targets()


def test_every_module_a_target_runs_exists():
    modules = re.findall(r"-m ((?:tools|autograder)[\w.]*)", (ROOT / "Makefile").read_text())
    missing = [
        name
        for name in modules
        if not (ROOT / f"{name.replace('.', '/')}.py").exists()
        and not (ROOT / name.replace(".", "/") / "__init__.py").exists()
    ]

    assert [] == missing


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_a_pages_links_lead_to_files_that_exist(page):
    links = re.findall(r"\]\((?!http|#)([^)#]+)", (ROOT / page).read_text())

    assert [] == [link for link in links if not (ROOT / link).exists()]


def test_pages_and_the_menu_say_how_many_matrices_there_are():
    words = {3: "three", 4: "four", 5: "five"}
    texts = {name: (ROOT / name).read_text() for name in ("Makefile", "CONTRIBUTING.md", "docs/instructor-guide.md")}
    said = {name: set(re.findall(r"(\w+) matrices", text)) & {*words.values()} for name, text in texts.items()}

    assert {name: {words[len(MATRICES)]} for name in texts} == said
