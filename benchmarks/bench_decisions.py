"""Are kernels 5 % either side of the line of full points judged right, on this GPU's own clock?

    python benchmarks/bench_decisions.py

The planted kernel is the reference, followed by a copy that is long enough to put it there. Writes
benchmarks/results/decisions-<device>.json. Takes half a minute.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from autograder import backend, exercises
from autograder.answer.reference import solution_program
from autograder.speed import contenders
from autograder.speed.child import values_kind
from autograder.speed.decision import decision, enough_rounds
from autograder.speed.least_times import sizes_on
from autograder.speed.measure import Bench, Contender
from autograder.speed.probes import copier
from autograder.speed.profile import device_profile
from benchmarks.record import record, slug

EXERCISE = "reductions.device_sum"
TIMES = 20
APART = {"5 % inside": 0.95, "5 % outside": 1.05}
SETTLING = 3  # corrections of the copy's length
KNOWN_ROUNDS = 60  # that its place is measured with


class Planted:
    """The exercise's contenders, with one that takes as much longer than the reference as it should."""

    def __init__(self) -> None:
        self.exercise, self.device = exercises.find(EXERCISE), device_profile()
        exercise = self.exercise
        self.bench = Bench(exercise, sizes_on(exercise, self.device), self.device, values_kind(exercise))
        host = self.bench.sets[0].host
        program = solution_program(exercise)
        assert program is not None
        self.reference = contenders.answer(exercise, "reference", program.load()[1], host).call
        self.naive = contenders.naive(exercise, host).call
        self.copy = contenders.copy(host["src"].nbytes).call

    def rounds(self, extra: Callable[[], None], enough: Callable[..., bool]) -> dict[str, list[float]]:
        """Times by contender; yours is the reference and then `extra`."""

        def yours(values: Any) -> None:
            self.reference(values)
            extra()

        calls = {"yours": yours, "reference": self.reference, "naive": self.naive, "copy": self.copy}
        group = [Contender(name, call) for name, call in calls.items()]
        self.bench.run(group, 10.0, enough)
        return {one.name: one.times_us for one in group}

    def known(self, extra: Callable[[], None]) -> Any:
        """The decision on many rounds: where `extra` puts the kernel, whichever side that is."""
        return decision(self.exercise.speed, self.rounds(extra, lambda times: len(times["yours"]) >= KNOWN_ROUNDS))

    def placed(self, ratio: float) -> Callable[[], None]:
        """What makes the kernel take `ratio` times the reference's time."""
        times = self.rounds(copier(1 << 20), lambda times: len(times["yours"]) >= 15)
        bytes_of_one = float(np.median(times["reference"])) * 1e-6 * self.device.copy_rate / 2
        n_bytes = int((ratio - 1) * bytes_of_one)
        for _ in range(SETTLING):
            n_bytes = max(1 << 20, n_bytes + int((ratio - self.known(copier(n_bytes)).ratio.median) * bytes_of_one))
        return copier(n_bytes)


def main() -> int:
    """Plant, decide, record. Returns 1 where there is no GPU."""
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    if not backend.gpu_available():
        print("There is no GPU here, so nothing was timed.", file=sys.stderr)
        return 1
    planted = Planted()
    line = planted.known(copier(1 << 20)).threshold
    rows = {name: decided(planted, line * apart) for name, apart in APART.items()}
    device = planted.device.name
    for name, row in rows.items():
        print(f"{name}: {row['sides']} of {TIMES}, rounds {min(row['rounds'])} to {max(row['rounds'])}")
    print(record(f"decisions-{slug(device)}", {"device": device, "exercise": EXERCISE, "line": line, "rows": rows}))
    return 0


def decided(planted: Planted, ratio: float) -> dict[str, Any]:
    """What was decided about a kernel at this ratio to the reference, again and again."""
    extra = planted.placed(ratio)
    policy = planted.exercise.speed
    found = [decision(policy, planted.rounds(extra, lambda times: enough_rounds(policy, times))) for _ in range(TIMES)]
    sides = [one.side for one in found if one is not None]
    return {
        "planted_ratio": ratio,
        "measured_ratios": [round(one.ratio.median, 4) for one in found if one is not None],
        "sides": {side: sides.count(side) for side in sorted(set(sides))},
        "rounds": [one.rounds for one in found if one is not None],
    }


if __name__ == "__main__":
    raise SystemExit(main())
