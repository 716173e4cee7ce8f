"""Right and wrong answers to every exercise, by the GPU's stage of a class alone: what it says, and how long it takes.

    python benchmarks/bench_sealed_answers.py tasks FILE               where notebooks can be read
    python benchmarks/bench_sealed_answers.py judge FILE --workers 14  where there is a GPU

Of each exercise the solution, another right answer and two wrong ones, taken in from a notebook as a class's are. The
interpreter does not look at them here: what it finds and a GPU does not, races and costs above all, passes this stage.
Writes benchmarks/results/sealed-answers-<device>.json.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from autograder import backend, exercises
from autograder.classroom.jail.host_check import why_not_recorded
from autograder.classroom.wire import Task
from autograder.machine.course_home import PACKAGES
from autograder.running.examine import Examination
from autograder.running.job import Job
from benchmarks.record import device_name, record

SECRET = "a benchmark"
N_EACH = 4
SOLUTION = "solution"
EVERY = 10  # answers after which it is recorded how far it came


def tasks() -> Iterator[tuple[str, str, Task]]:
    """(answer's name, the outcome that the catalogue says, task), unit by unit."""
    import nbformat

    from autograder.classroom import course
    from autograder.classroom.demo.students import cells_by_id
    from autograder.classroom.reading.answers import read_answers

    for unit_id in exercises.units():
        unit = course.unit(unit_id)
        cells = {one.function: _cells(one, unit) for one in unit.exercises if not why_not_recorded(one)}
        for turn in range(N_EACH):
            notebook = nbformat.read(PACKAGES / "course" / unit_id / f"{unit_id}.ipynb", as_version=4)
            of_turn = {function: known[turn] for function, known in cells.items() if turn < len(known)}
            for function, (_, _, source) in of_turn.items():
                cells_by_id(notebook)[function].source = source
            for answer in read_answers(notebook, unit):
                function = answer.exercise.function
                if function in of_turn and answer.program is not None:
                    task = Task(answer.exercise.id, answer.program, answer.host, False, SECRET)
                    yield (*of_turn[function][:2], task)


def _cells(exercise: Any, unit: Any) -> list[tuple[str, str, str]]:
    """(name, outcome, cell) of the solution, another right answer and two wrong ones that a class takes."""
    import nbformat

    from autograder.classroom import course
    from autograder.classroom.demo.students import cells_by_id
    from autograder.exercises.answer_cells import cell_of
    from autograder.exercises.catalogue import answers_for

    solved = cells_by_id(nbformat.read(course.notebook_of(unit.id), as_version=4))
    setup = tuple(piece.source for piece in unit.setup)
    known = [one for one in answers_for(exercise) if not one.class_refuses and one.misconception != "not_compiled"]
    right = [one for one in known if one.outcome == "Passed"]
    wrong = [one for one in known if one.outcome == "Wrong"]
    chosen = [*right[:1], *wrong[:1], wrong[len(wrong) // 2]]
    cells = [(one.name, one.outcome, cell_of(one, setup)) for one in chosen]
    return [(SOLUTION, "Passed", solved[exercise.function].source), *cells]


def judge(asked: tuple[str, str, dict[str, Any]]) -> dict[str, Any]:
    """What the GPU's stage says of one answer."""
    name, expected, document = asked
    task, begun = Task.from_json(document), time.monotonic()
    found = _on_gpu(task)
    row: dict[str, Any] = {"exercise": task.exercise, "answer": name, "catalogue": expected}
    if isinstance(found, Examination):
        cases = Counter(case.status for case in found.trial.cases)
        row |= {"gpu": "Passed" if set(cases) == {"right"} else "Wrong", "cases": dict(cases)}
    else:
        row |= {"gpu": found.status, "says": found.observed[:200]}
    return {**row, "seconds": round(time.monotonic() - begun, 2)}


def _on_gpu(task: Task) -> Any:
    from autograder.classroom.jail import host_check
    from autograder.classroom.jail import host_functions as jailed
    from autograder.classroom.sealed.host_stage import SealedPlans
    from autograder.classroom.sealed.stage import Sealed
    from autograder.running import buffers
    from autograder.running.cases.more_cases import all_cases

    exercise, program = exercises.find(task.exercise), task.program
    if exercise.kind != "host":
        return Sealed().run_on_gpu(Job(exercise, program, secret=SECRET))
    values = [buffers.make_values(exercise, case, SECRET) for case in all_cases(exercise, program.source, SECRET)]
    plans = jailed._record(exercise, program, values, [])
    if any(found["beyond"] for found in plans):
        return host_check.check(exercise, program, SECRET)
    replay = jailed._replay_program(exercise, program, values, plans)
    stage = SealedPlans(recorded=jailed._recorded(exercise, program, values, plans), values=values, plans=plans)
    return stage.run_on_gpu(Job(exercise, replay, secret=SECRET, drawn_from=program.source))


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the answers, or judge them and record it. Returns 1 where there is no GPU."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("tasks", "judge"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args(arguments)
    if asked.what == "tasks":
        asked.file.write_text(json.dumps([(name, said, task.to_json()) for name, said, task in tasks()]))
        return 0
    if not backend.gpu_available():
        print("There is no GPU here, so nothing was judged.", file=sys.stderr)
        return 1
    device = device_name()
    name = f"sealed-answers-{re.sub(r'[^a-z0-9]+', '-', device.lower())}"
    context, begun = multiprocessing.get_context("spawn"), time.monotonic()
    answers, rows = json.loads(asked.file.read_text()), []
    with ProcessPoolExecutor(asked.workers, mp_context=context) as pool:
        for row in pool.map(judge, answers):
            rows.append(row)
            if len(rows) % EVERY == 0 or len(rows) == len(answers):  # what is cut off later has judged so much
                path = record(name, summary(rows, device, asked.workers, time.monotonic() - begun))
    print(path if rows else "There is no answer in the file.")
    return 0


def summary(rows: list[dict[str, Any]], device: str, workers: int, wall_s: float) -> dict[str, Any]:
    """The rows with their counts. A right answer that did not pass is named; nobody's zero is among them."""
    right = [row for row in rows if row["catalogue"] == "Passed"]
    seconds = sorted(row["seconds"] for row in rows)
    return {
        "device": device,
        "workers": workers,
        "wall_s": round(wall_s, 1),
        "answers": len(rows),
        "median_s": seconds[len(seconds) // 2],
        "right": dict(Counter(row["gpu"] for row in right)),
        "wrong": dict(Counter(row["gpu"] for row in rows if row["catalogue"] != "Passed")),
        "right_but_not_passed": [f"{row['exercise']} {row['answer']}" for row in right if row["gpu"] != "Passed"],
        "rows": rows,
    }


if __name__ == "__main__":
    raise SystemExit(main())
