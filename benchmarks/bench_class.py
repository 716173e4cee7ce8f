"""How fast a class is graded, and whether it is graded as in a notebook.

    python benchmarks/bench_class.py without-gpu --submissions 200     seconds each and peak memory, on two cores
    python benchmarks/bench_class.py throughput --gpus 1 --seconds 60  answers a minute on one GPU of this machine
    python benchmarks/bench_class.py simulate --gpus 8                 from the recorded times of a single answer
    python benchmarks/bench_class.py agreement --unit 06_reductions    a notebook's race beside the class's verdict

Each writes benchmarks/results/class-<what>.json. A submission is one unit's notebook; every answer of it is distinct,
as in a class, and taken from the solution and the catalogue of what people write.
"""

from __future__ import annotations

import argparse
import heapq
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from autograder import backend, exercises
from autograder.classroom import workers
from autograder.classroom.cluster import devices
from autograder.classroom.wire import Reply, Task
from benchmarks.held_memory import Held
from benchmarks.invented_class import hand_in, tasks_of
from benchmarks.record import RESULTS, record

UNIT = "06_reductions"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of the measurements. Returns 1 where this machine cannot."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("without-gpu", "tasks", "throughput", "simulate", "agreement"))
    parser.add_argument("--unit", default=UNIT)
    parser.add_argument("--submissions", type=int, default=200)
    parser.add_argument("--gpus", type=int, default=1, help="of this machine, or to simulate")
    parser.add_argument("--tasks", type=Path, help="file of answers, as `tasks` writes it where notebooks can be read")
    parser.add_argument("--seconds", type=float, default=60.0, help="after which throughput is known well enough")
    asked = parser.parse_args(arguments)
    if asked.what in ("throughput", "agreement") and not backend.gpu_available():
        print("There is no GPU here, so there is nothing to time.", file=sys.stderr)
        return 1
    if asked.what == "tasks":
        made = tasks_of(asked.unit, asked.submissions)
        asked.tasks.write_text("".join(task.to_bytes().decode() + "\n" for task in made))
        return 0
    found = {"without-gpu": without_gpu, "throughput": throughput, "simulate": simulate, "agreement": agreement}
    name, measured = found[asked.what](asked)
    print(json.dumps({key: value for key, value in measured.items() if key != "rows"}, indent=1))
    print(record(name, measured))
    return 0


