"""Runs the tests of numba-cuda that are about running kernels on the interpreter, and counts what passes.

    python tests/simt/run_numba_suite.py [part of a test id ...]

The ids are in numba_suite/kernel_tests.txt. Not part of the test run: it needs numba-cuda's own tests and the packages
they import (filecheck, ml_dtypes), and takes minutes. Each test has a time limit.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
import traceback
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent), str(HERE)]
SECONDS_A_TEST = 60


class TooSlow(Exception):
    """A test ran past its limit."""


class Report(unittest.TestResult):
    """Prints a line for each test that does not pass."""

    def startTest(self, test):
        super().startTest(test)
        signal.alarm(SECONDS_A_TEST)

    def stopTest(self, test):
        signal.alarm(0)
        super().stopTest(test)

    def addError(self, test, error):
        super().addError(test, error)
        self._say(test, error)

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self._say(test, error)

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error is not None:
            self._say(subtest, error)

    def _say(self, test, error):
        kind, value, _ = error
        print(f"{test.id()}: {kind.__name__}: {' '.join(str(value).split())[:300]}", flush=True)
        if "-v" in sys.argv:
            traceback.print_exception(*error)


def names(wanted: list[str]) -> list[str]:
    """Dotted test names, those that contain one of `wanted`, or all."""
    lines = (HERE / "numba_suite" / "kernel_tests.txt").read_text().split()
    dotted = [line.replace(".py::", ".").replace("::", ".").replace("/", ".") for line in lines]
    return [name for name in dotted if not wanted or any(part in name for part in wanted)]


def load(name: str) -> unittest.TestSuite | unittest.TestCase:
    """A test by its dotted name; some are plain functions."""
    module, _, function = name.rpartition(".")
    if module.rpartition(".")[2].startswith("test_"):
        module = module.rpartition(".")[0]
        return unittest.FunctionTestCase(getattr(importlib.import_module(module), function))
    return unittest.defaultTestLoader.loadTestsFromName(name)


def out_of_time(signum, frame):
    """The alarm's handler."""
    raise TooSlow("ran too long")


def main() -> int:
    """Run and count; the exit code is the number of tests that did not pass, at most 100."""
    import numba_suite.plugin  # noqa: F401  (installs itself)

    os.environ["PYTHONPATH"] = os.pathsep.join([*sys.path[:2], str(HERE / "numba_suite" / "child"), *sys.path[2:]])
    signal.signal(signal.SIGALRM, out_of_time)
    chosen = names([argument for argument in sys.argv[1:] if not argument.startswith("-")])
    result = Report()
    suite = unittest.TestSuite(map(load, chosen))
    try:
        suite.run(result)
    except TooSlow as error:
        print(error)
    failed = {test.id().split(" ")[0] for test, _ in result.errors + result.failures}
    unexpected = len(result.unexpectedSuccesses)
    passed = result.testsRun - len(failed) - len(result.skipped) - len(result.expectedFailures) - unexpected
    print(
        f"{len(chosen)} tests: {passed} passed, {len(result.expectedFailures)} failed as expected, "
        f"{len(result.skipped)} skipped, {unexpected} passed unexpectedly, {len(failed)} failed"
    )
    return min(len(failed), 100)


if __name__ == "__main__":
    sys.exit(main())
