"""The same with graphs, default streams and streams made elsewhere."""

from __future__ import annotations

import numpy as np

from autograder.backend import cuda
from autograder.notebook.cuda_graphs import capture
from tests.simt.host_order.kernels import BLOCK, scale
from tests.simt.host_order.unseen_right import GRID, N, pinned


def default_after_streams_and_before_them():
    a, b = cuda.stream(), cuda.stream()
    x, y = pinned(), pinned()
    d = cuda.to_device(x, stream=a)
    scale[GRID, BLOCK](d)
    d.copy_to_host(y, stream=b)
    cuda.synchronize()
    return y.sum()


def graph_twice():
    s = cuda.stream()
    x = pinned()
    d = cuda.to_device(x, stream=s)
    scale[GRID, BLOCK, s](d)
    with capture(s) as g:
        scale[GRID, BLOCK, s](d)
        scale[GRID, BLOCK, s](d)
    g.replay(s)
    g.replay(s)
    out = pinned(0)
    d.copy_to_host(out, stream=s)
    s.synchronize()
    return out.sum()


def graph_in_another_stream_after_an_event():
    a, b, e = cuda.stream(), cuda.stream(), cuda.event()
    x, out = pinned(), pinned(0)
    d = cuda.device_array(N, np.float32)
    scale[1, 1, a](cuda.to_device(np.zeros(1, np.float32)))
    with capture(a) as g:
        scale[GRID, BLOCK, a](d)
    d.copy_to_device(x, stream=a)
    e.record(a)
    e.wait(b)
    g.replay(b)
    d.copy_to_host(out, stream=b)
    b.synchronize()
    return out.sum()


def replay_then_default():
    s = cuda.stream()
    d = cuda.to_device(np.ones(N, np.float32))
    scale[1, 1](cuda.to_device(np.zeros(1, np.float32)))
    with capture(s) as g:
        scale[GRID, BLOCK, s](d)
    g.replay(s)
    scale[GRID, BLOCK](d)
    return d.copy_to_host().sum()


def per_thread_stream():
    s = cuda.per_thread_default_stream()
    x, out = pinned(), pinned(0)
    d = cuda.to_device(x, stream=s)
    scale[GRID, BLOCK, s](d)
    d.copy_to_host(out, stream=s)
    s.synchronize()
    return out.sum()


def default_stream_object():
    s = cuda.default_stream()
    a = cuda.stream()
    x, out = pinned(), pinned(0)
    d = cuda.to_device(x, stream=a)
    scale[GRID, BLOCK, s](d)
    d.copy_to_host(out, stream=a)
    a.synchronize()
    return out.sum()


def external_streams_of_one_handle():
    s = cuda.stream()
    a, b = cuda.external_stream(int(s)), cuda.external_stream(int(s))
    d = cuda.to_device(pinned(), stream=a)
    scale[GRID, BLOCK, b](d)
    return d.copy_to_host(stream=s).sum()


PIPELINES = [
    one for name, one in list(globals().items()) if getattr(one, "__module__", "") == __name__ and name != "pinned"
]
