"""Answers to streams.after_both."""

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


@right("a_third_stream_waits_for_both")
def after_both(x, y, out):
    streams = [cuda.stream() for _ in range(3)]
    results, events = [], []
    for array, s in zip((x, y), streams[:2], strict=True):
        d = cuda.to_device(array, stream=s)
        scale[blocks_for(d.size), THREADS, s](d, d)
        e = cuda.event()
        e.record(s)
        results.append(d)
        events.append(e)
    last = streams[2]
    for e in events:
        e.wait(last)
    d_out = cuda.device_array(x.size, np.float32)
    add[blocks_for(x.size), THREADS, last](results[0], results[1], d_out)
    d_out.copy_to_host(out, stream=last)
    last.synchronize()


@right("the_other_way_round")
def after_both(x, y, out):
    a, b = cuda.stream(), cuda.stream()
    n = blocks_for(x.size)
    d_y = cuda.to_device(y, stream=b)
    scale[n, THREADS, b](d_y, d_y)
    ready = cuda.event(timing=False)
    ready.record(b)
    d_x = cuda.to_device(x, stream=a)
    scale[n, THREADS, a](d_x, d_x)
    ready.wait(a)
    add[n, THREADS, a](d_x, d_y, d_x)
    d_x.copy_to_host(out, stream=a)
    cuda.synchronize()


@right("an_event_at_the_end")
def after_both(x, y, out):
    a, b, ready, done = cuda.stream(), cuda.stream(), cuda.event(), cuda.event()
    d_x, d_y = cuda.to_device(x, stream=a), cuda.to_device(y, stream=b)
    scale.forall(x.size, stream=a)(d_x, d_x)
    scale.forall(y.size, stream=b)(d_y, d_y)
    ready.record(a)
    ready.wait(b)
    add.forall(x.size, stream=b)(d_x, d_y, d_y)
    d_y.copy_to_host(out, stream=b)
    done.record(b)
    done.synchronize()


@right("copies_first")
def after_both(x, y, out):
    left, right_one = cuda.stream(), cuda.stream()
    d_x, d_y, d_out = (cuda.device_array(x.size, np.float32) for _ in range(3))
    d_x.copy_to_device(x, stream=left)
    d_y.copy_to_device(y, stream=right_one)
    scale[blocks_for(x.size), THREADS, left](d_x, d_x)
    scale[blocks_for(x.size), THREADS, right_one](d_y, d_y)
    mark = cuda.event()
    mark.record(right_one)
    mark.wait(left)
    add[blocks_for(x.size), THREADS, left](d_x, d_y, d_out)
    d_out.copy_to_host(out, stream=left)
    left.synchronize()


@right("waits_before_its_own_kernel")
def after_both(x, y, out):
    a, b, ready = cuda.stream(), cuda.stream(), cuda.event()
    d_x, d_y = cuda.to_device(x, stream=a), cuda.to_device(y, stream=b)
    d_p = cuda.device_array_like(d_x)
    scale[blocks_for(x.size), THREADS, a](d_x, d_p)
    ready.record(stream=a)
    scale[blocks_for(x.size), THREADS, b](d_y, d_y)
    ready.wait(stream=b)
    add[blocks_for(x.size), THREADS, b](d_y, d_p, d_p)
    d_p.copy_to_host(out, stream=b)
    cuda.synchronize()


@right("a_function_for_each_side")
def after_both(x, y, out):
    def scaled(array):
        stream = cuda.stream()
        d = cuda.to_device(array, stream=stream)
        scale[blocks_for(array.size), THREADS, stream](d, d)
        done = cuda.event()
        done.record(stream)
        return stream, d, done

    (s, d_x, _), (_, d_y, done) = scaled(x), scaled(y)
    done.wait(s)
    add[blocks_for(x.size), THREADS, s](d_x, d_y, d_x)
    d_x.copy_to_host(out, stream=s)
    s.synchronize()


@wrong("no_event", misconception="missing_barrier", says="nothing makes b wait for a")
def after_both(x, y, out):
    a, b = cuda.stream(), cuda.stream()
    d_x, d_y = cuda.to_device(x, stream=a), cuda.to_device(y, stream=b)
    scale[blocks_for(x.size), THREADS, a](d_x, d_x)
    scale[blocks_for(x.size), THREADS, b](d_y, d_y)
    add[blocks_for(x.size), THREADS, b](d_x, d_y, d_y)
    d_y.copy_to_host(out, stream=b)
    cuda.synchronize()


