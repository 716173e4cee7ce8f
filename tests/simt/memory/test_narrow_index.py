"""Mistakes that show where an index has 32 bits, as in a browser: `take`, `bincount` and `repeat` refuse int64 there.

A simulation, so that every run of the tests sees them. `python tests/simt/run_in_pyodide.py` is the real thing.
"""

from __future__ import annotations

import numpy as np
import pytest

import simt
from benchmarks import bench_simt
from simt.cuda_api import cuda
from simt.memory import shared_local

GIVE_INDICES = ("arange", "flatnonzero", "nonzero", "argsort", "append")  # what gives intp, here of positions


def refuse_wide(indices) -> None:
    """Raise as NumPy does where intp is int32."""
    if getattr(indices, "dtype", None) == np.int64 and np.ndim(indices):
        raise TypeError("Cannot cast array data from dtype('int64') to dtype('int32') according to the rule 'safe'")


class Narrow(np.ndarray):
    """An array that is picky about the indices of `take`."""

    def take(self, indices, *args, **options):
        refuse_wide(indices)
        return self.view(np.ndarray).take(indices, *args, **options)

    def __getitem__(self, index):
        return self.view(np.ndarray)[index]


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    """NumPy as if an index had 32 bits, as far as the interpreter sees it."""
    bincount, repeat, poisoned = np.bincount, np.repeat, shared_local.poisoned

    def given(function):
        def as_int32(*args, **options):
            result = function(*args, **options)
            if "dtype" in options:
                return result
            return tuple(r.astype(np.int32) for r in result) if type(result) is tuple else result.astype(np.int32)

        return as_int32

    def narrow_bincount(values, *args, **options):
        refuse_wide(values)
        return bincount(values, *args, **options)

    def narrow_repeat(values, counts, *args, **options):
        refuse_wide(counts)
        return repeat(values, counts, *args, **options)

    for name in GIVE_INDICES:
        monkeypatch.setattr(np, name, given(getattr(np, name)))
    monkeypatch.setattr(np, "intp", np.int32)
    monkeypatch.setattr(np, "bincount", narrow_bincount)
    monkeypatch.setattr(np, "repeat", narrow_repeat)
    monkeypatch.setattr(shared_local, "poisoned", lambda *args: poisoned(*args).view(Narrow))


def narrow_arguments(bench: bench_simt.Bench) -> tuple:
    return tuple(value.view(Narrow) if isinstance(value, np.ndarray) else value for value in bench.arguments())


@pytest.mark.parametrize("run", [simt.launch, simt.trace], ids=["plain", "traced"])
@pytest.mark.parametrize(
    "make",
    [
        lambda: bench_simt.add_bench(4096), lambda: bench_simt.stride_bench(2048, 4, 128),
        lambda: bench_simt.sum_bench(4096), lambda: bench_simt.matmul_bench(48),
        lambda: bench_simt.histogram_bench(4096), lambda: bench_simt.warp_bench(2048),
        lambda: bench_simt.mandelbrot_bench(32, 16, 10),
    ],
    ids=["vector add", "grid stride", "block sum", "matmul", "histogram", "warp sum", "device function"],
)  # fmt: skip
def test_no_index_is_wider_than_numpy_takes(make, run):
    bench = make()
    arguments = narrow_arguments(bench)
    run(bench.kernel, bench.grid, bench.block, *arguments)
    assert bench.right(arguments)


@pytest.mark.parametrize("run", [simt.launch, simt.trace], ids=["plain", "traced"])
def test_fields_of_records_and_tickets_are_found_with_narrow_indices(run):
    def kernel(pairs, counter, out):
        i = cuda.grid(1)
        j = (i * 7) % pairs.shape[0]
        ticket = cuda.atomic.add(counter, i % 3, 1)
        if i % 5:
            out[i] = pairs[j].x + pairs[j].y + ticket * 0

    pairs = np.zeros(2048, [("x", np.int32), ("y", np.int32)])
    pairs["x"], pairs["y"] = range(2048), range(0, 4096, 2)
    counter, out = np.zeros(3, np.int32), np.zeros(2048, np.int64)
    run(kernel, 16, 128, pairs.view(Narrow), counter.view(Narrow), out.view(Narrow))
    assert [683, 683, 682] == counter.tolist()
    assert [0 if i % 5 == 0 else 3 * (i * 7 % 2048) for i in range(2048)] == out.tolist()
