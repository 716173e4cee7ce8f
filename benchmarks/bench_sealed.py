"""Does a class's clock, in launchers of its own, agree with a notebook's, and does it judge close kernels right?

    python benchmarks/bench_sealed.py decisions                      planted kernels 5 % either side of the line
    python benchmarks/bench_sealed.py agreement reductions.warp_sum  the solution's time here and in `q.race`

The planted kernel is the reference, followed by a copy that is long enough to put it there. Each writes
benchmarks/results/sealed-<what>-<device>.json. Takes half a minute, and ten seconds an exercise.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from autograder import backend, exercises
from autograder.answer.program import Program
from autograder.answer.reference import solution_program
from autograder.classroom.jail import host_functions as jailed
from autograder.classroom.sealed import timing
from autograder.classroom.sealed.carried import Bench
from autograder.classroom.sealed.launching import Launcher
from autograder.classroom.sealed.plan import LaunchPlan
from autograder.classroom.sealed.sets.kept import Kept
from autograder.classroom.sealed.stage import Sealed
from autograder.speed import race
from autograder.speed.decision import decision, enough_rounds
from autograder.speed.footprint import Device
from autograder.speed.gpu_lock import alone_on_the_gpu
from autograder.speed.least_times import sizes_on
from autograder.speed.rounds import LOOKS
from benchmarks.record import record, slug

EXERCISE = "reductions.device_sum"
TIMES = 20
APART = {"5 % inside": 0.95, "5 % outside": 1.05}
SETTLING = 3  # corrections of the copy's length
KNOWN_ROUNDS = 30  # that a place is measured with
FROM, TO = "ballast from", "ballast to"
Times = dict[str, list[float]]


def recorded_as_ours(exercise: Any, program: Any, values: Any, is_ours: bool = True) -> Any:
    """What a host function of the course's own asks for."""
    return jailed.recorded(exercise, program, values, is_ours=True)


class Planted:
    """The contenders of the exercise in two launchers; the solution with a copy behind it once for each place."""

    def __init__(self, device: Device, theirs: Launcher, ours: Launcher) -> None:
        exercise = self.exercise = exercises.find(EXERCISE)
        self.race = timing._Race(exercise, device, sizes_on(exercise, device), Sealed())
        program = solution_program(exercise)
        with self.race.sets_for(program, "bench") as kept:
            self._prepare(kept, program, theirs, ours)

    def _prepare(self, kept: Kept, program: Program, theirs: Launcher, ours: Launcher) -> None:
        self.race.prepared(kept, program, recorded_as_ours, theirs, ours)
        yours = self.race.timed["yours"].bench.plans["yours"]
        buffers = {**yours.buffers, FROM: self.race.n_bytes, TO: self.race.n_bytes}
        self.plan = LaunchPlan(buffers, yours.codes, yours.operations)
        self.bench = Bench(theirs, dict.fromkeys(APART, self.plan), timing.N_SETS)
        self.bench.give(kept)
        for name in APART:
            self.race.timed[name] = timing.Timed(self.bench, timing.N_SETS)
        del self.race.timed["yours"]

    def place(self, name: str, n_bytes: int) -> None:
        """Let this contender copy so much after the solution's own work."""
        n_bytes = min(max(n_bytes, 1 << 20), self.race.n_bytes)
        copies = {"copy": [TO, 0, FROM, 0, n_bytes]}
        self.bench.load(name, replace(self.plan, operations=(*self.plan.operations, copies)))

    def rounds(self, names: Sequence[str], n: int, times: Times | None = None) -> Times:
        """Times of n more rounds, by contender."""
        times = times if times is not None else {}
        for turn in range(n):
            for name in random.sample(list(names), len(names)):
                sample = self.race._once(name, turn % self.race.timed[name].n_sets)  # ours has one set of inputs
                times.setdefault(name, []).append(sample.event_us)
        return times

    def settle(self, lines: dict[str, float]) -> None:
        """Put each contender at its ratio to the reference."""
        reference_us = float(np.median(self.rounds(["reference"], KNOWN_ROUNDS)["reference"]))
        bytes_of_one = 1e-6 * reference_us * self.race.device.copy_rate / 2
        lengths = {name: int((ratio - 1) * bytes_of_one) for name, ratio in lines.items()}
        for _ in range(SETTLING):
            for name, n_bytes in lengths.items():
                self.place(name, n_bytes)
            times = self.rounds([*lines, "reference"], KNOWN_ROUNDS)
            for name, ratio in lines.items():
                is_at = float(np.median(np.array(times[name]) / np.array(times["reference"])))
                lengths[name] += int((ratio - is_at) * bytes_of_one)
        for name, n_bytes in lengths.items():
            self.place(name, n_bytes)


