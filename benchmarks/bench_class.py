"""How fast a class is graded, and whether it is graded as in a notebook.

    python benchmarks/bench_class.py without-gpu --submissions 200     seconds each and peak memory, on two cores
    python benchmarks/bench_class.py throughput --gpus 2 --seconds 60  answers a second on one GPU and on two
    python benchmarks/bench_class.py simulate --gpus 8                 from the recorded times of every single answer
    python benchmarks/bench_class.py agreement --unit 06_reductions    a notebook's race beside the class's verdict

Each writes benchmarks/results/class-<what>.json. A submission is one unit's notebook; every answer of it is distinct,
as in a class, and taken from the solution and the catalogue of what people write.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from autograder import backend, exercises
from autograder.classroom.cluster import devices
from autograder.classroom.wire import Task
from autograder.machine.scratch import ScratchFolder
from benchmarks import class_on_gpus
from benchmarks.class_on_gpus import Judged, Turn
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
    parser.add_argument("--workers", type=int, help="of each GPU; default: as many as find room")
    parser.add_argument("--tasks", type=Path, help="file of answers, as `tasks` writes it where notebooks can be read")
    parser.add_argument("--seconds", type=float, default=60.0, help="after which throughput is known well enough")
    parser.add_argument("--turns", type=int, default=2, help="of so many seconds, on one GPU and on all")
    asked = parser.parse_args(arguments)
    if asked.what in ("throughput", "agreement") and not backend.gpu_available():
        print("There is no GPU here, so there is nothing to time.", file=sys.stderr)
        return 1
    if asked.what == "tasks":
        lines = [task.to_bytes().decode() for task in tasks_of(asked.unit, asked.submissions)]
        asked.tasks.write_text(f"{len(lines) / asked.submissions}\n" + "\n".join(lines))
        return 0
    found = {"without-gpu": without_gpu, "throughput": throughput, "simulate": simulate, "agreement": agreement}
    name, measured = found[asked.what](asked)
    print(json.dumps({key: value for key, value in measured.items() if key != "rows"}, indent=1))
    print(record(name, measured))
    return 0


def without_gpu(asked: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    """Grade a whole class, from notebooks to pages."""
    from autograder.classroom.grade import Options, grade_class

    with ScratchFolder("bench") as folder:
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
        "statuses": _counted(statuses),
    }


def throughput(asked: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    """Judge answers of a class on one GPU of this machine, then on all that are asked for."""
    uuids = devices.uuids()[: asked.gpus]
    tasks = _tasks(asked)
    each = asked.workers or devices.Capacity.here().workers_a_gpu(len(uuids))
    asked.device, asked.workers = class_on_gpus.name_of_gpu(), each
    turns: list[Turn] = []
    for turn in class_on_gpus.measured(tasks, uuids, each, asked.seconds, asked.turns):
        turns.append(turn)
        name = f"class-on-{max(turn.n_gpus for turn in turns)}-gpus-{each}-workers"
        record(name, _of_gpus(asked, turns))  # now: a machine may be taken away before the others had their turn
    return name, _of_gpus(asked, turns)


def _of_gpus(asked: argparse.Namespace, turns: Sequence[Turn]) -> dict[str, Any]:
    """What was found of one number of GPUs, or of two beside each other."""
    of = {n: [turn for turn in turns if turn.n_gpus == n] for n in sorted({turn.n_gpus for turn in turns})}
    rates = {n: statistics.mean(turn.rate for turn in found) for n, found in of.items()}
    judged = {n: [one for turn in found for one in turn.judged] for n, found in of.items()}
    measured: dict[str, Any] = {
        "unit": asked.unit,
        "device": asked.device,
        "gpus": max(of),
        "workers_a_gpu": asked.workers,
        "cores_a_gpu": len(os.sched_getaffinity(0)) // asked.gpus,
        "seconds_each": asked.seconds,
        "answers": {str(n): len(found) for n, found in judged.items()},
        "answers_a_second": {str(n): round(rate, 3) for n, rate in rates.items()},
        "turns": [[turn.n_gpus, round(turn.rate, 3)] for turn in turns],
        "answers_a_submission": round(asked.answers_a_submission, 2),
        "200_submissions_s": {str(n): round(200 * asked.answers_a_submission / rate) for n, rate in rates.items()},
        "statuses": _counted(one.status for found in judged.values() for one in found),
        "at_work": {str(n): _means([turn.at_work for turn in found]) for n, found in of.items()},
        "parts_s": {str(n): _parts(found) for n, found in judged.items()},
    }
    if len(of) > 1:
        measured["speedup"] = {"by_rate": round(rates[max(of)] / rates[1], 2)}
    return {**measured, "rows": {str(n): [asdict(one) for one in found] for n, found in judged.items()}}


def _means(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    """Of each part, over all rows that have it."""
    parts = dict.fromkeys(part for row in rows for part in row)
    return {part: round(statistics.mean(row[part] for row in rows if part in row), 2) for part in parts}


def _parts(judged: Sequence[Judged]) -> dict[str, dict[str, float]]:
    """Of answers with a time and of the others: the mean of each part, in s, over all that have it."""
    kinds: dict[str, list[dict[str, float]]] = {}
    for one in judged:
        whole = {"own": one.own_s, "waited": one.waited_s, "alone": one.alone_s}
        kinds.setdefault("timed" if one.alone_s else "others", []).append({**whole, **one.parts})
    return {kind: _means(rows) for kind, rows in kinds.items()}


def simulate(asked: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    """Many machines from what one GPU was measured to do: each answer takes its own time, and that on the GPU, as it
    did."""
    known = [json.loads(path.read_text()) for path in RESULTS.glob("class-on-*-gpus-*-workers.json")]
    if not known:
        sys.exit("There is no benchmarks/results/class-on-N-gpus-*.json yet: run `throughput --gpus N` first.")
    measured = max(known, key=lambda each: (each["workers_a_gpu"], each["gpus"]))
    rows = [Judged(**one) for one in measured["rows"]["1"]]
    each, n = measured["workers_a_gpu"], round(asked.submissions * measured["answers_a_submission"])
    took = {gpus: class_on_gpus.simulated(rows, gpus, each, n) for gpus in sorted({1, 2, asked.gpus})}
    return f"class-simulated-{asked.gpus}-gpus", {
        "unit": measured["unit"],
        "submissions": asked.submissions,
        "answers": n,
        "workers_a_gpu": each,
        "seconds": {str(gpus): round(seconds) for gpus, seconds in took.items()},
        "speedup": {str(gpus): round(took[1] / seconds, 2) for gpus, seconds in took.items()},
        "answers_a_second": {str(gpus): round(n / seconds, 3) for gpus, seconds in took.items()},
        "measured_answers_a_second": measured["answers_a_second"],
        "assumes": "each answer takes as long as one that was measured on one GPU; each GPU has a machine of its own",
    }


def agreement(asked: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    """For right answers to each exercise with speed points: what a notebook's race gives, and what a class does."""
    from autograder.classroom.judging import judged
    from autograder.speed.race import race

    rows: list[dict[str, Any]] = []
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
        record("class-agreement", _agreed(asked, rows))  # what is cut off later has measured so much
    return "class-agreement", _agreed(asked, rows)


def _agreed(asked: argparse.Namespace, rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {"unit": asked.unit, "agree": sum(r["agrees"] for r in rows), "of": len(rows), "rows": rows}


def _tasks(asked: argparse.Namespace, right_only: bool = False) -> list[Task]:
    if asked.tasks is None:
        n = 1 if right_only else asked.submissions
        tasks = tasks_of(asked.unit, n, right_only)
        asked.answers_a_submission = len(tasks) / n
        return tasks
    per_submission, *lines = asked.tasks.read_text().splitlines()
    asked.answers_a_submission = float(per_submission)
    return [Task.from_bytes(line.encode()) for line in lines]


def _counted(words: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(words).items()))


if __name__ == "__main__":
    raise SystemExit(main())
