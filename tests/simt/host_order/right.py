"""Pipelines that are right: each returns a sum of what came back, and may not be accused of anything."""

from __future__ import annotations

import numpy as np

from autograder.backend import cuda
from tests.simt.host_order.kernels import BLOCK, add, count, evens, odds, scale

N = 1000
GRID = -(-N // BLOCK)


def ones():
    array = cuda.pinned_array(N, np.float32)
    array[:] = 1
    return array


def everything_on_the_default_stream():
    d = cuda.to_device(np.ones(N, np.float32))
    scale[GRID, BLOCK](d)
    return d.copy_to_host().sum()


def numpy_arrays_handed_to_a_kernel():
    x = np.ones(N, np.float32)
    scale[GRID, BLOCK](x)
    return x.sum()


def one_stream_and_a_wait():
    stream, x, out = cuda.stream(), ones(), cuda.pinned_array(N, np.float32)
    d = cuda.to_device(x, stream=stream)
    scale[GRID, BLOCK, stream](d)
    d.copy_to_host(out, stream=stream)
    stream.synchronize()
    return out.sum()


def an_event_between_two_streams():
    first, second, x, out = cuda.stream(), cuda.stream(), ones(), cuda.pinned_array(N, np.float32)
    d = cuda.to_device(x, stream=first)
    ready = cuda.event()
    ready.record(first)
    ready.wait(second)
    scale[GRID, BLOCK, second](d)
    d.copy_to_host(out, stream=second)
    second.synchronize()
    return out.sum()


def an_event_recorded_again():
    first, second, x = cuda.stream(), cuda.stream(), ones()
    ready = cuda.event()
    ready.record(first)
    d = cuda.to_device(x, stream=first)
    ready.record(first)
    ready.wait(second)
    scale[GRID, BLOCK, second](d)
    second.synchronize()
    return d.copy_to_host().sum()


def chunks_in_four_streams():
    streams, x, out = [cuda.stream() for _ in range(4)], ones(), cuda.pinned_array(N, np.float32)
    d = cuda.device_array(N, np.float32)
    for k, stream in enumerate(streams):
        part = slice(k * N // 4, (k + 1) * N // 4)
        d[part].copy_to_device(x[part], stream=stream)
        scale[1, BLOCK, stream](d[part])
        d[part].copy_to_host(out[part], stream=stream)
    cuda.synchronize()
    return out.sum()


def two_buffers_in_turns():
    """The event behind each copy is waited for before its buffer is filled again."""
    streams, total = [cuda.stream(), cuda.stream()], 0.0
    buffers = [cuda.pinned_array(100, np.float32) for _ in streams]
    device = [cuda.device_array(100, np.float32) for _ in streams]
    copied = [cuda.event() for _ in streams]
    d_total = cuda.to_device(np.zeros(1, np.float32))
    for turn in range(10):
        k = turn % 2
        if turn >= 2:
            copied[k].synchronize()
        buffers[k][:] = 1
        device[k].copy_to_device(buffers[k], stream=streams[k])
        copied[k].record(streams[k])
        add[1, BLOCK, streams[k]](device[k], d_total)
    cuda.synchronize()
    total = d_total.copy_to_host()[0]
    return 2 * total


def the_default_stream_waits_for_the_others():
    stream, x = cuda.stream(), ones()
    d = cuda.to_device(x, stream=stream)
    scale[GRID, BLOCK](d)
    return d.copy_to_host().sum()


def a_stream_waits_for_the_default_stream():
    stream = cuda.stream()
    d = cuda.to_device(np.ones(N, np.float32))
    scale[GRID, BLOCK](d)
    out = d.copy_to_host(stream=stream)
    return out.sum()


def pageable_memory_is_copied_before_the_call_returns():
    stream, x = cuda.stream(), np.ones(N, np.float32)
    d = cuda.to_device(x, stream=stream)
    x[:] = 7
    scale[GRID, BLOCK, stream](d)
    return d.copy_to_host(stream=stream).sum()


def two_streams_read_one_array():
    first, second = cuda.stream(), cuda.stream()
    d, left, right = cuda.to_device(np.ones(N, np.float32)), cuda.device_array(1), cuda.device_array(1)
    left.copy_to_device(np.zeros(1))
    right.copy_to_device(np.zeros(1))
    add[GRID, BLOCK, first](d, left)
    add[GRID, BLOCK, second](d, right)
    cuda.synchronize()
    return left.copy_to_host()[0] + right.copy_to_host()[0]


def two_streams_with_every_other_element():
    first, second = cuda.stream(), cuda.stream()
    d = cuda.to_device(np.ones(N, np.float32))
    evens[GRID, BLOCK, first](d)
    odds[GRID, BLOCK, second](d)
    cuda.synchronize()
    return d.copy_to_host().sum()


def atomics_of_two_streams():
    first, second = cuda.stream(), cuda.stream()
    total = cuda.to_device(np.zeros(1, np.int32))
    count[GRID, BLOCK, first](N, total)
    count[GRID, BLOCK, second](N, total)
    cuda.synchronize()
    return total.copy_to_host()[0]


def auto_synchronize_waits():
    stream, x, out = cuda.stream(), ones(), cuda.pinned_array(N, np.float32)
    with stream.auto_synchronize():
        d = cuda.to_device(x, stream=stream)
        scale[GRID, BLOCK, stream](d)
        d.copy_to_host(out, stream=stream)
    return out.sum()


def a_callback_reads_what_its_stream_brought():
    stream, x, out, seen = cuda.stream(), ones(), cuda.pinned_array(N, np.float32), []
    d = cuda.to_device(x, stream=stream)
    scale[GRID, BLOCK, stream](d)
    d.copy_to_host(out, stream=stream)
    stream.add_callback(lambda *_: seen.append(out.sum()))
    stream.synchronize()
    return seen[0]


def pinned_for_a_while():
    stream, x, out = cuda.stream(), np.ones(N, np.float32), np.empty(N, np.float32)
    with cuda.pinned(x, out):
        d = cuda.to_device(x, stream=stream)
        scale[GRID, BLOCK, stream](d)
        d.copy_to_host(out, stream=stream)
        stream.synchronize()
    return out.sum()


def mapped_memory_after_the_wait():
    x = cuda.mapped_array(N, np.float32)
    x[:] = 1
    scale[GRID, BLOCK](x)
    cuda.synchronize()
    return x.sum()


def a_polled_event():
    stream, x, out = cuda.stream(), ones(), cuda.pinned_array(N, np.float32)
    d, done = cuda.to_device(x, stream=stream), cuda.event()
    scale[GRID, BLOCK, stream](d)
    d.copy_to_host(out, stream=stream)
    done.record(stream)
    while not done.query():
        pass
    return out.sum()


def one_pinned_buffer_for_one_after_the_other():
    stream, x, total = cuda.stream(), cuda.pinned_array(100, np.float32), cuda.to_device(np.zeros(1, np.float32))
    for _ in range(10):
        x[:] = 2
        d = cuda.to_device(x, stream=stream)
        add[1, BLOCK, stream](d, total)
        stream.synchronize()
    return total.copy_to_host()[0]


def nothing_left_for_the_host():
    """An empty part of a pinned array is no access."""
    stream, x, out = cuda.stream(), ones(), cuda.pinned_array(N, np.float32)
    d = cuda.to_device(x, stream=stream)
    scale[GRID, BLOCK, stream](d)
    d.copy_to_host(out, stream=stream)
    out[N:] = 2 * x[N:]
    stream.synchronize()
    return out.sum()


def timed_with_events():
    d, start, stop = cuda.to_device(np.ones(N, np.float32)), cuda.event(), cuda.event()
    start.record()
    scale[GRID, BLOCK](d)
    stop.record()
    stop.synchronize()
    start.elapsed_time(stop)
    return d.copy_to_host().sum()


PIPELINES = [
    timed_with_events,
    nothing_left_for_the_host,
    everything_on_the_default_stream,
    numpy_arrays_handed_to_a_kernel,
    one_stream_and_a_wait,
    an_event_between_two_streams,
    an_event_recorded_again,
    chunks_in_four_streams,
    two_buffers_in_turns,
    the_default_stream_waits_for_the_others,
    a_stream_waits_for_the_default_stream,
    pageable_memory_is_copied_before_the_call_returns,
    two_streams_read_one_array,
    two_streams_with_every_other_element,
    atomics_of_two_streams,
    auto_synchronize_waits,
    a_callback_reads_what_its_stream_brought,
    pinned_for_a_while,
    mapped_memory_after_the_wait,
    a_polled_event,
    one_pinned_buffer_for_one_after_the_other,
]
