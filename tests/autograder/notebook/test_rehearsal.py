"""Host code is rehearsed in the interpreter, on a machine with a GPU as well."""

from __future__ import annotations

import numpy as np
import pytest
from numba import cuda

from autograder import backend
from autograder.notebook.host.rehearsal import rehearsed

GPU = pytest.mark.parametrize("gpu", [False, True], ids=["without a GPU", "as with one"])


@cuda.jit
def add_one(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


def in_two_streams():
    a, b, d = cuda.stream(), cuda.stream(), cuda.to_device(np.zeros(8, np.float32))
    add_one[1, 8, a](d)
    add_one[1, 8, b](d)
    print(d.copy_to_host()[0])


def on_a_stub():
    raise NotImplementedError


@GPU
def test_the_order_of_host_code_is_seen_and_what_it_prints(gpu, monkeypatch, capsys):
    backend.prepare()
    monkeypatch.setattr(backend, "gpu_available", lambda: gpu)
    theirs = cuda
    order = rehearsed(in_two_streams)
    from numba import cuda as afterwards

    assert "nothing makes b wait for a" in order.findings[0].message and 3 <= len(order.steps)
    assert "2.0\n" == capsys.readouterr().out and afterwards is theirs


@GPU
def test_what_host_code_raises_reaches_its_cell(gpu, monkeypatch):
    monkeypatch.setattr(backend, "gpu_available", lambda: gpu)

    with pytest.raises(NotImplementedError):
        rehearsed(on_a_stub)
