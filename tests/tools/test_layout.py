"""The shape of the house: how much lies in a folder, how long things are; nothing goes in circles or stands twice."""

from __future__ import annotations

import ast
import importlib
import subprocess
import textwrap
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import PurePosixPath
from types import ModuleType
from typing import NamedTuple

import pytest

from tests.tools.layout_exceptions import CIRCLES, ENTRIES, FUNCTIONS, MODULES, SAME_CLASSES, SAME_NAMES
from tests.tools.places import PLACES, WHERE_IT_BELONGS, expression, strays
from tools.parts.import_graph import circles, graph_of, modules_of
from tools.parts.units import ROOT

PACKAGES = ("autograder", "simt", "minitrt", "tools")
MOST_ENTRIES = 25  # files and folders, of a folder
MOST_LINES = 300  # of a module
MOST_LINES_OF_A_FUNCTION = 40
LONG_ENOUGH = 120  # characters of a function's body that nobody writes twice by chance
A_FOLDER_A_UNIT = "autograder/exercises"  # grows with the course
LISTS = ("*/answers/*.py", "solutions/*/*.py")  # one answer after the other; cells of a notebook


def files() -> list[str]:
    """Every file of the repository that is committed or about to be."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return sorted(name for name in names if (ROOT / name).is_file())


ALL_FILES = files()
FILES = [name for name in ALL_FILES if name.endswith(".py")]
IN_PACKAGES = [name for name in FILES if name.startswith(tuple(f"{package}/" for package in PACKAGES))]
MODULES_BY_NAME = modules_of(ROOT, PACKAGES)


class Read(NamedTuple):
    """What is asked of a file. functions: (name, first line, first line of what it does or 0, last line) of each."""

    functions: list[tuple[str, int, int, int]]
    classes: list[str]  # of its top level
    relative: list[int]  # lines of imports that begin with a dot


@cache
def read(name: str) -> Read:
    """A file of the repository. Its tree is dropped: kept, those of all files would slow the garbage collector."""
    tree, found = ast.parse((ROOT / name).read_text(encoding="utf-8")), Read([], [], [])
    found.classes.extend(node.name for node in tree.body if isinstance(node, ast.ClassDef))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            found.relative.append(node.lineno)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            is_docstring = isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)
            does = node.body[1:] if is_docstring else node.body
            found.functions.append((node.name, node.lineno, does[0].lineno if does else 0, node.end_lineno))
    return found


def entries() -> dict[str, int]:
    """How many modules and packages each folder of the packages holds."""
    found: dict[str, set[str]] = defaultdict(set)
    for name in IN_PACKAGES:
        parts = PurePosixPath(name).parts
        for depth in range(1, len(parts)):
            found["/".join(parts[:depth])].add(parts[depth])
    return {folder: len(names) for folder, names in found.items() if folder != A_FOLDER_A_UNIT}


def lines() -> dict[str, int]:
    """Lines of every module but those that are lists."""
    counted = (name for name in FILES if not any(PurePosixPath(name).match(pattern) for pattern in LISTS))
    return {name: len((ROOT / name).read_text(encoding="utf-8").splitlines()) for name in counted}


def lines_of_functions() -> dict[str, int]:
    """Lines of every function of the packages, as file:name, the longest of its name in the file."""
    found: dict[str, int] = {}
    for name in IN_PACKAGES:
        for function, first, _, last in read(name).functions:
            key = f"{name}:{function}"
            found[key] = max(found.get(key, 0), last - first + 1)
    return found


def bodies(name: str) -> Iterator[tuple[str, str]]:
    """(where, what it does) of the functions of a file that say more than a line or two."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    for function, first, does, last in read(name).functions:
        body = textwrap.dedent("\n".join(lines[does - 1 : last])) if does else ""
        if len(body) >= LONG_ENOUGH:
            yield f"{name}:{first} {function}", body


def faults(found: Mapping[str, int], most: int, exceptions: Mapping[str, tuple[int, str]]) -> list[str]:
    """What is over its limit, and every exception that is not needed."""
    limits = {name: exceptions[name][0] if name in exceptions else most for name in found}
    over = [f"{name}: {n}, at most {limits[name]}" for name, n in found.items() if n > limits[name]]
    return over + [f"{name} needs no exception" for name in exceptions if found.get(name, 0) <= most]


