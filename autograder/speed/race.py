"""`q.race`: time a right answer against the reference, the naive version and a copy, and grade where it lands."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from autograder import plain_data
from autograder.answer import reference
from autograder.answer.globals_as_source import program_of
from autograder.answer.program import Program
from autograder.contract import Exercise
from autograder.diagnosis.budget import compulsory_bytes, predict_case_name
from autograder.diagnosis.budget import measure as measure_counter
from autograder.diagnosis.capability import gpu_runs
from autograder.outcome import Outcome, Speed
from autograder.running.buffers import make_values
from autograder.speed import canary
from autograder.speed.decision import Decision, decision, is_hopeless
from autograder.speed.floors import OF_THE_MACHINE, Doubt, doubts
from autograder.speed.footprint import Device
from autograder.speed.least_times import least_times
from autograder.speed.points import grade
from autograder.speed.rounds import BORDERLINE, MISSED
from autograder.words import count_text

TIMEOUT_S = 180
CHILD = "autograder.speed.child"  # the module that a timing process runs
TRIES = 3  # of a timing that a busy machine may have spoiled
NOT_BELIEVED = "This time is for your instructor to look at, and says nothing against your answer:"
TOO_CLOSE = "After {rounds} rounds it is too close to the line of full points to tell on which side, so it has them."
STOPPED_S = "stopped_s"  # of a timing: after so many seconds a launch of the answer was stopped
STOPPED = (
    "Too slow: one launch at the timed size ({sizes}) had not ended after {seconds:.0f} s and was stopped{others}. "
    "Whether its result is right there is not known. The points for a right answer stay: it was judged at other sizes."
)
SLOW = 10.0  # times the reference's time: from there on both are said beside each other
NOT_HERE = "Speed is not graded here: this machine has no GPU, and a time is never guessed."


def race(
    exercise: Exercise,
    function: Callable | Program,
    outcome: Outcome | None = None,
    timing: Callable[[Exercise, Program], dict] | None = None,
) -> Speed:
    """Time `function` on this GPU. `outcome`: of a check of the same function just made, to save checking again.

    timing: what takes the times, by default `measure`.

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
            f"{exercise.function} is not right yet, so there is nothing to time.",
            max_points=points,
        )
    if not gpu_runs(exercise):
        return Speed(
            False,
            _without_gpu(exercise, outcome),
            max_points=points,
            details={"counters": outcome.facts.get("counters", {}), "least_times": least_times(exercise)},
        )
    for _ in range(TRIES):
        result = (timing or measure)(exercise, program)
        if "error" in result:
            return Speed(False, f"Timing did not end well: {result['error']}.", max_points=points, details=result)
        if STOPPED_S in result or result["wrong"]["yours"] or not _may_be_the_machine(exercise, result):
            break
    return graded(exercise, result)


def _may_be_the_machine(exercise: Exercise, result: dict) -> bool:
    """Whether another try may tell more."""
    found = decision(exercise.speed, result["times_us"])
    return any(doubt.kind in OF_THE_MACHINE for doubt in _doubts(result, found))


def _doubts(result: dict, found: Decision | None) -> list[Doubt]:
    """Why a time is not believed; no reason counts where the answer is slower than any noise could make it."""
    return [] if is_hopeless(result["times_us"]) else doubts(result, _device(result), found)


def is_right(outcome: Outcome) -> bool:
    """True for a right answer, also one that only misses a budget: it may be timed."""
    return outcome.passed or outcome.costly


