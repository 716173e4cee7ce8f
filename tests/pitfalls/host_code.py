"""What host code may not do while the device is at work, and what keeps the device from working side by side."""

from __future__ import annotations

import numpy as np
from numba import cuda

from autograder.exercises import find
from tests.pitfalls.catalogue import Pitfall
from tests.pitfalls.diagnosis import judged, watched

THREADS = 256


@cuda.jit
def scale(x, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = np.float32(2) * x[i] + np.float32(1)


def largest_at_once():
    stream = cuda.stream()
    d_x = cuda.to_device(np.arange(1000, dtype=np.float32))
    out = cuda.pinned_array(1000, np.float32)
    d_x.copy_to_host(out, stream=stream)
    return out.max()


def largest_after_the_wait():
    stream = cuda.stream()
    d_x = cuda.to_device(np.arange(1000, dtype=np.float32))
    out = cuda.pinned_array(1000, np.float32)
    d_x.copy_to_host(out, stream=stream)
    stream.synchronize()
    return out.max()


def chunks_of_one_stream(x, out):
    stream = cuda.stream()
    for first in range(0, x.size, 4096):
        d = cuda.to_device(x[first : first + 4096], stream=stream)
        scale[-(-d.size // THREADS), THREADS, stream](d, d)
        d.copy_to_host(out[first : first + 4096], stream=stream)
    stream.synchronize()


def chunks_of_many_streams(x, out):
    size = max(1, -(-x.size // 8))
    for first in range(0, x.size, size):
        stream = cuda.stream()
        d = cuda.to_device(x[first : first + size], stream=stream)
        scale[-(-d.size // THREADS), THREADS, stream](d, d)
        d.copy_to_host(out[first : first + size], stream=stream)
    cuda.synchronize()


PITFALLS = (
    Pitfall(
        36,
        "Streams that do not overlap",
        "Operations of one stream wait for each other, and so does everything around the default stream and copies of "
        "pageable memory. The order that the program makes bounds how much runs side by side.",
        "judge",
        "no_overlap",
        "the longest part fills k of k + 1 steps",
        judged(find("streams.in_chunks"), chunks_of_one_stream),
        judged(find("streams.in_chunks"), chunks_of_many_streams),
    ),
    Pitfall(
        37,
        "Reading a result before it is there",
        "A copy to pinned memory has begun when the call returns, not ended. The array holds what it held before, or "
        "parts of both.",
        "order",
        "race",
        "nothing makes the host wait",
        watched(largest_at_once),
        watched(largest_after_the_wait),
    ),
)
