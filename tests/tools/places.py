"""Which files the repository holds: by name at its root and at the roots of its packages, by kind further down.

`*` stands for a part of a name, `**/` for any folders or none. A pattern that no file needs fails the test.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

PLACES = (
    # the root
    ".gitattributes",
    ".gitignore",
    "AGENTS.md",
    "CHANGELOG.md",
    "CITATION.cff",
    "CODE_OF_CONDUCT.md",
    "CONTRIBUTING.md",
    "Containerfile",
    "LICENSE",
    "LICENSE-TEXT.md",
    "Makefile",
    "README.md",
    "RELEASING.md",
    "SECURITY.md",
    "SUPPORT.md",
    "conftest.py",
    "environment.yml",
    "nbgrader_config.py",
    "MANIFEST.in",
    "pyproject.toml",
    "setup.py",
    # what it is published with
    "paper/paper.bib",
    "paper/paper.md",
    "recipe/recipe.yaml",
    # what runs elsewhere
    ".ci/run",
    ".github/ISSUE_TEMPLATE/*.yml",
    ".github/workflows/*.yml",
    # the course
    "solutions/*/*.py",
    "solutions/*/*.ipynb",
    "course/*/*.ipynb",
    # what judges
    "autograder/__init__.py",
    "autograder/backend.py",
    "autograder/child.py",
    "autograder/cli.py",
    "autograder/contract.py",
    "autograder/judge.py",
    "autograder/outcome.py",
    "autograder/plain_data.py",
    "autograder/stopwatch.py",
    "autograder/verdict.py",
    "autograder/words.py",
    "autograder/worker.py",
    "autograder/*/**/*.py",
    "autograder/classroom/for_nbgrader/templates/*/*.j2",
    "autograder/drills/*/*.yaml",
    "autograder/exercises/common_hints.md",
    "autograder/exercises/*/hints.md",
    "autograder/exercises/*/work.json",
    # the interpreter
    "simt/__init__.py",
    "simt/closures.py",
    "simt/errors.py",
    "simt/hardware.py",
    "simt/__main__.py",
    "simt/run.py",
    "simt/tracing.py",
    "simt/*/**/*.py",
    # the engine
    "minitrt/__init__.py",
    "minitrt/backend.py",
    "minitrt/face.py",
    "minitrt/onnx_backend.py",
    "minitrt/*/**/*.py",
    "minitrt/samples/decoder.npz",  # trained weights
    "minitrt/samples/digits.npz",  # a trained network and digits
    "minitrt/viewer/*.css",
    "minitrt/viewer/*.html",
    "minitrt/viewer/*.js",
    "minitrt/viewer/vendored/*",  # as published, with its licence
    # tests
    "tests/__init__.py",
    "tests/made_once.py",
    "tests/part.py",
    "tests/patience.py",
    "tests/*/**/*.py",
    "tests/differential/*.json",
    "tests/golden/**/*.json",
    "tests/golden/**/*.txt",
    "tests/minitrt/lists/*.txt",
    "tests/simt/*.mjs",
    "tests/simt/numba_suite/*.txt",
    # tools, what was measured, pages
    "tools/**/*.py",
    "tools/site/pages/*.css",
    "tools/site/pages/*.j2",
    "tools/site/pages/*.md",
    "autograder/machine/start/lab_settings/labconfig/*.json",
    "autograder/machine/start/tutor.md",
    "tools/templates/**/*.txt",
    "benchmarks/**/*.py",
    "benchmarks/results/*.json",
    "docs/*.md",
    "docs/drill-card.svg",
    "docs/drills.svg",
    "docs/engine-viewer.png",
    "docs/feedback.png",
    "docs/run.svg",
    "docs/screenshot.png",
    "docs/pictures/*.svg",
)

WHERE_IT_BELONGS = (
    "What a command printed or wrote belongs in build/, which git ignores; a module in a folder of its package, "
    "a test beside its likes in tests/, a page in docs/, a picture in docs/pictures/, a measurement in "
    "benchmarks/results/. What is right where it stands gets a line in tests/tools/places.py."
)


def expression(pattern: str) -> re.Pattern[str]:
    """A pattern of this file as a regular expression for whole paths."""
    parts = re.split(r"(\*\*/|\*)", pattern)
    meaning = {"**/": "(?:[^/]+/)*", "*": "[^/]*"}
    return re.compile("".join(meaning.get(part) or re.escape(part) for part in parts))


def strays(files: Iterable[str], patterns: Iterable[str]) -> list[str]:
    """A sentence for every file that nothing expects where it stands."""
    allowed = re.compile("|".join(expression(pattern).pattern for pattern in patterns))
    found = [name for name in files if not allowed.fullmatch(name)]
    return [f"{name}: no file of this name or kind stands {_folder(name)}. {WHERE_IT_BELONGS}" for name in found]


def _folder(name: str) -> str:
    folder, slash, _ = name.rpartition("/")
    return f"in {folder}/" if slash else "at the root"