def measure(
    exercise: Exercise,
    program: Program,
    sizes: dict[str, int] | None = None,
    child: str = CHILD,
    more: Mapping[str, Program] = MappingProxyType({}),
    max_seconds: float | None = None,
) -> dict:
    """Time a program in a child process, and `more` of them, by name, in the same rounds.

    max_seconds: of rounds; default: the child's own.
    Returns: the child's answer, or {"error": ...} where it died or hung.
    """
    solution = reference.solution_program(exercise)
    job = {
        "exercise": exercise.id,
        "program": program.to_json(),
        "reference": solution.to_json() if solution else None,
        "sizes": sizes,
        "more": {name: each.to_json() for name, each in more.items()},
    } | ({} if max_seconds is None else {"max_seconds": max_seconds})
    command = [sys.executable, "-m", child]
    try:
        done = subprocess.run(command, input=json.dumps(job), capture_output=True, text=True, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        canary.ask_for_one("a timing process hung")
        return {"error": f"no answer within {TIMEOUT_S} s; does the kernel end for large arrays"}
    try:
        answer = json.loads(done.stdout)  # all of it: nobody else may write there
    except ValueError:
        answer = None
    if done.returncode < 0:
        canary.ask_for_one("a timing process was killed")
    if done.returncode or not isinstance(answer, dict):
        tail = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return {"error": f"the timing process ended with code {done.returncode} ({tail})"}
    return answer


def graded(exercise: Exercise, result: dict) -> Speed:
    """The Speed for a child's answer. Wrong outputs at the timed size earn nothing and are told."""
    if STOPPED_S in result:
        return _stopped(exercise, result)
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
        "details": _details(result, times),
    }
    if result["wrong"]["yours"] or not result["inputs_intact"]:
        wrong = result["wrong"]["yours"]
        elements = f"{count_text(wrong, 'element')} {'is' if wrong == 1 else 'are'}"
        says = f"At the timed size ({_sizes(result)}) {elements} wrong: speed counts only when right."
        return Speed(False, says, **common)
    where = f"{rate:,.0f} GB/s, {rate / copy_rate:.0%} of what this {result['device']} copies ({_sizes(result)})."
    found = decision(exercise.speed, result["times_us"])
    doubted = "; ".join(doubt.says for doubt in _doubts(result, found))
    if doubted:
        return Speed(False, f"{where} {NOT_BELIEVED} {doubted}.", review=doubted, **common)
    if found is None:
        return Speed(False, f"{where} Not graded: there is no reference here to compare with.", **common)
    full = found.side != MISSED
    marks = grade(exercise.speed, found.ratio.median, found.contrast, full)
    common["details"] |= {"decision": plain_data.to_json(found), "contrast": found.contrast}
    common["details"]["ratio_to_reference"] = vars(found.ratio)
    faster = times["naive"] / times["yours"]
    says = f"{where} {faster:.2f}x the naive version's speed, {1 / found.ratio.median:.0%} of the reference's."
    if found.ratio.median >= SLOW:
        says += f" A launch takes {_in_ms(times['yours'])}, where the reference takes {_in_ms(times['reference'])}."
    if found.side == BORDERLINE:
        says += f" {TOO_CLOSE.format(rounds=found.ratio.rounds)}"
    return Speed(True, says, position=marks.position, points=marks.points, **common)


def _stopped(exercise: Exercise, result: dict) -> Speed:
    """No speed points for an answer that had to be stopped while the device did all else as it should."""
    times = {name: float(np.median(samples)) for name, samples in result["times_us"].items() if len(samples)}
    known = {name: times[name] for name in ("reference", "naive") if name in times}
    words = {"reference": "the reference takes", "naive": "the naive version"}
    others = " and ".join(f"{words[name]} {_in_ms(time_us)}" for name, time_us in known.items())
    says = STOPPED.format(sizes=_sizes(result), seconds=result[STOPPED_S], others=f", where {others}" if others else "")
    details = {"sizes": result["sizes"], STOPPED_S: result[STOPPED_S], "bytes": result["bytes"]}
    return Speed(
        True,
        says,
        reference_us=known.get("reference"),
        naive_us=known.get("naive"),
        max_points=exercise.speed.points,
        device=result["device"],
        details=details,
    )


def _in_ms(time_us: float) -> str:
    return f"{time_us / 1e3:,.0f} ms" if time_us >= 1e5 else f"{time_us / 1e3:.3g} ms"


def _details(result: dict, times: dict[str, float]) -> dict[str, Any]:
    """What a verdict on speed is made from: sizes, every sample, and the device that took them."""
    details = {"sizes": result["sizes"], "rounds": len(result["times_us"]["yours"]), "bytes": result["bytes"]}
    details["libraries"] = {result["library"]: times[result["library"]]} if result["library"] else {}
    details["samples_us"] = {name: [round(time_us, 2) for time_us in s] for name, s in result["times_us"].items()}
    return details | {name: result[name] for name in ("profile",) if name in result}


def _device(result: dict) -> Device:
    """The device as it was measured where the times were. A child of ours said it."""
    if "profile" in result:
        return plain_data.from_json(Device, result["profile"])
    return Device(result["device"], (0, 0), 0, 0, 0.0)


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
