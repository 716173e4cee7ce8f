"""`warpbook doctor --report`: what an issue needs to know of a machine, and nothing that names whose it is."""

from __future__ import annotations

import getpass
import importlib.metadata
import platform
import sys
from collections.abc import Iterator
from pathlib import Path

from autograder.machine.check import Check
from autograder.machine.health import to_text


def report(checks: list[Check]) -> str:
    """Warpbook's version and what the checks say, to be pasted into a form. Folders, user and host have other names."""
    told = f"Warpbook {_version()}\n{to_text(checks)}"
    for name, stands_for in _names():
        told = told.replace(name, stands_for)
    return told


def _version() -> str:
    try:
        return importlib.metadata.version("warpbook")
    except importlib.metadata.PackageNotFoundError:
        return "from a clone that is not installed"


def _names() -> Iterator[tuple[str, str]]:
    """What is replaced, longer names first: the environment may lie in the home folder."""
    yield sys.prefix, "ENVIRONMENT"
    yield str(Path.cwd()), "FOLDER"
    yield str(Path.home()), "~"
    for name, stands_for in ((platform.node(), "HOST"), (_user(), "USER")):
        if len(name) > 3:  # a shorter one is a part of words
            yield name, stands_for


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # nobody is known, as in some containers
        return ""