@wrong("recorded_before_the_kernel", misconception="missing_barrier", says="nothing makes b wait for a")
def after_both(x, y, out):
    a, b = cuda.stream(), cuda.stream()
    d_x, d_y = cuda.to_device(x, stream=a), cuda.to_device(y, stream=b)
    ready = cuda.event()
    ready.record(a)
    scale[blocks_for(x.size), THREADS, a](d_x, d_x)
    scale[blocks_for(x.size), THREADS, b](d_y, d_y)
    ready.wait(b)
    add[blocks_for(x.size), THREADS, b](d_x, d_y, d_y)
    d_y.copy_to_host(out, stream=b)
    b.synchronize()


@wrong("waits_before_it_is_recorded", misconception="missing_barrier", says="not recorded yet")
def after_both(x, y, out):
    a, b, ready = cuda.stream(), cuda.stream(), cuda.event()
    d_x, d_y = cuda.to_device(x, stream=a), cuda.to_device(y, stream=b)
    scale[blocks_for(x.size), THREADS, b](d_y, d_y)
    ready.wait(b)
    scale[blocks_for(x.size), THREADS, a](d_x, d_x)
    ready.record(a)
    add[blocks_for(x.size), THREADS, b](d_x, d_y, d_y)
    d_y.copy_to_host(out, stream=b)
    b.synchronize()


@wrong("recorded_and_waited_for_in_the_same_stream", misconception="missing_barrier", says="nothing makes b wait for a")
def after_both(x, y, out):
    a, b, ready = cuda.stream(), cuda.stream(), cuda.event()
    d_x, d_y = cuda.to_device(x, stream=a), cuda.to_device(y, stream=b)
    scale[blocks_for(x.size), THREADS, a](d_x, d_x)
    scale[blocks_for(x.size), THREADS, b](d_y, d_y)
    ready.record(a)
    ready.wait(a)
    add[blocks_for(x.size), THREADS, b](d_x, d_y, d_y)
    d_y.copy_to_host(out, stream=b)
    cuda.synchronize()


@wrong("the_host_waits_in_between", misconception="host_waits_early", says="An event lets one stream wait for another")
def after_both(x, y, out):
    a, b = cuda.stream(), cuda.stream()
    d_x, d_y = cuda.to_device(x, stream=a), cuda.to_device(y, stream=b)
    scale[blocks_for(x.size), THREADS, a](d_x, d_x)
    scale[blocks_for(x.size), THREADS, b](d_y, d_y)
    a.synchronize()
    add[blocks_for(x.size), THREADS, b](d_x, d_y, d_y)
    d_y.copy_to_host(out, stream=b)
    b.synchronize()


@wrong("one_stream", misconception="default_stream", says="The two halves do not need each other")
def after_both(x, y, out):
    s = cuda.stream()
    d_x, d_y = cuda.to_device(x, stream=s), cuda.to_device(y, stream=s)
    scale[blocks_for(x.size), THREADS, s](d_x, d_x)
    scale[blocks_for(x.size), THREADS, s](d_y, d_y)
    add[blocks_for(x.size), THREADS, s](d_x, d_y, d_y)
    d_y.copy_to_host(out, stream=s)
    s.synchronize()


@wrong("y_is_never_scaled", misconception="wrong_formula", says="stands beside that needs the same")
def after_both(x, y, out):
    a, b, ready = cuda.stream(), cuda.stream(), cuda.event()
    d_x, d_y = cuda.to_device(x, stream=a), cuda.to_device(y, stream=b)
    scale[blocks_for(x.size), THREADS, a](d_x, d_x)
    ready.record(a)
    ready.wait(b)
    add[blocks_for(x.size), THREADS, b](d_x, d_y, d_y)
    d_y.copy_to_host(out, stream=b)
    b.synchronize()


@wrong("the_second_half_waits_for_the_first", misconception="no_overlap", says="Scaling y needs nothing of x")
def after_both(x, y, out):
    a, b, ready = cuda.stream(), cuda.stream(), cuda.event()
    d_x = cuda.to_device(x, stream=a)
    scale[blocks_for(x.size), THREADS, a](d_x, d_x)
    ready.record(a)
    ready.wait(b)
    d_y = cuda.to_device(y, stream=b)
    scale[blocks_for(x.size), THREADS, b](d_y, d_y)
    add[blocks_for(x.size), THREADS, b](d_x, d_y, d_y)
    d_y.copy_to_host(out, stream=b)
    b.synchronize()


@wrong("the_second_stream_brings_it_down", misconception="no_overlap", says="0 kernels side by side")
def after_both(x, y, out):
    a, b, ready = cuda.stream(), cuda.stream(), cuda.event()
    d_x, d_y = cuda.to_device(x, stream=a), cuda.to_device(y, stream=a)
    scale[blocks_for(x.size), THREADS, a](d_x, d_x)
    scale[blocks_for(x.size), THREADS, a](d_y, d_y)
    add[blocks_for(x.size), THREADS, a](d_x, d_y, d_y)
    ready.record(a)
    ready.wait(b)
    d_y.copy_to_host(out, stream=b)
    b.synchronize()
