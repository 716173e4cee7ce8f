"""`q.race`: time a right answer against the reference, the naive version and a copy, and grade where it lands."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable

import numpy as np

from autograder import backend
from autograder.answer import reference
from autograder.answer.globals_as_source import program_of
from autograder.answer.program import Program
from autograder.contract import Exercise
from autograder.diagnosis.budget import compulsory_bytes, predict_case_name
from autograder.diagnosis.budget import measure as measure_counter
from autograder.outcome import Outcome, Speed
from autograder.running.buffers import make_values
from autograder.speed.least import least_times
from autograder.speed.points import grade
from autograder.speed.rounds import paired_ratio

TIMEOUT_S = 180
CHILD = "autograder.speed.child"  # the module that a timing process runs
NOT_HERE = "Speed is not graded here: this machine has no GPU, and a time is never guessed."


def race(exercise: Exercise, function: Callable | Program, outcome: Outcome | None = None, child: str = CHILD) -> Speed:
    """Time `function` on this GPU. `outcome`: of a check of the same function just made, to save checking again.

    child: the module that the timing process runs.

    Returns: Speed. graded is False, with the reason in `says`, where there is no GPU, no speed policy, or no right
    answer to time.
    """
    program = function if isinstance(function, Program) else program_of(function)
    if exercise.speed is None:
        return Speed(False, f"{exercise.function} has no speed points: its idea shows in the counters, not the clock.")
    points = exercise.speed.points
    outcome = outcome or _check(exercise, program)
    if not is_right(outcome):
        return Speed(
            False,
            f"{exercise.function} is not right yet, so there is nothing to time: run q.check.",
            max_points=points,
        )
    if not backend.gpu_available():
        return Speed(
            False,
            _without_gpu(exercise, outcome),
            max_points=points,
            details={"counters": outcome.facts.get("counters", {}), "least_times": least_times(exercise)},
        )
    result = measure(exercise, program, child=child)
    if "error" in result:
        return Speed(False, f"Timing did not end well: {result['error']}.", max_points=points, details=result)
    return graded(exercise, result)


def is_right(outcome: Outcome) -> bool:
    """True for a right answer, also one that only misses a budget: it may be timed."""
    return outcome.passed or outcome.costly


def measure(exercise: Exercise, program: Program, sizes: dict[str, int] | None = None, child: str = CHILD) -> dict:
    """Time a program in a child process. Returns the child's answer, or {"error": ...} where it died or hung."""
    solution = reference.solution_program(exercise)
    job = {
        "exercise": exercise.id,
        "program": program.to_json(),
        "reference": solution.to_json() if solution else None,
        "sizes": sizes,
    }
    command = [sys.executable, "-m", child]
    try:
        done = subprocess.run(command, input=json.dumps(job), capture_output=True, text=True, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return {"error": f"no answer within {TIMEOUT_S} s; does the kernel end for large arrays"}
    try:
        answer = json.loads(done.stdout)  # all of it: nobody else may write there
    except ValueError:
        answer = None
    if done.returncode or not isinstance(answer, dict):
        tail = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return {"error": f"the timing process ended with code {done.returncode} ({tail})"}
    return answer


def graded(exercise: Exercise, result: dict) -> Speed:
    """The Speed for a child's answer. Wrong outputs at the timed size earn nothing and are told."""
    times = {name: float(np.median(samples)) for name, samples in result["times_us"].items()}
    rate = result["bytes"] / times["yours"] / 1e3
    copy_rate = result["bytes"] / times["copy"] / 1e3
    common = {
        "time_us": times["yours"],
        "reference_us": times.get("reference"),
        "naive_us": times.get("naive"),
        "rate_gbs": rate,
        "copy_rate_gbs": copy_rate,
        "max_points": exercise.speed.points,
        "device": result["device"],
    }
    details = {"sizes": result["sizes"], "rounds": len(result["times_us"]["yours"]), "bytes": result["bytes"]}
    details["libraries"] = {result["library"]: times[result["library"]]} if result["library"] else {}
    if result["wrong"]["yours"] or not result["inputs_intact"]:
        wrong = result["wrong"]["yours"]
        says = f"At the timed size ({_sizes(result)}) {wrong:,} elements are wrong: speed counts only when right."
        return Speed(False, says, details=details, **common)
    where = f"{rate:,.0f} GB/s, {rate / copy_rate:.0%} of what this {result['device']} copies ({_sizes(result)})."
    if "reference" not in times or "naive" not in times:
        return Speed(
            False,
            f"{where} Not graded: there is no reference here to compare with.",
            details=details,
            **common,
        )
    ratio = paired_ratio(result["times_us"]["yours"], result["times_us"]["reference"])
    details["ratio_to_reference"] = vars(ratio)
    marks = grade(exercise.speed, times["reference"] * ratio.median, times["reference"], times["naive"])
    details["contrast"] = marks.contrast
    faster = times["naive"] / times["yours"]
    says = f"{where} {faster:.2f}x the naive version's speed, {1 / ratio.median:.0%} of the reference's."
    return Speed(True, says, position=marks.position, points=marks.points, details=details, **common)


def _sizes(result: dict) -> str:
    return ", ".join(f"{name} = {size:,}" for name, size in result["sizes"].items())


def _check(exercise: Exercise, program: Program) -> Outcome:
    from autograder import judge

    return judge.check(exercise, program)


def _without_gpu(exercise: Exercise, outcome: Outcome) -> str:
    """What can be said without a clock: the counters that speed will follow."""
    counted = outcome.facts.get("predictions", {})
    counters = "; ".join(f"{value:g} {name.replace('_', ' ')}" for name, value in counted.items())
    said = f"{NOT_HERE} What the interpreter counted: {counters}." if counters else NOT_HERE
    return f"{said} {_asked_for(exercise, outcome)}".strip()


def _asked_for(exercise: Exercise, outcome: Outcome) -> str:
    """The bytes of the sectors that the kernel touches, against those that have to move; "" where none was counted."""
    case = next((case for case in exercise.cases if case.name == predict_case_name(exercise)), None)
    counters = outcome.facts.get("counters", {})
    if case is None or not counters:
        return ""
    ratio = measure_counter("bytes_over_compulsory", counters, compulsory_bytes(exercise, make_values(exercise, case)))
    return f"At {case.name} its sectors carry {ratio:.3g} times the bytes that have to move; ideal is 1."