def exported(package: str) -> Iterator[str]:
    """What a package offers itself: the names of ``__all__``, and those that its ``__init__`` defines or imports."""
    for node in ast.parse(MODULES_BY_NAME[package].read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.ImportFrom) and node.module != package:
            yield from (alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            yield from importlib.import_module(package).__all__


def test_every_file_stands_where_its_kind_belongs():
    found = strays(ALL_FILES, PLACES)

    assert not found, "\n".join(found)


def test_every_place_holds_a_file():
    assert [] == [place for place in PLACES if not any(map(expression(place).fullmatch, ALL_FILES))]


@pytest.mark.parametrize("name", ["24", "notes.txt", "simt/try_it.py", "docs/plan.txt", "course/x.py", ".ci/run2"])
def test_a_stray_file_is_told_where_it_belongs(name):
    where = f"in {PurePosixPath(name).parent}/" if "/" in name else "at the root"

    assert [f"{name}: no file of this name or kind stands {where}. {WHERE_IT_BELONGS}"] == strays([name], PLACES)


def test_a_folder_holds_no_more_than_one_can_take_in():
    assert [] == faults(entries(), MOST_ENTRIES, ENTRIES)


def test_a_module_is_no_longer_than_one_can_read():
    assert [] == faults(lines(), MOST_LINES, MODULES)


def test_a_function_is_no_longer_than_one_can_hold_in_mind():
    assert [] == faults(lines_of_functions(), MOST_LINES_OF_A_FUNCTION, FUNCTIONS)


def test_a_function_is_written_once():
    found: dict[str, list[str]] = defaultdict(list)
    for name in IN_PACKAGES:
        if not name.startswith(f"{A_FOLDER_A_UNIT}/u"):  # units stand alone, and their answers are much like each other
            for where, body in bodies(name):
                found[body].append(where)

    assert [] == [places for places in found.values() if len(places) > 1]


def test_every_exception_has_a_reason():
    reasons = [*CIRCLES.values(), *(why for table in (ENTRIES, MODULES, FUNCTIONS) for _, why in table.values())]

    assert [] == [reason for reason in reasons if not reason]


def test_no_modules_import_each_other_in_a_circle_lazily_either():
    found = circles(graph_of(MODULES_BY_NAME))
    known = [set(circle) for circle in CIRCLES]

    assert [] == [circle for circle in found if not any(set(circle) <= one for one in known)]
    assert [] == [one for one in known if not any(set(circle) <= one for circle in found)], "no circle any more"


def test_packages_import_by_full_name():
    relative = [f"{name}:{line}" for name in IN_PACKAGES for line in read(name).relative]

    assert [] == relative


@pytest.mark.parametrize("package", [name for name, path in MODULES_BY_NAME.items() if path.name == "__init__.py"])
def test_no_public_name_of_a_package_is_one_of_its_modules_unless_it_is_that_module(package):
    modules = {name.rpartition(".")[2] for name in MODULES_BY_NAME if name.rpartition(".")[0] == package}
    twice = sorted(set(exported(package)) & modules)

    known, _ = SAME_NAMES.get(package, ((), ""))
    found = [name for name in twice if not isinstance(getattr(importlib.import_module(package), name), ModuleType)]
    assert sorted(known) == found


def test_a_circle_is_seen_though_it_is_closed_inside_a_function(tmp_path):
    (tmp_path / "house").mkdir()
    for name, text in {
        "__init__": "",
        "one": "from house import two\n",
        "two": "def later():\n    from house.one import thing\n",
        "types": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from house import one\n",
    }.items():
        (tmp_path / "house" / f"{name}.py").write_text(text)

    assert [["house.one", "house.two"]] == circles(graph_of(modules_of(tmp_path, ["house"])))


def test_what_grows_and_what_needs_no_exception_are_both_told():
    exceptions = {"long.py": (310, "a list"), "short.py": (320, "it was long once")}

    found = faults({"long.py": 311, "short.py": 20, "other.py": 301}, 300, exceptions)

    assert ["long.py: 311, at most 310", "other.py: 301, at most 300", "short.py needs no exception"] == found


def classes_of_one_name(package: str) -> dict[str, int]:
    """Public classes that several modules of a package define, by name: how many do."""
    defined: dict[str, int] = defaultdict(int)
    for name in IN_PACKAGES:
        if name.startswith(f"{package}/") and not PurePosixPath(name).match("*/answers/*.py"):
            for defined_here in read(name).classes:
                defined[defined_here] += not defined_here.startswith("_")
    return {name: count for name, count in defined.items() if count > 1}


@pytest.mark.parametrize("package", PACKAGES)
def test_a_class_has_a_name_of_its_own_in_its_package(package):
    assert SAME_CLASSES.get(package, {}) == classes_of_one_name(package)
