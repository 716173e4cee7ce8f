"""`warpbook bench --calibrate`: where the line of full points lies on this device, and whether points mean there what
they mean on others.

The naive version, the reference and every right answer of the catalogue are timed in the same rounds. An exercise is
fit for this device when the reference is far enough from the naive version, measurements of it repeat, and each right
answer of the catalogue lies in the band of points in which it lies on other devices.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from autograder import backend, plain_data
from autograder.answer import reference
from autograder.contract import Exercise
from autograder.exercises.catalogue import Answer, answers_for
from autograder.speed.bench import timed_exercises, today, versions
from autograder.speed.decision import Decision, decision
from autograder.speed.points import MIN_CONTRAST, grade, threshold
from autograder.speed.profile import path_of
from autograder.speed.race import measure
from autograder.speed.rounds import MISSED, paired_ratio

BANDS = ((0.999, "full"), (0.5, "most"), (0.001, "some"), (0.0, "none"))  # least share of the points -> its name
REPEATS = 0.03  # width of the interval of naive over reference, at most
FOLDER = "calibration"  # of the files, one a kind of device, beside the profiles


class NothingToTime(LookupError):
    """No exercise with speed points goes by this name; the message says which there are."""


def of_this_device(what: str) -> tuple[dict[str, Any], str]:
    """Calibrate an exercise, a unit or "all" here, and keep what was found. Returns it, and the same in words.

    Raises: NothingToTime.
    """
    timed = timed_exercises()
    chosen = [each for each in timed if what in (each.id, each.unit, "all")]
    if not chosen:
        raise NothingToTime(f"{what!r} has no speed points. There are: {', '.join(each.id for each in timed)}; or all.")
    document = calibrate(chosen)
    if document["device"] is None:
        return document, to_text(document)
    name = re.sub(r"[^a-z0-9]+", "-", document["device"].lower()).strip("-")
    path, others = keep(document, path_of("").parent.parent / FOLDER, name)
    return document, f"{to_text(document, others)}\nKept in {path}"


def calibrate(chosen: Iterable[Exercise], progress: Callable[[str], None] = lambda name: None) -> dict[str, Any]:
    """Time what is known about each exercise on this device.

    Returns: {"device", "date", "versions", "rows": [...]}, each row as `row` makes it, or with "error".
    """
    document: dict[str, Any] = {"device": None, "date": today(), "versions": versions(), "rows": []}
    if not backend.gpu_available():
        return document
    for exercise in chosen:
        progress(exercise.id)
        result = measure(exercise, reference.solution_program(exercise), more=known_answers(exercise))
        document["device"] = result.get("device", document["device"])
        document["rows"].append(row(exercise, result))
    return document


def known_answers(exercise: Exercise) -> dict[str, Any]:
    """Programs by name whose results are right, however slow: those that pass, and those that only miss a budget."""
    costly = {budget.misconception for budget in exercise.budgets}
    return {f"answer {one.name}": one.program for one in answers_for(exercise) if _is_right(one, costly)}


def _is_right(answer: Answer, costly: set[str]) -> bool:
    return answer.outcome == "Passed" or answer.misconception in costly


def row(exercise: Exercise, result: Mapping[str, Any]) -> dict[str, Any]:
    """Where the bands of an exercise begin, and where the known answers lie.

    Returns: {"exercise", "sizes", "contrast", "least_us", "reference_us", "naive_us", "efficiency", "full_us",
    "zero_us", "answers": {name: {"ratio", "position", "share", "band", "side", "rounds"}}, "problems": [sentence]}.
    """
    if "error" in result:
        return {"exercise": exercise.id, "error": result["error"]}
    times = result["times_us"]
    usual = {name: float(np.median(samples)) for name, samples in times.items()}
    against = paired_ratio(*_paired(times["naive"], times["reference"]))
    known = [name for name in result["known"] if not result["wrong"][name]]
    found = {name: decision(exercise.speed, {**times, "yours": times[name]}) for name in known}
    return {
        "exercise": exercise.id,
        "sizes": result["sizes"],
        "contrast": against.median,
        "reference_us": usual["reference"],
        "naive_us": usual["naive"],
        "efficiency": usual["copy"] / usual["reference"],
        "full_us": usual["reference"] * threshold(exercise.speed, against.median),
        "zero_us": usual["reference"] * _zero(exercise, against.median),
        "answers": {name: _said(exercise, each) for name, each in found.items() if each is not None},
        "problems": _problems(against.median, against.width, result),
    }


def _paired(times: list[float], others: list[float]) -> tuple[list[float], list[float]]:
    n = min(len(times), len(others))
    return times[:n], others[:n]


def _zero(exercise: Exercise, contrast: float) -> float:
    """The ratio to the reference from which on there are no points."""
    low, high = 1.0, 100.0 * contrast
    for _ in range(60):
        middle = (low * high) ** 0.5
        low, high = (low, middle) if grade(exercise.speed, middle, contrast).points == 0 else (middle, high)
    return high


def _said(exercise: Exercise, found: Decision) -> dict[str, Any]:
    marks = grade(exercise.speed, found.ratio.median, found.contrast, found.side != MISSED)
    share = marks.points / exercise.speed.points
    return {
        "ratio": found.ratio.median, "position": marks.position, "share": share, "band": band(share),
        "side": found.side, "rounds": found.rounds,
    }  # fmt: skip


def band(share: float) -> str:
    """The name of a share of the points: "full", "most", "some" or "none"."""
    return next(name for least, name in BANDS if share >= least)


def _problems(contrast: float, width: float, result: Mapping[str, Any]) -> list[str]:
    found = []
    if contrast < MIN_CONTRAST:
        found.append(
            f"The naive version takes only {contrast:.2f} times the reference here, so position says little: graded by "
            "the share of the reference's speed."
        )
    if width > REPEATS:
        found.append(f"Naive over reference is known to {width:.0%} only; {REPEATS:.0%} is the most.")
    found += [f"{name} is wrong at the timed size." for name, n_wrong in result["wrong"].items() if n_wrong]
    return found


def changed_bands(here: Mapping[str, Any], elsewhere: Mapping[str, Any]) -> list[str]:
    """Answers that are in another band on another device, as sentences. Both: documents of `calibrate`."""
    others = {row["exercise"]: row for row in elsewhere["rows"] if "error" not in row}
    found = []
    for row_here in here["rows"]:
        known = others.get(row_here["exercise"], {}).get("answers", {})
        for name, said in row_here.get("answers", {}).items():
            if name in known and known[name]["band"] != said["band"]:
                found.append(
                    f"{row_here['exercise']}, {name}: {said['band']} of the points on {here['device']}, "
                    f"{known[name]['band']} on {elsewhere['device']}. The line says something about the device there."
                )
    return found


def to_text(document: Mapping[str, Any], others: Iterable[Mapping[str, Any]] = ()) -> str:
    """The rows as a table, problems below, and what differs from other devices."""
    if document["device"] is None:
        return "No GPU here, so nothing was calibrated. warpbook doctor says what is missing."
    lines = [f"{document['device']}, {document['date']}"]
    lines.append(f"{'exercise':<36}{'contrast':>9}{'full at us':>12}{'none at us':>12}  answers")
    for each in document["rows"]:
        if "error" in each:
            lines.append(f"{each['exercise']:<36} {each['error']}")
            continue
        answers = ", ".join(f"{name} {said['band']}" for name, said in each["answers"].items())
        edges = f"{each['contrast']:>9.2f}{each['full_us']:>12,.1f}{each['zero_us']:>12,.1f}"
        lines.append(f"{each['exercise']:<36}{edges}  {answers}")
        lines += [f"  {problem}" for problem in each["problems"]]
    for other in others:
        lines += changed_bands(document, other)
    return "\n".join(lines)


def keep(document: Mapping[str, Any], folder: Path, name: str) -> tuple[Path, list[dict[str, Any]]]:
    """Write a calibration as `folder`/`name`.json, rows of other exercises kept; and read those of other devices."""
    path = folder / f"{name}.json"
    before = _read(path)
    new = {row["exercise"] for row in document["rows"]}
    rows = [row for row in before.get("rows", []) if row["exercise"] not in new] + list(document["rows"])
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(plain_data.to_json({**document, "rows": rows}), indent=1) + "\n", encoding="utf-8")
    return path, [other for each in sorted(folder.glob("*.json")) if each != path and (other := _read(each))]


def _read(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        return document if {"device", "rows"} <= document.keys() else {}
    except (OSError, ValueError, AttributeError):
        return {}
