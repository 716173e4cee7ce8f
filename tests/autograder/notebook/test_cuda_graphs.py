"""Captured launches run when they are replayed, on the interpreter as on a GPU."""

from __future__ import annotations

import numpy as np
import pytest

from autograder import backend
from autograder.backend import cuda
from autograder.notebook.cuda_graphs import CaptureError, capture

backend.prepare()


@cuda.jit
def double(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= 2


def compiled_on(x):
    double[1, 32](x)
    cuda.synchronize()


def test_nothing_runs_before_the_replay_and_everything_in_each():
    x, stream = cuda.to_device(np.ones(32, np.float32)), cuda.stream()
    compiled_on(x)
    with capture(stream) as graph:
        for _ in range(3):
            double[1, 32, stream](x)
    stream.synchronize()
    before = x.copy_to_host()[0]
    graph.replay(stream)
    graph.replay(stream)
    stream.synchronize()

    assert (3, 2.0, 128.0) == (len(graph), before, x.copy_to_host()[0])


def test_waiting_is_refused_while_a_stream_is_captured():
    x, stream = cuda.to_device(np.ones(32, np.float32)), cuda.stream()
    compiled_on(x)
    with pytest.raises(Exception, match="(?i)captur"), capture(stream):
        double[1, 32, stream](x)
        stream.synchronize()


@pytest.mark.skipif(backend.gpu_available(), reason="the interpreter's own words")
def test_a_copy_is_refused_in_words():
    with pytest.raises(CaptureError, match="copy before it"), capture(stream := cuda.stream()):
        cuda.to_device(np.ones(4), stream=stream)


def test_a_kernel_that_was_never_launched_can_be_captured():
    """As an H200 does it in all three modes of a capture: numba compiles and loads it meanwhile."""

    @cuda.jit
    def add_one(x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] += 1

    x, stream = cuda.to_device(np.zeros(32, np.float32)), cuda.stream()
    with capture(stream) as graph:
        add_one[1, 32, stream](x)
    graph.replay(stream)
    stream.synchronize()

    assert 1.0 == x.copy_to_host()[31]


@pytest.mark.parametrize("refused", ["memory", "default stream"])
def test_what_a_gpu_refuses_during_a_capture_is_refused(refused):
    x, stream = cuda.to_device(np.ones(32, np.float32)), cuda.stream()
    compiled_on(x)
    with pytest.raises(Exception, match="(?i)captur"), capture(stream):
        double[1, 32](x) if refused == "default stream" else cuda.device_array(4, np.float32)
