"""`warpbook bench`: the course's own solutions on this GPU, beside the library, the copy rate and the naive version."""

from __future__ import annotations

import datetime
import importlib.metadata
import platform
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from autograder import backend, exercises
from autograder.answer import reference
from autograder.contract import Exercise
from autograder.speed.race import measure

BENCH_BYTES = 1 << 30  # footprint of each timed problem, beyond any L2
SECONDS = 4.0  # of rounds for one exercise at most
HEADER = ("exercise", "time us", "GB/s", "of copy", "library", "over library", "over naive", "wrong")
PACKAGES = ("numba", "numba-cuda", "numba-cuda-mlir", "numpy", "cuda-bindings", "torch")


def timed_exercises() -> list[Exercise]:
    """Exercises with a speed policy whose solution is present, in course order."""
    return [e for e in exercises.all_exercises() if e.speed is not None and reference.solution_program(e) is not None]


def bench(
    chosen: Iterable[Exercise], progress: Callable[[str], None] = lambda name: None, jobs: int = 1
) -> dict[str, Any]:
    """Time each exercise's solution against everything else, at a footprint of BENCH_BYTES.

    jobs: how many exercises are prepared at a time: one is timed while others draw their inputs, work out what is right
    and compile, which takes longer than the timing. Each needs about 10 GB of host memory.
    Returns: {"device", "date", "versions", "rows": [{"exercise", "time_us", "rate_gbs", ...}]}; a row that failed
    holds "error" instead. Without a GPU the rows are empty and "device" is None.
    """
    document: dict[str, Any] = {"device": None, "date": today(), "versions": versions(), "rows": []}
    if not backend.gpu_available():
        return document

    def timed(exercise: Exercise) -> dict[str, Any]:
        sizes = exercise.speed.sizes_for(BENCH_BYTES)
        result = measure(exercise, reference.solution_program(exercise), sizes, max_seconds=SECONDS)
        progress(exercise.id)
        return result

    wanted = list(chosen)
    with ThreadPoolExecutor(jobs) as pool:
        for exercise, result in zip(wanted, pool.map(timed, wanted), strict=True):
            document["device"] = result.get("device", document["device"])
            document["rows"].append(row(exercise.id, result))
    return document


def row(exercise_id: str, result: dict[str, Any]) -> dict[str, Any]:
    """One line of the table from what the timing child measured. Times are medians in microseconds."""
    if "error" in result:
        return {"exercise": exercise_id, "error": result["error"]}
    times = {name: float(np.median(samples)) for name, samples in result["times_us"].items()}
    library = result["library"]
    return {
        "exercise": exercise_id,
        "sizes": result["sizes"],
        "bytes": result["bytes"],
        "rounds": len(result["times_us"]["yours"]),
        "time_us": times["yours"],
        "naive_us": times.get("naive"),
        "copy_us": times["copy"],
        "library": library,
        "library_us": times.get(library),
        "rate_gbs": result["bytes"] / times["yours"] / 1e3,
        "copy_rate_gbs": result["bytes"] / times["copy"] / 1e3,
        "wrong": result["wrong"],
    }


def to_text(document: dict[str, Any]) -> str:
    """The rows as a table, with what they were measured on."""
    if document["device"] is None:
        return "No GPU here, so nothing was timed. warpbook doctor says what is missing."
    lines = [f"{document['device']}, {document['date']}", _line(HEADER)]
    for r in document["rows"]:
        lines.append(f"{r['exercise']:<36} {r['error']}" if "error" in r else _line(_cells(r)))
    return "\n".join(lines)


def versions() -> dict[str, str]:
    """Versions of what the timings depend on, installed packages only."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def _cells(r: dict[str, Any]) -> tuple[str, ...]:
    over_library = f"{r['library_us'] / r['time_us']:.2f}x" if r["library_us"] else ""
    over_naive = f"{r['naive_us'] / r['time_us']:.2f}x" if r["naive_us"] else ""
    share = f"{r['rate_gbs'] / r['copy_rate_gbs']:.0%}"
    rate, wrong = f"{r['rate_gbs']:.0f}", str(sum(r["wrong"].values()))
    return r["exercise"], f"{r['time_us']:.1f}", rate, share, r["library"] or "", over_library, over_naive, wrong


def _line(cells: Iterable[str]) -> str:
    first, *rest = cells
    return f"{first:<36} " + " ".join(f"{cell:>14}" for cell in rest)


def today() -> str:
    """The date, UTC, as in "2026-01-31"."""
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d")
