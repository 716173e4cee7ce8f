"""One thing to write cold, as a contract that the judge checks; the course's exercises are built of the same parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from autograder.contract import Argument, Budget, Case, Exercise, Hint
from autograder.drills.deck.yaml_file import content_of
from autograder.running.cases.domain import Domain

OUTLINES = Path(__file__).with_name("outlines_zh.yaml")


@cache
def _chinese() -> dict[str, str]:
    """Comments of outlines in Chinese, by what they say in English."""
    return content_of(OUTLINES)


NO_HINT = (Hint("start", ("Say aloud which thread reads what, and who may not.",)),)


@dataclass(frozen=True)
class Task:
    """A contract and the first lines that a learner is given: names of constants, the signature, the launch."""

    name: str
    exercise: Exercise
    outline: str

    def outline_in(self, language: str) -> str:
        """The first lines with their comments in the learner's language; in both, one under the other."""
        lines = []
        for line in self.outline.splitlines():
            chinese = _chinese().get(line.removeprefix("# "), "") if line.startswith("# ") else ""
            if language != "zh" or not chinese:
                lines.append(line)
            if language != "en" and chinese:
                lines.append(f"# {chinese}")
        return "\n".join(lines) + "\n"


def task(
    name: str,
    arguments: tuple[Argument, ...],
    make: Callable,
    oracle: Callable,
    sizes: tuple[Mapping[str, int], ...],
    launch: Callable,
    outline: str,
    *,
    bound: Callable | None = None,
    budgets: tuple[Budget, ...] = (),
    values: str = "exact",
    free_sizes: tuple[str, ...] = ("n", "n_rows", "n_cols"),
    domain: Domain | None = None,
) -> Task:
    """A task whose function bears its name. sizes: of the cases; values: "exact" or "general", which needs a bound.

    free_sizes: those that may be any number; domain: what may come, from which corners follow.
    """
    exercise = Exercise(
        id=f"drills.{name}",
        unit="drills",
        title=name.replace("_", " "),
        task=outline.splitlines()[0].lstrip("# "),
        function=name,
        arguments=arguments,
        make=make,
        oracle=oracle,
        cases=tuple(Case(size, values) for size in sizes),
        points=1.0,
        hints=NO_HINT,
        topics=(),
        launch=launch,
        bound=bound,
        budgets=budgets,
        free_sizes=free_sizes,
        domain=domain or Domain(),
    )
    return Task(name, exercise, outline.strip("\n") + "\n")


def whole(rng: np.random.Generator, *shape: int, dtype: str = "float32", top: int = 100) -> np.ndarray:
    """Halves from -top to top, so that every order of adding gives the same bytes; of integers, whole numbers.

    An element that goes through an int on its way loses its half.
    """
    if not dtype.startswith("float"):
        return rng.integers(-top, top + 1, shape).astype(dtype)
    return (rng.integers(-2 * top, 2 * top + 1, shape) / 2).astype(dtype)


SRC_DST = (Argument("src", "in", "float32", "(n,)"), Argument("dst", "out", "float32", "(n,)"))


def make_src_dst(sizes, values, rng) -> dict:
    """What SRC_DST says: src of exact numbers, dst of zeros."""
    return {"src": whole(rng, sizes["n"]), "dst": np.zeros(sizes["n"], np.float32)}


def ceil_div(n: int, size: int) -> int:
    return -(-n // size)


def covering(n: int, threads: int) -> tuple[int, int]:
    """Grid and block with a thread for each of n elements; one block at least."""
    return max(1, ceil_div(n, threads)), threads


RAGGED = ({"n": 1}, {"n": 255}, {"n": 256}, {"n": 1025})
