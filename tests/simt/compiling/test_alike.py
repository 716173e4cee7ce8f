"""Items of a tuple that are one formula give the same bits, types and counters together as one after the other."""

import numpy as np
import pytest

import simt
from simt.compiling.operands import alike
from simt.cuda_api import cuda
from simt.numerics.operators import binary


def scaled(row, x, y):
    return (row[0] + x * y[0], row[1] + x * y[1], row[2] + x * y[2], row[3] + x * y[3])


def of_lanes(src, out):
    i = cuda.grid(1)
    if i < 77:
        a, b, c, d = src[i], src[i + 1], src[i + 2], src[i + 3]
        x = scaled((a, b, c, d), src[i + 4], (d, c, b, a))
        x = scaled(x, 2, x)
        out[i] = x[0] - x[1] + x[2] * x[3]


def of_one_number(src, out):
    i = cuda.grid(1)
    zero = src[0] - src[0]
    x = scaled((zero, zero, zero, zero), src[i], (3, 4, 5, 6))
    out[i] = x[0] + x[3]


def of_several_types(src, out):
    i = cuda.grid(1)
    a, whole = src[i], i * 3
    x = (a + whole, whole + whole, a + a, whole + a)
    y = (x[0] * x[1], x[1] * x[1], x[2] * x[1], x[3] * x[1])
    out[i] = y[0] + y[1] - y[2] * y[3]


def of_branches(src, out):
    i = cuda.grid(1)
    x = (src[i], src[i], src[i])
    if i % 3:
        x = (x[0] * x[1], x[1] * x[2], x[2] * x[0])
    for k in range(i % 5):
        x = (x[0] - k, x[1] - k, x[2] - k)
    out[i] = x[0] + x[1] * x[2]


def told(kernel, src, most: int, monkeypatch):
    """The output and the counters by expression, with so many lanes at most side by side."""
    monkeypatch.setattr(alike, "MOST_LANES", most)
    out = np.zeros(96, np.float64 if src.dtype.kind == "f" else np.int64)
    trace = simt.trace(kernel, 3, 32, src, out)
    assert not trace.findings
    return out, trace.by_site()


@pytest.mark.parametrize("kernel", [of_lanes, of_several_types, of_branches])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int32", "uint8", "int64"])
def test_together_gives_what_one_after_the_other_gives(kernel, dtype, monkeypatch):
    rng = np.random.default_rng(3)
    src = rng.integers(0, 200, 128).astype(dtype)
    if src.dtype.kind == "f":
        src = (rng.standard_normal(128) * 50).astype(dtype)
        src[[5, 40, 41]] = np.nan, np.inf, -np.inf

    apart, rows_apart = told(kernel, src, -1, monkeypatch)
    together, rows = told(kernel, src, 4096, monkeypatch)

    assert apart.tobytes() == together.tobytes() and rows_apart == rows


def test_an_operand_that_is_one_number_for_all_is_one_for_each_item(monkeypatch):
    src = np.linspace(-3, 3, 96, dtype=np.float32)

    assert (
        told(of_one_number, src, -1, monkeypatch)[0].tobytes()
        == told(of_one_number, src, 4096, monkeypatch)[0].tobytes()
    )


def test_each_operator_of_such_a_tuple_runs_once(monkeypatch):
    ran: list[str] = []
    monkeypatch.setattr(alike, "binary", lambda symbol, *operands: ran.append(symbol) or binary(symbol, *operands))
    simt.launch(of_lanes, 3, 32, np.ones(128, np.float32), np.zeros(96, np.float32))

    assert ["*", "+"] * 2 == ran
