"""Answers to streams.shared_job."""

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


@right("half_and_half")
def shared_job(x, out):
    s, cut = cuda.stream(), (x.size + 1) // 2
    d = cuda.to_device(x[:cut], stream=s)
    scale[blocks_for(cut), THREADS, s](d, d)
    d.copy_to_host(out[:cut], stream=s)
    np.multiply(x[cut:], np.float32(2), out=out[cut:])
    out[cut:] += 1
    s.synchronize()


@right("the_device_takes_the_end")
def shared_job(x, out):
    s, cut = cuda.stream(), x.size // 4
    d_x, d_out = cuda.to_device(x[cut:], stream=s), cuda.device_array(x.size - cut, np.float32)
    scale[blocks_for(d_x.size), THREADS, s](d_x, d_out)
    d_out.copy_to_host(out[cut:], stream=s)
    for i in range(0, cut, 100):
        out[i : min(i + 100, cut)] = 2 * x[i : min(i + 100, cut)] + 1
    cuda.synchronize()


@right("two_streams_and_the_host")
def shared_job(x, out):
    third = max(1, x.size // 3)
    for part in (slice(0, third), slice(third, 2 * third)):
        if x[part].size:
            s = cuda.stream()
            d = cuda.to_device(x[part], stream=s)
            scale[blocks_for(d.size), THREADS, s](d, d)
            d.copy_to_host(out[part], stream=s)
    out[2 * third :] = 2 * x[2 * third :] + 1
    cuda.synchronize()


@right("an_event_behind_the_copy")
def shared_job(x, out):
    s, done = cuda.stream(), cuda.event()
    cut = max(1, 2 * x.size // 3)
    d = cuda.to_device(x[:cut], stream=s)
    scale.forall(cut, stream=s)(d, d)
    d.copy_to_host(out[:cut], stream=s)
    done.record(s)
    out[cut:] = x[cut:] * 2 + 1
    done.synchronize()


@right("the_middle_for_the_device")
def shared_job(x, out):
    s = cuda.stream()
    first, last = x.size // 8, x.size - x.size // 8
    d = cuda.to_device(x[first:last], stream=s)
    scale[blocks_for(d.size), THREADS, s](d, d)
    d.copy_to_host(out[first:last], stream=s)
    for part in (slice(None, first), slice(last, None)):
        out[part] = 2 * x[part] + 1
    s.synchronize()


@right("fills_its_own_arrays")
def shared_job(x, out):
    cut = x.size - x.size // 3
    stream = cuda.stream()
    d_x, d_out = cuda.device_array(cut, np.float32), cuda.device_array(cut, np.float32)
    d_x.copy_to_device(x[:cut], stream=stream)
    scale[blocks_for(cut), THREADS, stream](d_x, d_out)
    d_out.copy_to_host(out[:cut], stream=stream)
    np.add(x[cut:], x[cut:], out=out[cut:])
    out[cut:] += np.float32(1)
    cuda.synchronize()


@wrong("the_device_does_it_all", misconception="host_idles", says="the host's part")
def shared_job(x, out):
    s = cuda.stream()
    d = cuda.to_device(x, stream=s)
    scale[blocks_for(x.size), THREADS, s](d, d)
    d.copy_to_host(out, stream=s)
    s.synchronize()


@wrong("a_quarter_for_the_device", misconception="unfair", says="at least half is its part")
def shared_job(x, out):
    s, cut = cuda.stream(), max(1, x.size // 4)
    d = cuda.to_device(x[:cut], stream=s)
    scale[blocks_for(cut), THREADS, s](d, d)
    d.copy_to_host(out[:cut], stream=s)
    out[cut:] = 2 * x[cut:] + 1
    s.synchronize()


@wrong("nobody_waits", misconception="host_goes_on", says="The function returns while the copy")
def shared_job(x, out):
    s, cut = cuda.stream(), max(1, x.size * 3 // 4)
    d = cuda.to_device(x[:cut], stream=s)
    scale[blocks_for(cut), THREADS, s](d, d)
    d.copy_to_host(out[:cut], stream=s)
    out[cut:] = 2 * x[cut:] + 1


@wrong("the_host_writes_into_the_devices_part", misconception="host_goes_on", says="while the copy of line")
def shared_job(x, out):
    s, cut = cuda.stream(), max(1, x.size * 3 // 4)
    d = cuda.to_device(x[:cut], stream=s)
    scale[blocks_for(cut), THREADS, s](d, d)
    d.copy_to_host(out[:cut], stream=s)
    out[cut - 1 :] = 2 * x[cut - 1 :] + 1
    s.synchronize()


@wrong("waits_for_the_copy_up_first", misconception="host_waits_early", says="Wait once, after the host's own part")
def shared_job(x, out):
    s, cut = cuda.stream(), max(1, x.size * 3 // 4)
    d = cuda.to_device(x[:cut], stream=s)
    s.synchronize()
    scale[blocks_for(cut), THREADS, s](d, d)
    d.copy_to_host(out[:cut], stream=s)
    out[cut:] = 2 * x[cut:] + 1
    s.synchronize()


@wrong("the_host_first", misconception="host_works_alone", says="overlaps nothing")
def shared_job(x, out):
    s, cut = cuda.stream(), max(1, x.size * 3 // 4)
    out[cut:] = 2 * x[cut:] + 1
    d = cuda.to_device(x[:cut], stream=s)
    scale[blocks_for(cut), THREADS, s](d, d)
    d.copy_to_host(out[:cut], stream=s)
    s.synchronize()


@wrong("a_copy_that_waits_before_the_host", misconception="host_works_alone", says="overlaps nothing")
def shared_job(x, out):
    s, cut = cuda.stream(), max(1, x.size * 3 // 4)
    d = cuda.device_array(cut, np.float32)
    d.copy_to_device(x[:cut], stream=s)
    scale[blocks_for(cut), THREADS, s](d, d)
    d.copy_to_host(out[:cut])
    out[cut:] = 2 * x[cut:] + 1


@wrong("a_copy_on_the_stream_that_the_array_came_by", misconception="host_goes_on", says="may still write")
def shared_job(x, out):
    s, cut = cuda.stream(), max(1, x.size * 3 // 4)
    d = cuda.to_device(x[:cut], stream=s)
    scale[blocks_for(cut), THREADS, s](d, d)
    d.copy_to_host(out[:cut])
    out[cut:] = 2 * x[cut:] + 1


@wrong("numpy", misconception="nothing_on_device", says="launched no kernel")
def shared_job(x, out):
    out[:] = 2 * x + 1


@wrong("the_host_does_the_devices_part_again", misconception="nothing_on_device", says="whatever comes back")
def shared_job(x, out):
    cut = max(1, x.size * 3 // 4)
    stream = cuda.stream()
    d_x = cuda.to_device(x[:cut], stream=stream)
    scale[blocks_for(cut), THREADS, stream](d_x, d_x)
    d_x.copy_to_host(out[:cut], stream=stream)
    out[cut:] = 2 * x[cut:] + 1
    stream.synchronize()
    out[:cut] = 2 * x[:cut] + 1


@wrong("nothing_comes_down", misconception="nothing_on_device", says="nothing comes back from the device")
def shared_job(x, out):
    cut = max(1, x.size * 3 // 4)
    stream = cuda.stream()
    d_x = cuda.to_device(x[:cut], stream=stream)
    scale[blocks_for(cut), THREADS, stream](d_x, d_x)
    out[:] = 2 * x + 1
    stream.synchronize()
