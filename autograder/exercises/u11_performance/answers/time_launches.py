"""Answers to performance.time_launches."""

import time

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


@right("a_pair_of_events_for_each_round")
def time_launches(x, times, out):
    d_x, d_out = cuda.to_device(x), cuda.device_array(x.shape, x.dtype)
    config = blocks_for(x.size), THREADS
    scale[config](d_x, d_out)
    marks = [(cuda.event(), cuda.event()) for _ in range(times.size)]
    for start, stop in marks:
        start.record()
        scale[config](d_x, d_out)
        stop.record()
    cuda.synchronize()
    times[:] = [start.elapsed_time(stop) for start, stop in marks]
    d_out.copy_to_host(out)


@right("a_stream_of_its_own")
def time_launches(x, times, out):
    stream = cuda.stream()
    d_x = cuda.to_device(x, stream=stream)
    d_out = cuda.device_array_like(d_x)
    launch = scale[blocks_for(x.size), THREADS, stream]
    launch(d_x, d_out)
    for k in range(len(times)):
        start, stop = cuda.event(timing=True), cuda.event(timing=True)
        start.record(stream)
        launch(d_x, d_out)
        stop.record(stream)
        stream.synchronize()
        times[k] = cuda.event_elapsed_time(start, stop)
    d_out.copy_to_host(out, stream=stream)
    stream.synchronize()


@right("one_mark_between_two_launches")
def time_launches(x, times, out):
    d_x = cuda.to_device(x)
    d_out = cuda.device_array_like(x)
    scale[blocks_for(x.size), THREADS](d_x, d_out)
    marks = [cuda.event() for _ in range(times.size + 1)]
    marks[0].record()
    for mark in marks[1:]:
        scale[blocks_for(x.size), THREADS](d_x, d_out)
        mark.record()
    marks[-1].synchronize()
    for k in range(times.size):
        times[k] = marks[k].elapsed_time(marks[k + 1])
    d_out.copy_to_host(out)


@right("warms_up_three_times")
def time_launches(x, times, out):
    d_x = cuda.to_device(x)
    d_out = cuda.device_array_like(x)
    for _ in range(3):
        scale[blocks_for(x.size), THREADS](d_x, d_out)
    cuda.synchronize()
    for k in range(times.size):
        start = cuda.event()
        stop = cuda.event()
        start.record()
        scale[blocks_for(x.size), THREADS](d_x, d_out)
        stop.record()
        cuda.synchronize()
        times[k] = start.elapsed_time(stop)
    out[:] = d_out.copy_to_host()


@right("warms_up_on_one_element")
def time_launches(x, times, out):
    one = cuda.to_device(np.zeros(1, np.float32))
    scale[1, 1](one, one)
    d_x = cuda.to_device(x)
    d_out = cuda.device_array_like(d_x)
    start, stop = cuda.event(), cuda.event()
    k = 0
    while k < times.size:
        start.record()
        scale[blocks_for(x.size), THREADS](d_x, d_out)
        stop.record()
        stop.synchronize()
        times[k] = start.elapsed_time(stop)
        k += 1
    d_out.copy_to_host(out)


@right("warms_up_on_memory_that_nobody_sees")
def time_launches(x, times, out):
    scale[1, 1](cuda.device_array(1, np.float32), cuda.device_array(1, np.float32))
    d_x, d_out = cuda.to_device(x), cuda.device_array_like(x)
    for k in range(times.size):
        start, stop = cuda.event(), cuda.event()
        start.record()
        scale[blocks_for(x.size), THREADS](d_x, d_out)
        stop.record()
        stop.synchronize()
        times[k] = start.elapsed_time(stop)
    d_out.copy_to_host(out)


@right("a_helper_that_times")
def time_launches(x, times, out):
    def timed(action):
        start, stop = cuda.event(), cuda.event()
        start.record()
        action()
        stop.record()
        while not stop.query():
            pass
        return start.elapsed_time(stop)

    d_x, d_out = cuda.to_device(x), cuda.device_array_like(x)

    def action():
        scale[blocks_for(x.size), THREADS](d_x, d_out)

    action()
    for k in range(times.size):
        times[k] = timed(action)
    d_out.copy_to_host(out)


@wrong("no_warm_up", misconception="no_warm_up", says="compiles it")
def time_launches(x, times, out):
    d_x = cuda.to_device(x)
    d_out = cuda.device_array_like(d_x)
    start, stop = cuda.event(), cuda.event()
    for k in range(times.size):
        start.record()
        scale[blocks_for(x.size), THREADS](d_x, d_out)
        stop.record()
        stop.synchronize()
        times[k] = start.elapsed_time(stop)
    d_out.copy_to_host(out)


@wrong("copies_inside", misconception="times_copies", says="Copies go up before the first event")
def time_launches(x, times, out):
    one = cuda.to_device(np.zeros(1, np.float32))
    scale[1, 1](one, one)
    start, stop = cuda.event(), cuda.event()
    for k in range(times.size):
        start.record()
        d_x = cuda.to_device(x)
        d_out = cuda.device_array_like(d_x)
        scale[blocks_for(x.size), THREADS](d_x, d_out)
        d_out.copy_to_host(out)
        stop.record()
        stop.synchronize()
        times[k] = start.elapsed_time(stop)


