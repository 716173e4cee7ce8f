"""Answers to streams.in_chunks."""

import numpy as np
from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

THREADS = 256


def blocks_for(n):
    return max(1, (n + THREADS - 1) // THREADS)


@cuda.jit
def scale(x, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = float32(2) * x[i] + float32(1)


@cuda.jit
def add(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + y[i]


@cuda.jit
def add_up(batch, sums, k):
    i = cuda.grid(1)
    if i < batch.size:
        cuda.atomic.add(sums, k, batch[i])


@cuda.jit
def add_one(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += float32(1)


@right("breadth_first")
def in_chunks(x, out):
    n = x.size
    ends = [n * k // 5 for k in range(6)]
    parts = [slice(a, b) for a, b in zip(ends[:-1], ends[1:], strict=True) if a < b]
    streams = [cuda.stream() for _ in parts]
    d_x = [cuda.to_device(x[p], stream=s) for p, s in zip(parts, streams, strict=True)]
    d_out = [cuda.device_array_like(d) for d in d_x]
    for a, b, s in zip(d_x, d_out, streams, strict=True):
        scale[blocks_for(a.size), THREADS, s](a, b)
    for d, p, s in zip(d_out, parts, streams, strict=True):
        d.copy_to_host(out[p], stream=s)
    for s in streams:
        s.synchronize()


@right("two_streams_in_turns")
def in_chunks(x, out):
    streams = cuda.stream(), cuda.stream(), cuda.stream()
    step = -(-x.size // 12)
    for k, first in enumerate(range(0, x.size, step)):
        s, last = streams[k % 3], min(first + step, x.size)
        d = cuda.to_device(x[first:last], stream=s)
        scale[blocks_for(last - first), THREADS, s](d, d)
        d.copy_to_host(out[first:last], stream=s)
    cuda.synchronize()


@right("np_array_split")
def in_chunks(x, out):
    pieces = [(a, b) for a, b in zip(np.array_split(x, 8), np.array_split(out, 8), strict=True) if a.size]
    for a, b in pieces:
        s = cuda.stream()
        d_a, d_b = cuda.to_device(a, stream=s), cuda.device_array(a.size, np.float32)
        scale[blocks_for(a.size), THREADS, s](d_a, d_b)
        d_b.copy_to_host(b, stream=s)
    cuda.synchronize()


@right("an_event_for_each_chunk")
def in_chunks(x, out):
    events, n = [], x.size
    d_x, d_out = cuda.device_array(n, np.float32), cuda.device_array(n, np.float32)
    for k in range(6):
        lo, hi = k * n // 6, (k + 1) * n // 6
        if lo == hi:
            continue
        s, done = cuda.stream(), cuda.event()
        d_x[lo:hi].copy_to_device(x[lo:hi], stream=s)
        scale[blocks_for(hi - lo), THREADS, s](d_x[lo:hi], d_out[lo:hi])
        d_out[lo:hi].copy_to_host(out[lo:hi], stream=s)
        done.record(s)
        events.append(done)
    for done in events:
        done.synchronize()


@right("cut_beforehand")
def in_chunks(x, out):
    d_x, d_out = cuda.device_array(x.size, np.float32), cuda.device_array(x.size, np.float32)
    step = max(1, -(-x.size // 7))
    parts = [slice(first, first + step) for first in range(0, x.size, step)]
    views = [(x[p], d_x[p], d_out[p], out[p], cuda.stream()) for p in parts]
    for h_x, a, b, h_out, stream in views:
        a.copy_to_device(h_x, stream=stream)
        scale[blocks_for(a.size), THREADS, stream](a, b)
        b.copy_to_host(h_out, stream=stream)
    for *_, stream in views:
        stream.synchronize()


@right("four_chunks_in_place")
def in_chunks(x, out):
    d = cuda.device_array(x.size, np.float32)
    for k in range(4):
        first, last = x.size * k // 4, x.size * (k + 1) // 4
        if last > first:
            stream = cuda.stream()
            here = d[first:last]
            here.copy_to_device(x[first:last], stream=stream)
            scale.forall(last - first, stream=stream)(here, here)
            here.copy_to_host(out[first:last], stream=stream)
    cuda.synchronize()


@wrong("one_stream_for_all_chunks", misconception="no_overlap", says="at least 0.75")
def in_chunks(x, out):
    stream, n = cuda.stream(), x.size
    for k in range(4):
        part = slice(k * n // 4, (k + 1) * n // 4)
        if x[part].size:
            d = cuda.to_device(x[part], stream=stream)
            scale[blocks_for(d.size), THREADS, stream](d, d)
            d.copy_to_host(out[part], stream=stream)
    stream.synchronize()


@wrong("two_chunks", misconception="no_overlap", says="the longest part fills k of k + 1 steps")
def in_chunks(x, out):
    half = (x.size + 1) // 2
    for part in (slice(0, half), slice(half, x.size)):
        if x[part].size:
            stream = cuda.stream()
            d = cuda.to_device(x[part], stream=stream)
            scale[blocks_for(d.size), THREADS, stream](d, d)
            d.copy_to_host(out[part], stream=stream)
    cuda.synchronize()


@wrong("waits_in_the_loop", misconception="no_overlap", says="at least 0.75")
def in_chunks(x, out):
    n = x.size
    for k in range(4):
        part = slice(k * n // 4, (k + 1) * n // 4)
        if x[part].size:
            stream = cuda.stream()
            d = cuda.to_device(x[part], stream=stream)
            scale[blocks_for(d.size), THREADS, stream](d, d)
            d.copy_to_host(out[part], stream=stream)
            stream.synchronize()


@wrong("from_ordinary_memory", misconception="not_pinned", says="keeps the host waiting and overlaps with nothing")
def in_chunks(x, out):
    ordinary = np.array(x)
    n = x.size
    for k in range(4):
        part = slice(k * n // 4, (k + 1) * n // 4)
        if x[part].size:
            stream = cuda.stream()
            d = cuda.to_device(ordinary[part], stream=stream)
            scale[blocks_for(d.size), THREADS, stream](d, d)
            d.copy_to_host(out[part], stream=stream)
    cuda.synchronize()


@wrong("the_tail_is_left_out", misconception="missing_tail", says="after the last whole chunk are missing")
def in_chunks(x, out):
    size = x.size // 4
    out[:] = 0
    for k in range(4):
        part = slice(k * size, (k + 1) * size)
        if size:
            stream = cuda.stream()
            d = cuda.to_device(x[part], stream=stream)
            scale[blocks_for(size), THREADS, stream](d, d)
            d.copy_to_host(out[part], stream=stream)
    cuda.synchronize()


@wrong("waits_for_the_last_stream_only", misconception="host_goes_on", says="The function returns while the copy")
def in_chunks(x, out):
    n = x.size
    for k in range(4):
        part = slice(k * n // 4, (k + 1) * n // 4)
        stream = cuda.stream()
        if x[part].size:
            d = cuda.to_device(x[part], stream=stream)
            scale[blocks_for(d.size), THREADS, stream](d, d)
            d.copy_to_host(out[part], stream=stream)
    stream.synchronize()


@wrong("one_device_buffer_for_all", misconception="missing_barrier", says="nothing makes")
def in_chunks(x, out):
    n = x.size
    size = -(-n // 4)
    d = cuda.device_array(size, np.float32)
    for first in range(0, n, size):
        part, stream = slice(first, min(first + size, n)), cuda.stream()
        here = d[: x[part].size]
        here.copy_to_device(x[part], stream=stream)
        scale[blocks_for(here.size), THREADS, stream](here, here)
        here.copy_to_host(out[part], stream=stream)
    cuda.synchronize()
