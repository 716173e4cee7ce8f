"""How alike honest answers are, and how alike copies in disguise stay, on the catalogue of answers that people write.

    python -m benchmarks.similarity

Every two right answers to one exercise are an honest pair; every right answer and itself in disguise (renamed,
statements reordered, operands of + and * exchanged, formatted anew) are a copy. Prints both distributions, and how
many of each `warpbook similar` would list; writes benchmarks/results/similarity.json. Six minutes of one core, no GPU.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from itertools import combinations
from pathlib import Path

import numpy as np

from autograder import exercises
from autograder.answer.program import Program
from autograder.answer.reference import solution_program, solution_source
from autograder.classroom import course
from autograder.classroom.alike import likeness
from autograder.contract import Exercise
from autograder.exercises.answer_cells import cell_of
from autograder.exercises.catalogue import answers_for
from autograder.running.compiled import compile_kernel
from tools.matrices.disguise import disguised

RESULTS = Path(__file__).parent / "results" / "similarity.json"
QUANTILES = (0.0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0)


@dataclass(frozen=True)
class Pair:
    """Two answers as they would be compared. compiled: None where opcodes tell nothing."""

    exercise: str
    names: tuple[str, str]
    share: float
    shared: int
    compiled: float | None

    @property
    def listed(self) -> bool:
        return likeness.is_alike(self.share, self.shared, self.compiled)


@dataclass(frozen=True)
class Told:
    """The grams of an answer that are its own."""

    name: str
    syntax: set
    code: set


def pairs_of(exercise: Exercise, most: int = 99) -> tuple[list[Pair], list[Pair]]:
    """The honest pairs and the copies of one exercise. most: right answers that are looked at."""
    known = set(likeness.grams(solution_source(exercise) or ""))
    known_code = set(likeness.opcode_grams(_opcodes(exercise, solution_program(exercise))))
    honest, copies = [], []
    for name, source, copied in _answers(exercise, most):
        for where, text in ((honest, source), (copies, copied)):
            program = Program(text, exercise.function, setup=course.unit(exercise.unit).setup)
            code = set(likeness.opcode_grams(_opcodes(exercise, program))) - known_code
            where.append(Told(name, set(likeness.grams(text)) - known, code))
    return (
        [_pair(exercise, one, other) for one, other in combinations(honest, 2)],
        [_pair(exercise, one, other) for one, other in zip(honest, copies, strict=True)],
    )


def _answers(exercise: Exercise, most: int) -> Iterator[tuple[str, str, str]]:
    """Right answers: the name of each, its cell, and the cell in disguise."""
    setup = [piece.source for piece in course.unit(exercise.unit).setup]
    right = [answer for answer in answers_for(exercise) if answer.outcome == "Passed" and not answer.class_refuses]
    for answer in right[:most]:
        source = cell_of(answer, setup)
        yield answer.name, source, disguised(source)


def _opcodes(exercise: Exercise, program: Program) -> str:
    with program.loaded() as (_, kernel):
        return compile_kernel(exercise, kernel).opcodes


def _pair(exercise: Exercise, one: Told, other: Told) -> Pair:
    share, shared = likeness.share_of(one.syntax, other.syntax), len(one.syntax & other.syntax)
    return Pair(exercise.id, (one.name, other.name), share, shared, likeness.compiled_share(one.code, other.code))


def summary(pairs: list[Pair]) -> dict:
    """Counts and quantiles, JSON-ready."""
    code = [pair.compiled for pair in pairs if pair.compiled is not None]
    return {
        "pairs": len(pairs),
        "listed": sum(pair.listed for pair in pairs),
        "quantiles": list(QUANTILES),
        "syntax": np.quantile([pair.share for pair in pairs], QUANTILES).round(2).tolist(),
        "with_telling_opcodes": len(code),
        "opcodes": np.quantile(code, QUANTILES).round(2).tolist(),
    }


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, write."""
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args(arguments)
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    honest: list[Pair] = []
    copies: list[Pair] = []
    for exercise in exercises.all_exercises():
        if exercise.kind == "kernel":
            more, more_copies = pairs_of(exercise)
            honest += more
            copies += more_copies
    names = ["N", "LEAST_SHARED", "LEAST_OPCODES", "LEAST_SHARE", "LEAST_OF_SYNTAX", "LEAST_SHARE_ALONE"]
    names += ["SAME_SHARE", "SAME_SHARED"]
    document = {
        "date": date.today().isoformat(),
        "versions": {name: version(name) for name in ("numba", "numba-cuda")},
        "thresholds": {name.lower(): getattr(likeness, name) for name in names},
        "honest": summary(honest),
        "copies": summary(copies),
        "honest_listed": [[pair.exercise, *pair.names] for pair in honest if pair.listed],
        "copies_not_listed": [[pair.exercise, pair.names[0]] for pair in copies if not pair.listed],
    }
    RESULTS.write_text(json.dumps(document, indent=1) + "\n")
    for kind in ("honest", "copies"):
        print(f"{kind:<7} {document[kind]}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