@wrong("the_hosts_clock", misconception="too_few_timings", says="every round is timed on its own")
def time_launches(x, times, out):
    d_x = cuda.to_device(x)
    d_out = cuda.device_array_like(d_x)
    scale[blocks_for(x.size), THREADS](d_x, d_out)
    for k in range(times.size):
        began = time.perf_counter()
        scale[blocks_for(x.size), THREADS](d_x, d_out)
        times[k] = 1e3 * (time.perf_counter() - began)
    d_out.copy_to_host(out)


@wrong("asks_without_waiting", misconception="host_goes_on", says="may not have happened yet")
def time_launches(x, times, out):
    d_x = cuda.to_device(x)
    d_out = cuda.device_array_like(d_x)
    scale[blocks_for(x.size), THREADS](d_x, d_out)
    start, stop = cuda.event(), cuda.event()
    for k in range(times.size):
        start.record()
        scale[blocks_for(x.size), THREADS](d_x, d_out)
        stop.record()
        times[k] = start.elapsed_time(stop)
    d_out.copy_to_host(out)


@wrong("all_rounds_between_two_events", misconception="too_few_timings", says="every round is timed on its own")
def time_launches(x, times, out):
    d_x = cuda.to_device(x)
    d_out = cuda.device_array_like(d_x)
    scale[blocks_for(x.size), THREADS](d_x, d_out)
    start, stop = cuda.event(), cuda.event()
    start.record()
    for _ in range(times.size):
        scale[blocks_for(x.size), THREADS](d_x, d_out)
    stop.record()
    stop.synchronize()
    times[:] = start.elapsed_time(stop) / times.size
    d_out.copy_to_host(out)


@wrong("starts_before_the_loop", misconception="times_too_much", says="one launch lies between")
def time_launches(x, times, out):
    d_x = cuda.to_device(x)
    d_out = cuda.device_array_like(d_x)
    scale[blocks_for(x.size), THREADS](d_x, d_out)
    start, stop = cuda.event(), cuda.event()
    start.record()
    for k in range(times.size):
        scale[blocks_for(x.size), THREADS](d_x, d_out)
        stop.record()
        stop.synchronize()
        times[k] = start.elapsed_time(stop)
    d_out.copy_to_host(out)


@wrong("both_events_after_the_launch", misconception="times_nothing", says="recorded before the launch")
def time_launches(x, times, out):
    d_x = cuda.to_device(x)
    d_out = cuda.device_array_like(d_x)
    scale[blocks_for(x.size), THREADS](d_x, d_out)
    for k in range(times.size):
        scale[blocks_for(x.size), THREADS](d_x, d_out)
        start, stop = cuda.event(), cuda.event()
        start.record()
        stop.record()
        stop.synchronize()
        times[k] = start.elapsed_time(stop)
    d_out.copy_to_host(out)


@wrong("hands_the_host_arrays_over", misconception="times_copies", says="copies go up before")
def time_launches(x, times, out):
    scale[blocks_for(x.size), THREADS](x, out)
    start, stop = cuda.event(), cuda.event()
    for k in range(times.size):
        start.record()
        scale[blocks_for(x.size), THREADS](x, out)
        stop.record()
        stop.synchronize()
        times[k] = start.elapsed_time(stop)


@wrong("in_place", misconception="times_the_result", says="its own result")
def time_launches(x, times, out):
    d = cuda.to_device(x)
    one = cuda.to_device(np.zeros(1, np.float32))
    scale[1, 1](one, one)
    start, stop = cuda.event(), cuda.event()
    for k in range(times.size):
        start.record()
        scale[blocks_for(x.size), THREADS](d, d)
        stop.record()
        stop.synchronize()
        times[k] = start.elapsed_time(stop)
    d.copy_to_host(out)


@wrong("in_seconds", misconception="times_not_kept", says="gives are milliseconds")
def time_launches(x, times, out):
    d_x, d_out = cuda.to_device(x), cuda.device_array_like(x)
    scale[blocks_for(x.size), THREADS](d_x, d_out)
    start, stop = cuda.event(), cuda.event()
    for k in range(times.size):
        start.record()
        scale[blocks_for(x.size), THREADS](d_x, d_out)
        stop.record()
        stop.synchronize()
        times[k] = start.elapsed_time(stop) / 1000
    d_out.copy_to_host(out)


@wrong("into_an_array_of_its_own", misconception="output_not_written", says="never written")
def time_launches(x, times, out):
    d_x, d_out = cuda.to_device(x), cuda.device_array_like(x)
    scale[blocks_for(x.size), THREADS](d_x, d_out)
    start, stop = cuda.event(), cuda.event()
    taken = []
    for _ in times:
        start.record()
        scale[blocks_for(x.size), THREADS](d_x, d_out)
        stop.record()
        stop.synchronize()
        taken.append(start.elapsed_time(stop))
    times = np.array(taken, np.float32)
    d_out.copy_to_host(out)
