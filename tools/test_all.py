"""Run everything that a release needs, one target of the menu after the other, and say what ran.

    python tools/test_all.py
    python tools/test_all.py lint test      only these steps

Goes on after a step that fails, so that one run tells of all. Needs nothing but Python: each step makes what it needs.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STEPS = {  # target of the menu -> what it proves
    "lint": "style, types, arrows between packages",
    "check-generated": "every generated file is what its source gives",
    "lite": "the course, solved, as static files, which the release tests open in Chromium",
    "test": "the tests; what needs a GPU, Chromium or npm is skipped and counted",
    "test-release": "the rest of those matrices of which the tests try a part",
    "test-fuzz": "2,000 malformed inputs: notebooks, plans, verdicts, records, class files, messages",
    "check-exercises": "answers that people write, other styles, right results without the work",
    "harden": "the course's own answers, changed in one place at a time, are told from right ones",
    "check-remedies": "what a verdict says to do next, done, helps",
    "check-cards": "replies to the drill cards are marked as what they are, right ones written otherwise among them",
    "compile-kernels": "every kernel compiles for several architectures",
    "demo": "a sample class from submissions to gradebook",
    "test-gpu": "the tests that need an NVIDIA GPU",
}
FOR_A_GPU = ("test-gpu",)
VARIABLES = {"lite": "LITE_FLAGS=--solved --output build/lite-solved"}  # of make, beside its target


def has_gpu() -> bool:
    """Whether the NVIDIA driver says that there is a GPU."""
    try:
        return subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True).stdout.startswith("GPU")
    except FileNotFoundError:
        return False


def run(step: str) -> tuple[str, float, float]:
    """Run one target. Returns: "passed", "FAILED" or "skipped: ..."; seconds; seconds of processor time."""
    if step in FOR_A_GPU and not has_gpu():
        return "skipped: no NVIDIA GPU here", 0.0, 0.0
    if step == "lite" and not shutil.which("npm"):
        return "skipped: no npm here", 0.0, 0.0
    print(f"\n== make {step}: {STEPS[step]}", flush=True)
    variables = [VARIABLES[step]] if step in VARIABLES else []
    begun, before = time.monotonic(), os.times()
    code = subprocess.run(["make", "--no-print-directory", step, *variables], cwd=ROOT).returncode
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return "passed" if code == 0 else "FAILED", time.monotonic() - begun, used


def table(results: dict[str, tuple[str, float, float]]) -> str:
    """What ran, one row a step."""
    rows = [f"{'step':<18}{'result':<30}{'seconds':>8}{'CPU':>8}"]
    rows += [f"{step:<18}{said:<30}{wall:>8.0f}{used:>8.0f}" for step, (said, wall, used) in results.items()]
    return "\n".join(rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the steps in their order. Returns 1 where one failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("steps", nargs="*", help=f"only these of {', '.join(STEPS)}; default: all")
    wanted = parser.parse_args(arguments).steps
    if unknown := sorted(set(wanted) - set(STEPS)):
        parser.error(f"there is no step {', '.join(unknown)}. There are: {', '.join(STEPS)}.")
    results = {step: run(step) for step in STEPS if step in wanted or not wanted}
    print(f"\n{table(results)}")
    return int(any(said == "FAILED" for said, *_ in results.values()))


if __name__ == "__main__":
    sys.exit(main())
