"""Runs the tests of numba-cuda that are about running kernels on the interpreter, and counts what passes.

    python tests/simt/run_numba_suite.py [--record] [-v] [part of a test id ...]

The ids are in numba_suite/kernel_tests.txt; known_failures.txt names every test that does not pass, with the reason.
The exit code is 1 when a test fails that is not named there, or one passes that is. Not part of the test run: it needs
numba-cuda's own tests and the packages they import (filecheck, ml_dtypes), and takes minutes. With --record the counts
of a whole run go to benchmarks/results/numba-suite.json.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
KNOWN_FAILURES = HERE / "numba_suite" / "known_failures.txt"


def known_failures() -> dict[str, str]:
    """Dotted test name -> reason, of `name: reason` lines; lines that start with # are comments."""
    lines = [line for line in KNOWN_FAILURES.read_text().splitlines() if line.strip() and not line.startswith("#")]
    return {name.strip(): reason.strip() for name, _, reason in (line.partition(": ") for line in lines)}


def summary(ids: list[str], result) -> dict[str, int]:
    """How many tests ran, and what became of them."""
    expected = len(result.expectedFailures)
    return {
        "tests": len(ids),
        "passed": len(ids) - len(result.not_passed) - expected,
        "failed_as_expected": expected,
        "not_passed": len(result.not_passed),
    }


def surprises(ids: list[str], not_passed: dict[str, str], known: dict[str, str]) -> list[str]:
    """What differs from the list of known failures, a line each."""
    lines = [f"not in {KNOWN_FAILURES.name}: {name}: {why}" for name, why in not_passed.items() if name not in known]
    passing = [name for name in known if name in ids and name not in not_passed]
    return lines + [f"passes, but stands in {KNOWN_FAILURES.name}: {name}" for name in passing]


def report(ids: list[str], result, known: dict[str, str]) -> list[str]:
    """Print each failure with its reason, then the counts; returns the surprises."""
    for name in sorted(result.not_passed):
        if name in known:
            print(f"{name}\n    {known[name]}")
    different = surprises(ids, result.not_passed, known)
    print(*different, sep="\n")
    counts = summary(ids, result)
    print(
        f"{counts['tests']} tests: {counts['passed']} passed, {counts['failed_as_expected']} failed as expected, "
        f"{counts['not_passed']} did not pass"
    )
    return different


def keep(ids: list[str], result, known: dict[str, str]) -> None:
    """Write benchmarks/results/numba-suite.json."""
    from benchmarks.record import record

    reasons = {name: known.get(name, why) for name, why in sorted(result.not_passed.items())}
    print("written:", record("numba-suite", {**summary(ids, result), "reasons": reasons}))


def main() -> int:
    """Run and count."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help="of these modules or tests only")
    parser.add_argument("-v", action="store_true", help="name each test")
    parser.add_argument("--record", action="store_true", help="keep the counts, where all ran")
    wanted = parser.parse_args()
    sys.path[:0] = [str(HERE.parent.parent), str(HERE)]
    import numba_suite.plugin  # noqa: F401  (installs itself)
    from numba_suite.running import chosen_ids, run

    os.environ["PYTHONPATH"] = os.pathsep.join([*sys.path[:2], str(HERE / "numba_suite" / "child"), *sys.path[2:]])
    ids, known = chosen_ids(wanted.parts), known_failures()
    result = run(ids, wanted.v)
    different = report(ids, result, known)
    if wanted.record and not wanted.parts:
        keep(ids, result, known)
    return int(bool(different))


if __name__ == "__main__":
    sys.exit(main())
