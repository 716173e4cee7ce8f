"""Every solution of the course by each compiler of numba.cuda: whether it is right on a GPU, and how fast.

    python -m benchmarks.bench_compilers      on a machine with a GPU and both compilers

Each solution runs in a process of its own, since one that crashes takes its CUDA context with it. They are judged side
by side; then what was right is timed, one after the other, on the sizes of its race.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from autograder.backend import ANSI_COLOURS
from benchmarks.record import device_name, record
from simt.compilers import MLIR, NUMBA_CUDA, VARIABLE

COMPILERS = (NUMBA_CUDA, MLIR)
SECONDS = {"check": 90, "time": 60}  # that a process may take
ASKED_FOR = "Please open an issue"  # begins what numba-cuda-mlir adds to each fault: an address, and a file
ROUNDS_S = 0.2  # of timed launches, at least one round each


def check_one(name: str) -> dict[str, Any]:
    """The judge's verdict on a solution, on the GPU alone."""
    from autograder import exercises, judge

    exercise = exercises.find(name)
    outcome = judge.check(exercise, _solution(exercise), device="cuda", isolate=False)
    cause = getattr(outcome, "cause", None) or next(iter(getattr(outcome, "causes", ())), None)
    says = ANSI_COLOURS.sub("", str(getattr(cause, "says", "") or outcome)).split(ASKED_FOR)[0].strip()
    return {"verdict": type(outcome).__name__} | ({} if outcome.passed else {"says": says[:600]})


def time_one(name: str) -> dict[str, Any]:
    """Median microseconds of a solution on the sizes of its race, and of a copy of as many bytes."""
    from autograder import exercises
    from autograder.diagnosis.budget import compulsory_bytes
    from autograder.speed import contenders
    from autograder.speed.child import values_kind
    from autograder.speed.gpu_lock import alone_on_the_gpu
    from autograder.speed.least_times import sizes_on
    from autograder.speed.measure import Bench
    from autograder.speed.profile import device_profile

    exercise = exercises.find(name)
    with alone_on_the_gpu():
        device = device_profile()
    bench = Bench(exercise, sizes_on(exercise, device), device, values_kind(exercise))
    host = bench.sets[0].host
    timed = contenders.answer(exercise, "yours", _solution(exercise).load()[1], host)
    copy = contenders.copy(compulsory_bytes(exercise, host))
    bench.compile([timed])
    with alone_on_the_gpu():
        bench.run([timed, copy], ROUNDS_S)
    times = {"time_us": float(np.median(timed.times_us)), "copy_us": float(np.median(copy.times_us))}
    return {**times, "rounds": len(timed.times_us), "wrong": timed.wrong}


STAGES = {"check": check_one, "time": time_one}


def _solution(exercise: Any) -> Any:
    from autograder.answer.reference import solution_program

    return solution_program(exercise)


def apart(stage: str, compiler: str, name: str) -> dict[str, Any]:
    """A stage of one solution in a process that uses one compiler; {"failed": why} where it does not come back."""
    command = [sys.executable, "-m", "benchmarks.bench_compilers", "--one", stage, name]
    environment = {**os.environ, VARIABLE: compiler}
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS[stage], env=environment)
    except subprocess.TimeoutExpired:
        return {"failed": f"it did not come back within {SECONDS[stage]} s"}
    try:
        return json.loads(ran.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        return {"failed": f"the process ended with {ran.returncode}: {ran.stderr.strip()[-400:]}"}


def measured(
    names: Iterable[str], stages: Iterable[str], jobs: int, seconds: float, known: dict[str, Any]
) -> dict[str, dict[str, Any]]:
    """Exercise -> compiler -> what was found. Only what is right is timed. After `seconds` nothing more begins.

    known: what an earlier run found, which this one goes on with.
    """
    from autograder import exercises

    names = list(names)
    found = {name: known.get(name) or {compiler: {} for compiler in COMPILERS} for name in names}
    again = {name for name in names if not any(found[name].values())}
    until = time.monotonic() + seconds

    def in_time(stage: str, one: tuple[str, str]) -> dict[str, Any]:
        return apart(stage, *one) if time.monotonic() < until else {}

    raced = {name for name in names if exercises.find(name).speed is not None}
    for stage in stages:
        wanted = [
            (compiler, name)
            for name, compiler in product(names, COMPILERS)
            if (stage == "time" and name in raced and found[name][compiler].get("verdict") == "Passed")
            or (stage != "time" and (not known or name in again))
        ]
        with ThreadPoolExecutor(jobs) as pool:
            answers = pool.map(partial(in_time, stage), wanted)
            for (compiler, name), answer in zip(wanted, answers, strict=True):
                failed = answer.pop("failed", None)
                found[name][compiler] |= answer if failed is None else {stage: "failed", "why": failed}
    return found


def main(arguments: list[str] | None = None) -> None:
    """Measure, print a line a solution, and keep it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", help="exercises, by id; default: all")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes side by side")
    parser.add_argument("--seconds", type=float, default=3600, help="after which nothing more begins; default: 3600")
    parser.add_argument("--onto", type=Path, help="a result of this: it is kept, and only timed")
    parser.add_argument("--again", nargs="*", default=[], help="exercises whose results in --onto are found anew")
    parser.add_argument("--name", default="compilers", help="of the result; default: compilers")
    parser.add_argument("--one", nargs=2, metavar=("STAGE", "EXERCISE"), help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.one:
        import autograder.backend

        autograder.backend.prepare()
        print(json.dumps(STAGES[given.one[0]](given.one[1])))
        return
    from autograder.exercises import all_exercises

    names = given.only or [exercise.id for exercise in all_exercises()]
    known = json.loads(given.onto.read_text(encoding="utf-8"))["solutions"] if given.onto else {}
    known = {name: one for name, one in known.items() if name not in given.again}
    kept = {**known}
    found = measured(names, ("check", "time"), given.jobs, given.seconds, known)
    for name, by in found.items():
        print(f"{name:40}", *(f"{compiler}: {short(by[compiler])}" for compiler in COMPILERS), sep="  ", flush=True)
    print(record(given.name, {"device": device_name(), "solutions": {**kept, **found}}))


def short(found: dict[str, Any]) -> str:
    """One compiler's column of a line."""
    if "time_us" in found:
        return f"{found['verdict']} {found['time_us']:.1f} us"
    return str(found.get("verdict") or next(iter(found.values()), ""))


if __name__ == "__main__":
    main()
