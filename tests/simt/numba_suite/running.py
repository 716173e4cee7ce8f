"""Loads tests of numba-cuda by their ids, runs them with a time limit each, and remembers why one did not pass."""

from __future__ import annotations

import importlib
import signal
import sys
import traceback
import unittest
from pathlib import Path

IDS = Path(__file__).parent / "kernel_tests.txt"
SECONDS_A_TEST = 300
SHOWN_CHARACTERS = 300  # of an error's message


class TooSlow(Exception):
    """A test ran past its limit."""


class Result(unittest.TestResult):
    """not_passed: id -> the first error of each test that did not pass, or why it was skipped."""

    def __init__(self, verbose: bool = False):
        super().__init__()
        self.verbose = verbose
        self.not_passed: dict[str, str] = {}

    def startTest(self, test):
        super().startTest(test)
        signal.alarm(SECONDS_A_TEST)

    def stopTest(self, test):
        signal.alarm(0)
        super().stopTest(test)

    def addError(self, test, error):
        super().addError(test, error)
        self._note(test, error)

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self._note(test, error)

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error is not None:
            self._note(test, error)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.not_passed.setdefault(test.id(), f"skipped: {reason}")

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.not_passed[test.id()] = "passed, although numba-cuda expects it to fail"

    def _note(self, test, error) -> None:
        kind, value, _ = error
        message = f"{kind.__name__}: {' '.join(str(value).split())[:SHOWN_CHARACTERS]}"
        if self.not_passed.setdefault(test.id(), message) is message:
            print(f"{test.id()}: {message}", file=sys.__stdout__, flush=True)
        if self.verbose:
            traceback.print_exception(*error)


def chosen_ids(parts: list[str]) -> list[str]:
    """The dotted names of the tests that contain one of `parts`, or all."""
    lines = IDS.read_text().split()
    dotted = [line.replace(".py::", ".").replace("::", ".").replace("/", ".") for line in lines]
    return [name for name in dotted if not parts or any(part in name for part in parts)]


class _Function(unittest.FunctionTestCase):
    """A test that is a plain function, under the name in the list."""

    def __init__(self, function, name: str):
        super().__init__(function)
        self.name = name

    def id(self) -> str:
        return self.name


def load(name: str) -> unittest.TestSuite | unittest.TestCase:
    """A test by its dotted name; some are plain functions, listed under the name of their module twice."""
    module, _, function = name.rpartition(".")
    module, _, last = module.rpartition(".")
    if last.startswith("test_"):
        return _Function(getattr(importlib.import_module(module), function), name)
    return unittest.defaultTestLoader.loadTestsFromName(name)


def run(ids: list[str], verbose: bool = False) -> Result:
    """Run tests one after the other."""
    signal.signal(signal.SIGALRM, _out_of_time)
    result = Result(verbose)
    unittest.TestSuite(map(load, ids)).run(result)
    return result


def _out_of_time(signum, frame):
    raise TooSlow(f"took more than {SECONDS_A_TEST} s")
