"""Pipelines with a race between operations of the host, and the words that each must be told in."""

from __future__ import annotations

import numpy as np

from autograder.backend import cuda
from tests.simt.host_order.kernels import BLOCK, add, copy, count, scale
from tests.simt.host_order.right import GRID, N, ones


def a_kernel_in_another_stream_than_the_copy():
    first, second, x = cuda.stream(), cuda.stream(), ones()
    d = cuda.to_device(x, stream=first)
    scale[GRID, BLOCK, second](d)
    cuda.synchronize()


def a_copy_out_in_another_stream_than_the_kernel():
    first, second, out = cuda.stream(), cuda.stream(), cuda.pinned_array(N, np.float32)
    d = cuda.to_device(np.ones(N, np.float32))
    scale[GRID, BLOCK, first](d)
    d.copy_to_host(out, stream=second)
    cuda.synchronize()


def the_event_recorded_before_the_copy():
    first, second, x = cuda.stream(), cuda.stream(), ones()
    ready = cuda.event()
    ready.record(first)
    d = cuda.to_device(x, stream=first)
    ready.wait(second)
    scale[GRID, BLOCK, second](d)
    cuda.synchronize()


def the_event_waited_for_before_it_is_recorded():
    first, second, x = cuda.stream(), cuda.stream(), ones()
    ready = cuda.event()
    d = cuda.to_device(x, stream=first)
    ready.wait(second)
    ready.record(first)
    copy[GRID, BLOCK, second](cuda.to_device(np.ones(N, np.float32)), d)
    cuda.synchronize()


def the_result_read_before_the_wait():
    stream, x, out = cuda.stream(), ones(), cuda.pinned_array(N, np.float32)
    d = cuda.to_device(x, stream=stream)
    scale[GRID, BLOCK, stream](d)
    d.copy_to_host(out, stream=stream)
    total = out.sum()
    stream.synchronize()
    return total


def one_element_of_the_result_read_before_the_wait():
    stream, out = cuda.stream(), cuda.pinned_array(N, np.float32)
    d = cuda.to_device(np.ones(N, np.float32))
    d.copy_to_host(out, stream=stream)
    first = out[0]
    stream.synchronize()
    return first


def the_wrong_stream_waited_for():
    first, second, x, out = cuda.stream(), cuda.stream(), ones(), cuda.pinned_array(N, np.float32)
    d = cuda.to_device(x, stream=first)
    d.copy_to_host(out, stream=first)
    second.synchronize()
    return float(out.max())


def a_pinned_buffer_refilled_too_early():
    stream, x, total = cuda.stream(), cuda.pinned_array(100, np.float32), cuda.to_device(np.zeros(1, np.float32))
    for _ in range(3):
        x[:] = 2
        d = cuda.to_device(x, stream=stream)
        add[1, BLOCK, stream](d, total)
    stream.synchronize()


def two_buffers_in_turns_and_nobody_waits():
    streams = [cuda.stream(), cuda.stream()]
    buffers = [cuda.pinned_array(100, np.float32) for _ in streams]
    device = [cuda.device_array(100, np.float32) for _ in streams]
    for turn in range(4):
        buffers[turn % 2].fill(turn)
        device[turn % 2].copy_to_device(buffers[turn % 2], stream=streams[turn % 2])
    cuda.synchronize()


def chunks_that_overlap_by_one_element():
    streams, d = [cuda.stream() for _ in range(4)], cuda.to_device(np.ones(N, np.float32))
    for k, stream in enumerate(streams):
        scale[1, BLOCK, stream](d[max(0, k * 250 - 1) : (k + 1) * 250])
    cuda.synchronize()


def unpinned_while_the_copy_runs():
    stream, x = cuda.stream(), np.ones(N, np.float32)
    with cuda.pinned(x):
        d = cuda.to_device(x, stream=stream)
    stream.synchronize()
    return d


def mapped_memory_read_at_once():
    x = cuda.mapped_array(N, np.float32)
    x[:] = 1
    scale[GRID, BLOCK](x)
    return x.sum()


def a_plain_store_beside_atomics():
    first, second, total = cuda.stream(), cuda.stream(), cuda.to_device(np.zeros(1, np.int32))
    count[GRID, BLOCK, first](N, total)
    copy[1, 1, second](cuda.to_device(np.zeros(1, np.int32), stream=second), total)
    cuda.synchronize()


def a_callback_in_the_wrong_stream():
    first, second, out, seen = cuda.stream(), cuda.stream(), cuda.pinned_array(N, np.float32), []
    d = cuda.to_device(np.ones(N, np.float32))
    d.copy_to_host(out, stream=first)
    second.add_callback(lambda *_: seen.append(out.sum()))
    cuda.synchronize()


def a_time_asked_for_before_the_wait():
    stream, d, start, stop = cuda.stream(), cuda.to_device(np.ones(N, np.float32)), cuda.event(), cuda.event()
    start.record(stream)
    scale[GRID, BLOCK, stream](d)
    stop.record(stream)
    cuda.event_elapsed_time(start, stop)
    stream.synchronize()


def a_time_between_marks_of_which_one_is_missing():
    stream, start, stop = cuda.stream(), cuda.event(), cuda.event()
    stop.record(stream)
    stream.synchronize()
    start.elapsed_time(stop)


PIPELINES = {
    a_kernel_in_another_stream_than_the_copy: "runs scale, which reads `d`, while the copy",
    a_copy_out_in_another_stream_than_the_kernel: "copies from `d` while the kernel `scale`",
    the_event_recorded_before_the_copy: "nothing makes second wait for first",
    the_event_waited_for_before_it_is_recorded: "waits for an event that was not recorded yet",
    the_result_read_before_the_wait: "reads `out` while the copy",
    one_element_of_the_result_read_before_the_wait: "reads `out` while the copy",
    the_wrong_stream_waited_for: "nothing makes the host wait for first",
    a_pinned_buffer_refilled_too_early: "writes `x` while the copy",
    two_buffers_in_turns_and_nobody_waits: "may still read",
    chunks_that_overlap_by_one_element: "which reads",
    unpinned_while_the_copy_runs: "`x` is unpinned at line",
    mapped_memory_read_at_once: "nothing makes the host wait for the default stream",
    a_plain_store_beside_atomics: "which writes `total`, while the kernel `count`",
    a_callback_in_the_wrong_stream: "reads `out` while the copy",
    a_time_asked_for_before_the_wait: "while `stop` may not have happened yet",
    a_time_between_marks_of_which_one_is_missing: "one of them was never recorded",
}
