"""Pictures and steps of a host function are the interpreter's, on a machine with a GPU as well."""

from __future__ import annotations

import numpy as np
import pytest
from numba import cuda

from autograder import backend, exercise

GPU = pytest.mark.parametrize("gpu", [False, True], ids=["without a GPU", "as with one"])
on_a_gpu = False


@cuda.jit
def scale(x, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = np.float32(2) * x[i] + np.float32(1)


def one_stream(x, out):
    if on_a_gpu and not getattr(cuda, "__simt_cuda__", False):
        return  # its launches would go to the GPU, and the interpreter would hear of none
    stream = cuda.stream()
    d_x = cuda.to_device(x, stream=stream)
    scale[-(-x.size // 256), 256, stream](d_x, d_x)
    d_x.copy_to_host(out, stream=stream)
    stream.synchronize()


@pytest.fixture
def question(gpu, monkeypatch):
    backend.prepare()
    monkeypatch.setattr(backend, "gpu_available", lambda: gpu)
    monkeypatch.setitem(globals(), "on_a_gpu", gpu)
    return exercise("streams.one_stream")


@GPU
def test_a_host_function_is_stepped_through(question, capsys):
    assert "step 1 of" in repr(question.step(one_stream))


@GPU
def test_a_host_function_is_drawn(question, capsys):
    assert "lanes" in question.show(one_stream).alt


@pytest.mark.gpu
def test_a_host_function_is_stepped_through_where_there_is_a_gpu(capsys):
    assert "step 1 of" in repr(exercise("streams.one_stream").step(one_stream))