def decisions(device: Device) -> dict[str, Any]:
    """What is decided about kernels 5 % either side of the line of full points, again and again."""
    with Launcher() as theirs, Launcher() as ours, alone_on_the_gpu(device.uuid):
        planted = Planted(device, theirs, ours)
        planted.race._gap_us(timing.WARM_S)
        first = planted.rounds(["reference", "naive", "copy"], min(LOOKS))
        policy = planted.exercise.speed
        assert policy is not None
        found = decision(policy, {**first, "yours": first["reference"]})
        assert found is not None
        planted.settle({name: found.threshold * apart for name, apart in APART.items()})
        begun, n_samples = time.monotonic(), 0
        rows: dict[str, dict[str, Any]] = {name: {"sides": {}, "ratios": [], "rounds": []} for name in APART}
        for _ in range(TIMES):
            times: Times = {}
            for n in np.diff([0, *LOOKS]):
                planted.rounds([*APART, "reference", "copy"], int(n), times)
                n_samples += 4 * int(n)
                each = {name: {**times, "naive": first["naive"], "yours": times[name]} for name in APART}
                if all(enough_rounds(policy, one) for one in each.values()):
                    break
            for name, one in each.items():
                decided = decision(policy, one)
                assert decided is not None
                row = rows[name]
                row["sides"][decided.side] = row["sides"].get(decided.side, 0) + 1
                row["ratios"].append(round(decided.ratio.median, 4))
                row["rounds"].append(decided.rounds)
        each_ms = 1e3 * (time.monotonic() - begun) / n_samples
    return {"exercise": EXERCISE, "line": found.threshold, "rows": rows, "sample_ms": round(each_ms, 2)}


def agreement(device: Device, ids: Sequence[str], max_seconds: float = 5.0) -> Iterator[dict[str, Any]]:
    """The solution of each exercise, timed as a class's answer is and as in a notebook, one after the other."""
    timing.MAX_SECONDS = max_seconds
    for exercise in map(exercises.find, ids):
        program, begun = solution_program(exercise), time.monotonic()
        assert program is not None
        there = timing.measure(exercise, program, "bench", recorded_as_ours, profile=lambda: device)
        sealed_s = time.monotonic() - begun
        alone = race.measure(exercise, program, max_seconds=max_seconds)
        row: dict[str, Any] = {"exercise": exercise.id, "sealed_s": round(sealed_s, 1)}
        row["race_s"] = round(time.monotonic() - begun - sealed_s, 1)
        for name, result in (("sealed", there), ("race", alone)):
            row[name] = result.get("error") or described(race.graded(exercise, result), result)
        print(row, file=sys.stderr, flush=True)
        yield row


def described(speed: Any, result: dict[str, Any]) -> dict[str, Any]:
    """What of a time is compared: microseconds, the ratio to the reference, points, whether it is believed."""
    ratio = speed.details.get("ratio_to_reference", {}).get("median")
    return {
        "time_us": round(speed.time_us, 2),
        "reference_us": round(speed.reference_us, 2),
        "naive_us": round(speed.naive_us, 2),
        "ratio": ratio and round(ratio, 4),
        "points": float(speed.points),
        "of": speed.max_points,
        "review": speed.review,
        "wrong": result["wrong"]["yours"],
        "rounds": len(result["times_us"]["yours"]),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and record. Returns 1 where there is no GPU."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("decisions", "agreement"))
    parser.add_argument("exercises", nargs="*", help="ids, for agreement")
    asked = parser.parse_args(arguments)
    if not backend.gpu_available():
        print("There is no GPU here, so nothing was timed.", file=sys.stderr)
        return 1
    device = timing.profiled()
    name = f"sealed-{asked.what}-{slug(device.name)}"
    if asked.what == "agreement":
        rows: list[dict[str, Any]] = []
        for row in agreement(device, asked.exercises):
            rows.append(row)
            path = record(name, {"device": device.name, "rows": rows})  # what is cut off later has measured so much
        print(path if rows else "No exercise was named, so nothing was timed.")
        return 0
    measured = decisions(device)
    for place, row in measured["rows"].items():
        print(f"{place}: {row['sides']} of {TIMES}, rounds {min(row['rounds'])} to {max(row['rounds'])}")
    print(record(name, {"device": device.name, **measured}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
