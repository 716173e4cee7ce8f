"""Write docs/compilers.md: each solution by each compiler of numba.cuda, as a recorded run on a GPU found it.

    python -m tools.make.compilers            write it
    python -m tools.make.compilers --check    fail when it is not current

The run is benchmarks/results/compilers.json, which `python -m benchmarks.bench_compilers` keeps; why a solution is
refused, front_end.json (`python -m benchmarks.front_end --keep`); the faults' smallest kernels are the lint's.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from typing import Any

from autograder.lint.machine_code.successor.faults import KERNELS, TITLES, WRONG
from simt.compilers import MLIR, NUMBA_CUDA, VARIABLE
from tools.parts.units import ROOT

PAGE, RESULT = ROOT / "docs" / "compilers.md", ROOT / "benchmarks" / "results" / "compilers.json"
HEAD = f"""# Two compilers

numba-cuda compiles the course's kernels. Its successor, [numba-cuda-mlir](https://github.com/NVIDIA/numba-cuda-mlir),
follows NumPy 2.5, and is not yet the default: what it gets wrong today is below.

| `{VARIABLE}` | what compiles | installed by |
|---|---|---|
| not set | what is installed, numba-cuda first | |
| `{NUMBA_CUDA}` | numba-cuda, with NumPy below 2.5 | `pip install "warpbook[cu13]"`, or `cu12` |
| `{MLIR}` | numba-cuda-mlir, with any NumPy | `pip install "warpbook[mlir13]"`, or `mlir12` |

Any other value, or a compiler that is not installed, is an error that says what to install. `from numba import cuda`
stays as it is: where the successor is in use, numba's names give its modules once `autograder` or `minitrt` is
imported. A notebook of the course imports numba first: there, write `import autograder` above it. `warpbook check`,
`lint`, `trace` and `grade` need nothing. Engines of minitrt are built by numba-cuda alone.

The course's own instructions, such as `load16`, `mma` and `warpgroup_mma`, are written once and become the same PTX
with either. This page is written by `python -m tools.make.compilers`.
"""
FRONT_END = RESULT.with_name("front_end.json")  # what the successor refuses, and what it gets wrong, without a GPU
STATUS = {"Passed": "right", "Wrong": "wrong", "Crashed": "fails", "TimedOut": "too long"}
CAUSES = (  # (in what a check said, why)
    ("Ties go away from zero", "`round`"),
    ("not supported on .target", "compiled for sm_90; since then for sm_90a, and not run again"),
    ("did not come back", "no answer in time"),
    ("element_type: tuple", "tuple of tuples"),
    ("incompatible function arguments", "tuple of tuples"),
    ("blocks of this grid wait", "grid of blocks that wait"),
    ("exceeds the limit", "grid of blocks that wait"),
    ("compiler bug", "fails inside itself"),
)


def page(document: dict[str, Any], known: dict[str, str]) -> str:
    """The whole document. known: solution -> the successor's fault that it meets, as its front end tells."""
    solutions = document["solutions"]
    return "\n".join([HEAD, summary(document), *map(fault, KERNELS), others(solutions, known), table(solutions)])


def summary(document: dict[str, Any]) -> str:
    """How many solutions are right by each, on what."""
    versions, solutions = document["versions"], document["solutions"].values()
    counts = {name: Counter(status(one[name]) for one in solutions) for name in (NUMBA_CUDA, MLIR)}
    total = len(solutions)
    lines = [f"| {name} {versions[name]} | {n['right']} | {total - n['right']} |" for name, n in counts.items()]
    timed = sum("time_us" in one[name] for one in solutions for name in (NUMBA_CUDA, MLIR))
    times = "" if timed else " Times were not taken in it."
    return (
        f"## Every solution\n\nOn an {document['device']}, {document['date']}, NumPy {versions['numpy']}, Python "
        f"{versions['python']}: the judge on the GPU alone, all cases of {len(solutions)} solutions.{times}\n\n"
        "| compiler | right | not right |\n|---|--:|--:|\n" + "\n".join(lines) + "\n"
    )


def fault(name: str) -> str:
    """One fault, with the smallest kernel that shows it."""
    kind = "It compiles, and computes something else" if name in WRONG else "It does not compile"
    return f"### {TITLES[name]}\n\n{kind}; the lint names the line.\n\n```python\n{KERNELS[name]}```\n"


def others(solutions: dict[str, Any], known: dict[str, str]) -> str:
    """Each solution that is not right by both, and what was seen."""
    rows = []
    for name, one in solutions.items():
        first, second = status(one[NUMBA_CUDA]), status(one[MLIR])
        if {first, second} != {"right"}:
            why = cause(one[MLIR], known.get(name, ""))
            rows.append(f"| {name} | {first} | {second} | {why} |")
    return (
        f"## Not right by both\n\n| solution | {NUMBA_CUDA} | {MLIR} | why |\n|---|---|---|---|\n"
        + "\n".join(rows)
        + "\n"
    )


def table(solutions: dict[str, Any]) -> str:
    """The solutions that are right by both, by unit, with times where they were taken."""
    rows: dict[str, list[str]] = {}
    for name, one in solutions.items():
        if {status(one[NUMBA_CUDA]), status(one[MLIR])} == {"right"}:
            unit, _, exercise = name.partition(".")
            rows.setdefault(unit, []).append(exercise + ratio(one))
    lines = [f"| {unit} | {', '.join(exercises)} |" for unit, exercises in rows.items()]
    return "## Right by both\n\n| unit | solutions |\n|---|---|\n" + "\n".join(lines) + "\n"


def ratio(one: dict[str, Any]) -> str:
    """How much longer the successor's code takes, as in " (1.05x)"; "" where it was not timed."""
    if not all("time_us" in one[name] for name in (NUMBA_CUDA, MLIR)):
        return ""
    return f" ({one[MLIR]['time_us'] / one[NUMBA_CUDA]['time_us']:.2f}x)"


def status(found: dict[str, Any]) -> str:
    """A compiler's verdict in a word or two."""
    return STATUS.get(found.get("verdict", ""), "too long")


def cause(found: dict[str, Any], fault: str) -> str:
    """Why a solution is not right: the fault that its front end tells, else what was said of it."""
    if fault in TITLES:
        return TITLES[fault]
    says = str(found.get("says") or found.get("why") or "")
    return next((why for part, why in CAUSES if part in says), says.split(" at n")[0].rstrip("."))


def main(arguments: list[str] | None = None) -> int:
    """Write the page, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail when it is not current")
    given = parser.parse_args(arguments)
    run, front = (json.loads(path.read_text(encoding="utf-8")) for path in (RESULT, FRONT_END))
    text = page(run, {**front["wrong"], **front["refused"]})
    if not given.check:
        PAGE.write_text(text, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        sys.exit("docs/compilers.md is not current. Write it with `python -m tools.make.compilers`.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
