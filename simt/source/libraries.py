"""Whose code a function is: Python's own library's, an installed package's, or the program's."""

from __future__ import annotations

import os
import sys
from types import FunctionType

STANDARD = os.path.join(os.path.dirname(os.__file__), "")
INSTALLED = "-packages"  # site-packages and dist-packages, which may lie below Python's own library


def is_of_python(package: str, file: str) -> bool:
    """Whether code is of Python's own library, and not of a module of the program's that has such a name."""
    return package in sys.stdlib_module_names and file.startswith((STANDARD, "<frozen ")) and INSTALLED not in file


def library_of(function: FunctionType, caller: FunctionType) -> str:
    """The package that a function comes from, as in "scipy"; "" for the program's own, and for the caller's package."""
    package, callers = ((one.__module__ or "").partition(".")[0] for one in (function, caller))
    file = function.__code__.co_filename
    if package == callers or not (INSTALLED in file or is_of_python(package, file)):
        return ""
    return package