def without_gpu(asked: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    """Grade a whole class, from notebooks to pages."""
    from autograder.classroom.grade import Options, grade_class

    with tempfile.TemporaryDirectory() as folder:
        submitted = Path(folder, "submitted")
        n_answers = hand_in(submitted, asked.unit, asked.submissions)
        with Held() as held:
            begun = time.monotonic()
            summary, _ = grade_class(submitted, Path(folder, "out"), asked.unit, Options(n_workers=2))
            wall_s = time.monotonic() - begun
        verdicts = [json.loads(path.read_text()) for path in Path(folder, "out", "verdicts").rglob("*.json")]
        statuses = [entry["status"] for verdict in verdicts for entry in verdict["exercises"]]
    return "class-without-gpu", {
        "unit": asked.unit,
        "submissions": asked.submissions,
        "answers": n_answers,
        "workers": 2,
        "wall_s": round(wall_s, 1),
        "wall_s_each": round(wall_s / asked.submissions, 2),
        "processor_s_each": round(held.processor_s / asked.submissions, 2),
        "peak_memory_mib": round(held.peak_bytes / (1 << 20)),
        "load_before": os.getloadavg()[2],
        "for_review": len(summary["failed"]),
        "statuses": {status: statuses.count(status) for status in sorted(set(statuses))},
    }


def throughput(asked: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    """Judge answers of a class on some of this machine's GPUs until the time is up."""
    uuids = devices.uuids()[: asked.gpus]
    os.environ[devices.VISIBLE] = ",".join(uuids)
    devices.uuids.cache_clear()
    tasks = {task.key: task.to_bytes() for task in _tasks(asked)}
    begun, ended, statuses = time.monotonic(), [], []
    for answer in workers.answers(tasks):
        ended.append(time.monotonic() - begun)
        statuses.append(status_of(answer.reply))
        if ended[-1] > asked.seconds:
            break
    first, n_more = ended[0], len(ended) - 1
    rate = n_more / (ended[-1] - first) if n_more else 0.0
    return f"class-on-{len(uuids)}-gpus", {
        "unit": asked.unit,
        "gpus": len(uuids),
        "workers": len(devices.workers_for(uuids, os.cpu_count() or 1)),
        "answers": len(ended),
        "all_answers": len(tasks),
        "until_the_first_s": round(first, 1),
        "answers_per_s": round(rate, 3),
        "200_answers_s": round(first + 199 / rate, 1) if rate else None,
        "statuses": {status: statuses.count(status) for status in sorted(set(statuses))},
    }


def simulate(asked: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    """Many GPUs from what one was measured to do: each answer takes any of them as long as it takes one."""
    known = {path.stem: json.loads(path.read_text()) for path in sorted(RESULTS.glob("class-on-*-gpus.json"))}
    if "class-on-1-gpus" not in known:
        sys.exit("There is no benchmarks/results/class-on-1-gpus.json yet: run `throughput --gpus 1` first.")
    one = known["class-on-1-gpus"]
    each_s = 1 / one["answers_per_s"]
    rng = random.Random(1)
    times = [rng.expovariate(1 / each_s) for _ in range(asked.submissions)]
    took = {gpus: makespan(times, gpus) + one["until_the_first_s"] for gpus in sorted({1, 2, asked.gpus})}
    return f"class-simulated-{asked.gpus}-gpus", {
        "answers": asked.submissions,
        "seconds": {str(gpus): round(seconds, 1) for gpus, seconds in took.items()},
        "speedup": {str(gpus): round(took[1] / seconds, 2) for gpus, seconds in took.items()},
        "measured": {name: found["200_answers_s"] for name, found in known.items()},
        "assumes": "times of answers are exponential about the measured mean, and GPUs share nothing",
    }


def makespan(times: Sequence[float], n_gpus: int) -> float:
    """Seconds until all are done, where the next one always goes to whoever is free first."""
    free = [0.0] * n_gpus
    for seconds in times:
        heapq.heappush(free, heapq.heappop(free) + seconds)
    return max(free)


def agreement(asked: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    """For right answers to each exercise with speed points: what a notebook's race gives, and what a class does."""
    from autograder.classroom.judging import judged
    from autograder.speed.race import race

    rows = []
    seen: set[str] = set()
    begun_all = time.monotonic()
    for task in _tasks(asked, right_only=True):
        exercise = exercises.find(task.exercise)
        if exercise.speed is None or exercise.id in seen or time.monotonic() > begun_all + asked.seconds:
            continue
        seen.add(exercise.id)
        begun = time.monotonic()
        outcome = judged(task)
        in_class_s = time.monotonic() - begun
        alone = race(exercise, task.program, outcome)
        there = outcome.speed
        rows.append({
            "exercise": exercise.id, "class_s": round(in_class_s, 1), "status": outcome.status,
            "class": there and [there.position, there.points, there.says], "race": [alone.position, alone.points],
            "agrees": bool(there) and there.points == alone.points,
        })  # fmt: skip
        print(rows[-1], file=sys.stderr, flush=True)
    return "class-agreement", {
        "unit": asked.unit,
        "agree": sum(r["agrees"] for r in rows),
        "of": len(rows),
        "rows": rows,
    }


def _tasks(asked: argparse.Namespace, right_only: bool = False) -> list[Task]:
    if asked.tasks is None:
        return tasks_of(asked.unit, 1 if right_only else asked.submissions, right_only)
    return [Task.from_bytes(line.encode()) for line in asked.tasks.read_text().splitlines()]


def status_of(reply: bytes | Exception) -> str:
    """What became of an answer, with whether its speed was graded."""
    if isinstance(reply, Exception):
        return type(reply).__name__
    outcome = Reply.from_bytes(reply).outcome
    timed = "" if outcome.speed is None else ", timed" if outcome.speed.graded else ", not timed"
    return f"{outcome.status}{timed}"


if __name__ == "__main__":
    raise SystemExit(main())
