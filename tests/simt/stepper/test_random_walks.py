"""Random programs stepped through: each thread passes the lines, with the variables, that Python alone shows for it."""

from __future__ import annotations

import sys
from itertools import groupby

import numpy as np
import pytest

import simt
from simt.cuda_api import cuda
from tests.simt.test_random_programs import OneThread, Writer, define

N = 37
THREADS = (0, 1, 17, 36)


def lines_of_python(kernel, index: int, src, out) -> list[tuple[int, dict[str, int]]]:
    """(line, variables before it) of everything that one thread's kernel executes, its helper's lines left out."""
    seen = []

    def watch(frame, event, _):
        if frame.f_code is not kernel.__code__:
            return None
        if event == "line":
            seen.append((frame.f_lineno, {k: v for k, v in frame.f_locals.items() if k not in ("src", "out")}))
        return watch

    kernel.__globals__["cuda"] = OneThread(index)
    before = sys.gettrace()
    sys.settrace(watch)
    try:
        kernel(src, out)
    finally:
        sys.settrace(before)
    return seen


def lines_of_walk(walk, thread: int) -> list[tuple[int, dict[str, int]]]:
    """The same as a walk through the block shows it."""
    seen = []
    for position, step in enumerate(walk.steps):
        if step.active[thread] and step.depth == 0:
            known = walk.variables_of(position - 1, "kernel", 0, thread) if position else []
            seen.append((step.line, {one.name: int(one.value) for one in known if one.name not in ("src", "out")}))
    return seen


def once(lines):
    """Lines that follow one another with the same number as one: after a call, a line goes on in a step of its own."""
    return [next(group) for _, group in groupby(lines, key=lambda line: line[0])]


@pytest.mark.parametrize("seed", range(12))
def test_a_thread_passes_the_lines_and_values_that_it_has_alone(seed):
    text = Writer(seed).program()
    src = np.random.default_rng(seed).integers(0, 100, N)
    walk = simt.step(define(text, cuda), 1, 64, src, np.zeros((N, 3), np.int64), steps=100_000, races=False)
    alone = define(text, None)

    for thread in THREADS:
        with np.errstate(over="ignore"):
            expected = lines_of_python(alone, thread, src, np.zeros((N, 3), np.int64))
        assert once(expected) == once(lines_of_walk(walk, thread)), text
