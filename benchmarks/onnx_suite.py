"""The onnx package's node tests of the fixed list on this GPU: how many pass, and why the others do not.

    python -m benchmarks.onnx_suite                # writes benchmarks/results/onnx-suite.json
    python -m benchmarks.onnx_suite --only conv    # those whose name holds this; records nothing

CI runs the same list on the reference backend. Here every case is built for the GPU: its kernels are compiled side by
side before, then processes share the cases. An operation without a kernel runs on the host, and its kind is counted.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from datetime import date
from functools import cache
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from minitrt import onnx_backend
from minitrt.builder.target import default_target
from minitrt.kernels import pool
from minitrt.kernels.compile import CompileError
from minitrt.plan.plan import Profile
from minitrt.tactics import tuner
from minitrt.tactics.contract import REFERENCE
from minitrt.tactics.reference import idle

ROOT = Path(__file__).parents[1]
LIST = ROOT / "tests" / "minitrt" / "lists" / "onnx_core_plain.txt"
RESULTS = ROOT / "benchmarks" / "results" / "onnx-suite.json"
PROCESSES, LEAST_SHARE = 12, 0.95
RELATIVE, ABSOLUTE = 1e-3, 1e-5  # as the onnx package compares, but for sums of float32 in another order
RELATIVE_OF_HALF = 2e-3


@cache
def cases() -> dict[str, Any]:
    """All node tests by name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some are made with overflows on purpose
        from onnx.backend.test.case.node import collect_testcases

        return {case.name: case for case in collect_testcases(None)}


def array_of(value: Any) -> np.ndarray:
    return onnx.numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else np.asarray(value)


def outcome(name: str) -> tuple[str, str, list[str]]:
    """(name, why it fails or "", kinds of operation that ran on the host)."""
    case, on_host = cases()[name], []
    try:
        with np.errstate(all="ignore"):
            rep = onnx_backend.MinitrtRep(case.model, on_gpu=True)
            for inputs, outputs in case.data_sets:
                found = rep.run([array_of(each) for each in inputs])
                for actual, expected in zip(found, map(array_of, outputs), strict=True):
                    compare(actual, expected)
        on_host = kinds_on_host(rep.session.engine._plan.profiles[0])
    except Exception as error:  # whatever goes wrong is a case that does not pass, with its reason
        return name, f"{type(error).__name__}: {str(error)[:300]}", on_host
    return name, "", on_host


def kinds_on_host(profile: Profile) -> list[str]:
    """The kind of each operation that stops the GPU and runs with NumPy."""
    ops = {op.name: op for op in profile.graph.ops}
    chosen = [ops[choice.op] for choice in profile.choices if choice.tactic == REFERENCE and choice.op in ops]
    return [op.kind for op in chosen if op.kind != "plugin" and not idle(op)]


def compare(actual: np.ndarray, expected: np.ndarray) -> None:
    """Types and shapes exactly, elements closely."""
    assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape), f"{actual.dtype} {actual.shape}"
    relative = RELATIVE_OF_HALF if expected.dtype == np.float16 else RELATIVE
    np.testing.assert_allclose(actual, expected, rtol=relative, atol=ABSOLUTE)


class Collected(Exception):
    """A build went as far as its kernels."""


@contextmanager
def only_asking() -> Iterator[list[pool.Request]]:
    """Builds in here ask for kernels and get none; what they ask for is collected."""
    asked: list[pool.Request] = []

    def answer(requests, capability, workers=None, done=lambda index: None):
        asked.extend(requests)
        return [CompileError(name, "only asked for") for name, _ in requests]

    def stop(*_: Any) -> None:
        raise Collected

    kept, tuner.cubins = tuner.cubins, answer
    runtime, onnx_backend.Runtime = onnx_backend.Runtime, stop
    try:
        yield asked
    finally:
        tuner.cubins, onnx_backend.Runtime = kept, runtime


def compile_for(names: list[str]) -> int:
    """Compile every kernel that these cases can ask for, side by side; how many."""
    with only_asking() as asked:
        for name in names:
            try:
                rep = onnx_backend.MinitrtRep(cases()[name].model, on_gpu=True)
                rep.run([array_of(each) for each in cases()[name].data_sets[0][0]])
            except Exception:
                continue
    different = {json.dumps(request, sort_keys=True): request for request in asked}
    device = default_target()
    pool.cubins(list(different.values()), device.compute_capability)
    return len(different)


def told(result: tuple[str, str, list[str]]) -> tuple[str, str, list[str]]:
    """A case's outcome, said at once where it fails: who ends this run knows those."""
    if result[1]:
        print(f"  {result[0]}: {result[1]}", flush=True)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="run cases whose name holds this; record nothing")
    parser.add_argument("--ready", action="store_true", help="kernels lie in MINITRT_CUBIN_CACHE: compile none ahead")
    asked = parser.parse_args()
    device = default_target()
    if device is None:
        parser.exit(1, "There is no GPU. CI runs the same list on the reference backend: tests/minitrt/onnx_import.\n")
    names = [name for name in LIST.read_text().split() if asked.only in name]
    warnings.simplefilter("ignore")
    if not asked.ready:
        print(f"{compile_for(names)} kernels for {len(names)} cases", flush=True)
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as processes:
        found = [told(result) for result in processes.map(outcome, names, chunksize=8)]
    failed = {name: why for name, why, _ in found if why}
    on_host = Counter(kind for _, _, kinds in found for kind in kinds)
    share = 1 - len(failed) / len(names)
    print(f"{len(names) - len(failed)} of {len(names)} pass, {100 * share:.1f} %")
    if not asked.only:
        versions = {name: version(name) for name in ("onnx", "numpy", "numba-cuda")}
        facts = {"date": date.today().isoformat(), "device": device.name, "versions": versions, "cases": len(names)}
        record = {**facts, "passed": len(names) - len(failed), "failed": failed, "on_the_host": dict(on_host)}
        RESULTS.write_text(json.dumps(record, indent=1) + "\n")
    if share < LEAST_SHARE:
        parser.exit(1, f"fewer than {100 * LEAST_SHARE:.0f} % pass\n")


if __name__ == "__main__":
    main()
