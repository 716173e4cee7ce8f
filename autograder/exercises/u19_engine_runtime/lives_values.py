"""Inputs, oracle and cases of unit 19's tensor_lives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autograder.contract import Argument, Case, Sizes, Values

KERNEL, VIEW, IN_PLACE = range(3)  # kinds of a step
NONE = -1
LIVES_ARGUMENTS = (
    Argument(
        "steps", "in", "int64", "(n, 4)", "step i writes tensor i: kind, two tensors it reads or -1, output or not"
    ),
    Argument(
        "place", "out", "int64", "(n,)", "the tensor in whose bytes each one lies: its own number for a new place"
    ),
    Argument(
        "last", "out", "int64", "(n,)", "the last step that reads anything in a place, n for an output; -1 if none"
    ),
)


@dataclass(frozen=True)
class Living:
    """What of the rules is followed; all of them, for a right answer."""

    views: bool = True  # a view lies where its operand does
    in_place: bool = True  # a step may write over its first operand
    asks: bool = True  # if nobody reads that any more
    whole_place: bool = True  # nor anything else that lies there
    readers_of_all: bool = True  # a place lives until all in it were read
    outputs: bool = True  # an output lives to the end
    second: bool = True  # the second operand is read, too


RIGHT = Living()


def lived(values: Values, ways: Living = RIGHT) -> dict:
    """place and last, (n,) int64."""
    steps = values["steps"].tolist()
    n = len(steps)
    read = list(range(n))
    for i, (_, a, b, _) in enumerate(steps):
        for tensor in (a, b) if ways.second else (a,):
            if 0 <= tensor < i:  # a picture asks about numbers that no step has, too
                read[tensor] = i
    if ways.outputs:
        read = [n if step[3] else until for step, until in zip(steps, read, strict=True)]
    place, until = list(range(n)), list(range(n))
    for i, (kind, a, _, _) in enumerate(steps):
        there = 0 <= a < i
        free = there and (not ways.asks or (until[place[a]] if ways.whole_place else read[a]) <= i)
        if there and (kind == VIEW and ways.views or kind == IN_PLACE and ways.in_place and free):
            place[i] = place[a]
        if place[i] == i or ways.readers_of_all:
            until[place[i]] = max(until[place[i]], read[i])
    last = [until[i] if place[i] == i else NONE for i in range(n)]
    return {"place": np.array(place, np.int64), "last": np.array(last, np.int64)}


def make_lives(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """Steps that read what came shortly before, some twice, some nothing; the last one and a few more are outputs."""
    n = sizes["n"]
    steps = np.zeros((n, 4), np.int64)
    steps[:, 0] = rng.choice([KERNEL, VIEW, VIEW, IN_PLACE, IN_PLACE], n)
    back = np.arange(n)[:, None] - 1 - rng.integers(0, 3, (n, 2))
    steps[:, 1:3] = np.where(back < 0, NONE, back)
    steps[rng.random(n) < 0.5, 2] = NONE
    steps[steps[:, 0] == VIEW, 2] = NONE
    steps[:, 3] = rng.random(n) < 0.1
    steps[-1, 3] = 1
    return {"steps": steps, "place": np.zeros(n, np.int64), "last": np.zeros(n, np.int64)}


LIVES_CASES = tuple(Case({"n": n}, trace=False) for n in (12, 1, 2, 5, 30, 60, 100))
