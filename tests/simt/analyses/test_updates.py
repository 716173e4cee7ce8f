"""A lost update is told with the atomic that does what the line does, and not always with add."""

import ast

import numpy as np
import pytest

import simt
from simt.cuda_api import cuda
from simt.source.updates import updates_of

WRITTEN = {
    "m[b] += v": "add",
    "m[b] = m[b] + v": "add",
    "m[b] -= v": "sub",
    "m[b] |= v": "or_",
    "m[b] *= v": "compare_and_swap",
    "m[b] = max(v, m[b])": "max",
    "m[b] = math.fmin(m[b], v)": "min",
    "if v > m[b]:\n    m[b] = v": "max",
    "if m[b] <= v:\n    m[b] = v": "max",
    "if v < m[b]:\n    m[b] = v": "min",
    "if v < m[b]:\n    m[c] = v": None,
    "m[b] = m[c] + v": None,
    "m[b] = v": None,
}


@pytest.mark.parametrize("source, atomic", WRITTEN.items(), ids=list(WRITTEN))
def test_the_atomic_of_a_line(source, atomic):
    found = updates_of(list(ast.walk(ast.parse(source))))
    assert {atomic} - {None} == set(found.values())
    assert (source.rfind("m[b]") >= 0) >= bool(found)


@cuda.jit
def largest(x, out):
    i = cuda.grid(1)
    if x[i] > out[0]:
        out[0] = x[i]


def test_a_largest_value_without_an_atomic_is_told_with_max():
    trace = simt.trace(largest, 2, 32, np.random.default_rng(0).random(64), np.zeros(1))
    (race,) = [one for one in trace.findings if one.kind == "race"]
    assert "Do both lines in one atomic, such as cuda.atomic.max(out, index, value)" in race.remedy
