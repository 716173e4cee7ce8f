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
    "if m[b] == 0:\n    m[b] = v": "cas",
    "if m[b] != 0:\n    pass\nm[b] = v": "cas",
    "while m[b] != 0 and m[b] != v:\n    b += 1\nm[b] = v": "cas",
    "if m[b] == 0:\n    m[b] += v": "add",
    "m[b] = v\nif m[b] == 0:\n    pass": None,
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


@cuda.jit
def insert(keys, table):
    key = keys[cuda.grid(1)]
    place = key % table.size
    while table[place] != -1 and table[place] != key:
        place = (place + 1) % table.size
    table[place] = key


def test_a_place_that_is_looked_for_and_taken_is_claimed_by_cas():
    trace = simt.trace(insert, 2, 32, np.random.default_rng(0).integers(0, 1000, 64), np.full(128, -1))
    assert all("cuda.atomic.cas(table, index, old, new)" in one.remedy for one in trace.findings if one.kind == "race")
    assert trace.findings


CELL = np.dtype([("count", np.int32), ("sum", np.float32)], align=True)


@cuda.jit
def sums_by_name(x, cells):
    cells[0].sum += x[cuda.grid(1)]


@cuda.jit
def sums_by_key(x, cells):
    cells[0]["sum"] += x[cuda.grid(1)]


@pytest.mark.parametrize("kernel", [sums_by_name, sums_by_key])
def test_an_atomic_of_a_field_takes_the_field_of_all_records(kernel):
    (race,) = simt.trace(kernel, 2, 32, np.ones(64, np.float32), np.zeros(4, CELL)).findings
    assert 'cuda.atomic.add(cells["sum"], index, value)' in race.remedy
