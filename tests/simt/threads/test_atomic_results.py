"""What an atomic gives back is what was there before it: lane after lane, however many meet on one cell."""

import numpy as np
import pytest
from numba import cuda

import simt
from simt.threads import atomics

CELLS = 7


@cuda.jit
def add(cells, values, found, bins):
    i = cuda.grid(1)
    if i < cells.size:
        found[i] = cuda.atomic.add(bins, cells[i], values[i])


@cuda.jit
def sub(cells, values, found, bins):
    i = cuda.grid(1)
    if i < cells.size:
        found[i] = cuda.atomic.sub(bins, cells[i], values[i])


@cuda.jit
def maximum(cells, values, found, bins):
    i = cuda.grid(1)
    if i < cells.size:
        found[i] = cuda.atomic.max(bins, cells[i], values[i])


@cuda.jit
def minimum(cells, values, found, bins):
    i = cuda.grid(1)
    if i < cells.size:
        found[i] = cuda.atomic.min(bins, cells[i], values[i])


@cuda.jit
def nanmax(cells, values, found, bins):
    i = cuda.grid(1)
    if i < cells.size:
        found[i] = cuda.atomic.nanmax(bins, cells[i], values[i])


@cuda.jit
def xor(cells, values, found, bins):
    i = cuda.grid(1)
    if i < cells.size:
        found[i] = cuda.atomic.xor(bins, cells[i], values[i])


@cuda.jit
def exch(cells, values, found, bins):
    i = cuda.grid(1)
    if i < cells.size:
        found[i] = cuda.atomic.exch(bins, cells[i], values[i])


@cuda.jit
def inc(cells, values, found, bins):
    i = cuda.grid(1)
    if i < cells.size:
        found[i] = cuda.atomic.inc(bins, cells[i], values[i])


@cuda.jit
def dec(cells, values, found, bins):
    i = cuda.grid(1)
    if i < cells.size:
        found[i] = cuda.atomic.dec(bins, cells[i], values[i])


@cuda.jit
def cas(cells, values, found, bins):
    i = cuda.grid(1)
    if i < cells.size:
        found[i] = cuda.atomic.cas(bins, cells[i], values[i], values[i] + 1)


def larger(old, value):
    return old if np.isnan(value) else np.maximum(old, value)


def smaller(old, value):
    return old if np.isnan(value) else np.minimum(old, value)


ONE_LANE = {
    add: lambda old, value: old + value,
    sub: lambda old, value: old - value,
    maximum: larger,
    minimum: smaller,
    nanmax: np.fmax,
    xor: lambda old, value: old ^ value,
    exch: lambda old, value: value,
    inc: lambda old, value: type(old)(0) if old >= value else old + type(old)(1),
    dec: lambda old, value: value if old == 0 or old > value else old - type(old)(1),
    cas: lambda old, value: value + type(old)(1) if old == value else old,
}
TYPES = {xor: ("int32", "uint64"), exch: ("int64",), inc: ("uint32",), dec: ("uint64",), cas: ("int32", "int64")}
PAIRS = [(kernel, dtype) for kernel in ONE_LANE for dtype in TYPES.get(kernel, ("float32", "float64", "int32"))]


@pytest.mark.parametrize(("kernel", "dtype"), PAIRS, ids=[f"{kernel.__name__}-{dtype}" for kernel, dtype in PAIRS])
@pytest.mark.parametrize("hot", [0.0, 0.9, 1.0], ids=["spread", "mostly_one_cell", "one_cell"])
@pytest.mark.parametrize("n", [1, atomics.FEW, atomics.FEW + 1, 700])
def test_each_lane_finds_what_the_lanes_before_it_left(kernel, dtype, hot, n):
    rng = np.random.default_rng(3)
    cells = np.where(rng.random(n) < hot, 0, rng.integers(0, CELLS, n)).astype(np.int32)
    values = (rng.random(n) * 9).astype(dtype)
    if values.dtype.kind == "f":
        values[rng.random(n) < 0.05] = np.nan if kernel in (maximum, minimum, nanmax) else -1e8
    start = (rng.random(CELLS) * 5).astype(dtype)
    expected_bins, expected = start.copy(), np.empty(n, dtype)
    with np.errstate(all="ignore"):
        for i in range(n):
            expected[i] = expected_bins[cells[i]]
            expected_bins[cells[i]] = ONE_LANE[kernel](expected_bins[cells[i]], values[i])

    found, bins = np.zeros(n, dtype), start.copy()
    simt.launch(kernel, 3, 256, cells, values, found, bins)

    np.testing.assert_array_equal(expected, found)
    np.testing.assert_array_equal(expected_bins, bins)


@pytest.mark.parametrize("n", [8, 90, 3000])
@pytest.mark.parametrize("kinds", [1, 2, 5, 3000], ids="{} values".format)
@pytest.mark.parametrize("places", [1, 40])
@pytest.mark.parametrize("held", [0, -1])
def test_swaps_win_and_lose_in_the_order_of_lanes(n, kinds, places, held):
    """Also where each is what the next one waits for, as many winners as lanes; and where nobody wins, as of -1."""
    rng = np.random.default_rng(n + kinds + places)
    cells = rng.integers(0, places, n).astype(np.int32)
    values = (np.arange(n) // places % kinds).astype(np.int64)
    start = np.full(places, held, np.int64)
    expected_bins, expected, any_won = start.copy(), np.empty(n, np.int64), False
    for i in range(n):
        expected[i] = expected_bins[cells[i]]
        any_won = any_won or expected[i] == values[i]
        expected_bins[cells[i]] = ONE_LANE[cas](expected_bins[cells[i]], values[i])

    bins = start.copy()
    found, changed = atomics._serialise(bins, "cas", cells.astype(np.int64), values + 1, values)

    np.testing.assert_array_equal(expected, found)
    np.testing.assert_array_equal(expected_bins, bins)
    assert any_won == changed and found.dtype == bins.dtype


def test_no_number_of_lanes_on_one_cell_takes_more_than_some_rounds(monkeypatch):
    """A round looks at every lane, so one for each lane would take time that grows with their square."""
    rounds = []

    def counted(operation):
        return lambda current, operand: rounds.append(len(operand)) or current + operand

    monkeypatch.setattr(atomics, "_step", counted)
    n = 1 << 14
    cells, found, bins = np.where(np.arange(n) % 2, 0, np.arange(n) % 1000), np.zeros(n, np.float32), np.zeros(1000)
    simt.launch(add, n // 256, 256, cells, np.ones(n, np.float32), found, bins.astype(np.float32))

    assert 0 < len(rounds) <= atomics.MOST_ROUNDS
