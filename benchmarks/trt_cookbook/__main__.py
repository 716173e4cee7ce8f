"""Run the layers of NVIDIA's TensorRT cookbook on minitrt, and compare each case with TensorRT's own log of it.

    python -m benchmarks.trt_cookbook --checkout PATH/TO/trt-samples-for-hackathon-cn [--only WORD] [--jobs 2]

The checkout stays outside and is not written to; its logs are of TensorRT 10.16.2. A case is equal where it has the
same tensors, types, shapes (of the engine and of the context) and names, and elements that differ by rounding, or,
where they are drawn at random, have the same mean and deviation. The count is recorded in
benchmarks/results/trt-cookbook.json.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import numpy as np

from autograder.machine.scratch import ScratchFolder
from benchmarks.trt_cookbook.logs import Case, Tensor, cases
from benchmarks.trt_cookbook.reasons import why_different
from minitrt.builder.target import default_target

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results" / "trt-cookbook.json"
LIMIT_S, RELATIVE, ABSOLUTE = 120, 1e-3, 1e-2  # logs print eight digits of what a GPU computes in TF32 and FP16, too
SLIP = "        self.cache_file = cache_file\n            pass\n"  # a line of the helpers that is no Python


def helpers(checkout: Path, site: Path) -> None:
    """The cookbook's own package, mended, in a folder for PYTHONPATH."""
    shutil.copytree(checkout / "cookbook" / "tensorrt_cookbook", site / "tensorrt_cookbook")
    file = site / "tensorrt_cookbook" / "utils_class.py"
    file.write_text(file.read_text(encoding="utf-8").replace(SLIP, SLIP.splitlines()[0] + "\n"), encoding="utf-8")


def run(folder: Path, scratch: Path) -> tuple[list[Case], list[Case]]:
    """The cases of a program as TensorRT's log has them, and as they came out here."""
    place = scratch / "run" / folder.name
    shutil.copytree(folder, place)
    paths = [str(scratch / "site"), str(ROOT), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    words = [sys.executable, "-m", "benchmarks.trt_cookbook.program", "."]
    done = subprocess.run(
        words, cwd=place, env=environment, capture_output=True, text=True, timeout=LIMIT_S, stdin=subprocess.DEVNULL
    )
    (place / "said").write_text(done.stdout + done.stderr, encoding="utf-8")
    return cases((folder / "log-main.py.log").read_text(encoding="utf-8")), cases(done.stdout)


def difference(there: Case, here: Case | None) -> str:
    """How a case differs from TensorRT's log of it; "" where it does not."""
    if here is None or not here.end:
        return f"failed: {here.error if here else 'the program ended before it'}"
    if len(there.tensors) != len(here.tensors):
        return f"{len(here.tensors)} tensors for {len(there.tensors)}"
    alike = alike_as_drawn if "random" in there.title else alike_to_rounding
    return next((why for a, b in zip(there.tensors, here.tensors, strict=True) if (why := unlike(a, b, alike))), "")


def alike_to_rounding(a: np.ndarray, b: np.ndarray) -> bool:
    return np.allclose(a, b, RELATIVE, ABSOLUTE, equal_nan=True)


def alike_as_drawn(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two samples have about the same mean and deviation: within four standard errors."""
    error = 4 * a.std() / np.sqrt(max(a.size, 1))
    return abs(a.mean() - b.mean()) <= error and abs(a.std() - b.std()) <= error


def unlike(there: Tensor, here: Tensor, alike: Callable[[np.ndarray, np.ndarray], bool]) -> str:
    for what in ("mode", "dtype", "built", "shape", "name"):
        if getattr(there, what) != getattr(here, what):
            return f"{what} of {there.name}: {getattr(here, what)} for {getattr(there, what)}"
    a, b = there.elements, here.elements
    if a is None or b is None:
        return "" if a is b is None else f"elements of {there.name} are missing"
    if a.shape != b.shape:
        return f"elements of {there.name}: {b.size} for {a.size}"
    if not alike(a, b):
        return f"elements of {there.name} differ by up to {np.nanmax(np.abs(a - b)):.3g}"
    return ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkout", type=Path, required=True, help="folder of NVIDIA's cookbook")
    parser.add_argument("--only", default="", help="run layers whose name holds this; record nothing")
    parser.add_argument("--jobs", type=int, default=1, help="programs that run at the same time")
    asked = parser.parse_args()
    layers = asked.checkout.resolve() / "cookbook" / "02-API" / "Layer"
    folders = [path.parent for path in sorted(layers.glob("*/log-main.py.log")) if asked.only in path.parent.name]
    results: dict[str, str] = {}
    with ScratchFolder("cookbook") as name, ThreadPoolExecutor(asked.jobs) as threads:
        scratch = Path(name)
        helpers(asked.checkout.resolve(), scratch / "site")
        ran = threads.map(lambda folder: run(folder, scratch), folders)
        for folder, (there, here) in zip(folders, ran, strict=True):
            if folder.name == "template":
                continue
            for index, case in enumerate(there):
                why = difference(case, here[index] if index < len(here) else None)
                results[f"{folder.name} {case.title}"] = why
                print(f"{'equal ' if not why else 'DIFFERS'} {folder.name} {case.title} {why}", flush=True)
    equal = sum(not why for why in results.values())
    print(f"{equal} of {len(results)} cases are equal")
    if not asked.only:
        record(results)


def record(results: dict[str, str]) -> None:
    device = default_target()
    differ = {name: {"how": why, "why": why_different(name)} for name, why in results.items() if why}
    found = {
        "device": device.name if device else "reference backend",
        "date": date.today().isoformat(),
        "cases": len(results),
        "equal": len(results) - len(differ),
        "differ": differ,
    }
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
