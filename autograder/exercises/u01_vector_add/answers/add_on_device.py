"""Answers to vector_add.add_on_device."""

import numpy as np
from numba import cuda

from autograder.exercises.catalogue import right, style, wrong

THREADS = 256


@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]


def blocks_for(n, threads):
    return max(1, (n + threads - 1) // threads)


@right("one_line_a_step")
def add_on_device(a, b):
    d_a = cuda.to_device(a)
    d_b = cuda.to_device(b)
    d_out = cuda.device_array(a.shape, dtype=np.float32)
    vector_add[blocks_for(len(a), THREADS), THREADS](d_a, d_b, d_out)
    cuda.synchronize()
    return d_out.copy_to_host()


@right("in_place_into_its_own_array")
def add_on_device(a, b):
    out = np.empty_like(a)
    d_a, d_b = cuda.to_device(a), cuda.to_device(b)
    vector_add[blocks_for(a.size, THREADS), THREADS](d_a, d_b, d_a)
    d_a.copy_to_host(out)
    return out


@wrong("numpy_arrays_handed_in", misconception="host_array", says="copies every NumPy array that a kernel is handed")
def add_on_device(a, b):
    out = np.empty_like(a)
    vector_add[blocks_for(a.size, THREADS), THREADS](a, b, out)
    return out


@wrong("output_copied_up", misconception="too_many_transfers", says="two inputs up and one output down")
def add_on_device(a, b):
    d_a, d_b = cuda.to_device(a), cuda.to_device(b)
    d_out = cuda.to_device(np.zeros_like(a))
    vector_add[blocks_for(a.size, THREADS), THREADS](d_a, d_b, d_out)
    return d_out.copy_to_host()


@wrong("warms_up_in_every_call", misconception="too_many_launches", says="One launch adds every element")
def add_on_device(a, b):
    d_a, d_b = cuda.to_device(a), cuda.to_device(b)
    d_out = cuda.device_array_like(d_a)
    blocks = blocks_for(a.size, THREADS)
    vector_add[blocks, THREADS](d_a, d_b, d_out)
    cuda.synchronize()
    vector_add[blocks, THREADS](d_a, d_b, d_out)
    return d_out.copy_to_host()


@wrong("returns_the_device_array", misconception="wrong_return", says="device")
def add_on_device(a, b):
    d_a, d_b = cuda.to_device(a), cuda.to_device(b)
    d_out = cuda.device_array_like(d_a)
    vector_add[blocks_for(a.size, THREADS), THREADS](d_a, d_b, d_out)
    return d_out


@wrong("blocks_and_threads_swapped", misconception="launch_too_large", says="1,024")
def add_on_device(a, b):
    d_a, d_b = cuda.to_device(a), cuda.to_device(b)
    d_out = cuda.device_array_like(d_a)
    vector_add[THREADS, blocks_for(a.size, THREADS)](d_a, d_b, d_out)
    return d_out.copy_to_host()


@wrong("one_block", misconception="only_first_block", says="one block of")
def add_on_device(a, b):
    d_a, d_b = cuda.to_device(a), cuda.to_device(b)
    d_out = cuda.device_array_like(d_a)
    vector_add[1, THREADS](d_a, d_b, d_out)
    return d_out.copy_to_host()


@wrong("default_dtype", misconception="wrong_return", says="dtype float64, expected float32")
def add_on_device(a, b):
    d_a, d_b = cuda.to_device(a), cuda.to_device(b)
    d_out = cuda.device_array(a.shape)
    vector_add[blocks_for(a.size, THREADS), THREADS](d_a, d_b, d_out)
    return d_out.copy_to_host()


@wrong("never_copied_back", misconception="output_not_written", says="never copied down")
def add_on_device(a, b):
    out = np.zeros_like(a)
    d_a, d_b, d_out = cuda.to_device(a), cuda.to_device(b), cuda.to_device(out)
    vector_add[blocks_for(a.size, THREADS), THREADS](d_a, d_b, d_out)
    return out


@style("stream_and_wait")
def add_on_device(a, b):
    stream = cuda.stream()
    d_a = cuda.to_device(a, stream=stream)
    d_b = cuda.to_device(b, stream=stream)
    d_out = cuda.device_array(a.shape, dtype=a.dtype, stream=stream)
    vector_add[blocks_for(len(a), 128), 128, stream](d_a, d_b, d_out)
    out = d_out.copy_to_host(stream=stream)
    stream.synchronize()
    return out


@style("into_a")
def add_on_device(a, b):
    d_a = cuda.to_device(a)
    vector_add[blocks_for(a.size, THREADS), THREADS](d_a, cuda.to_device(b), d_a)
    return d_a.copy_to_host()


@style("copies_into_empty")
def add_on_device(a, b):
    result = np.empty_like(a)
    d_a, d_b, d_out = cuda.to_device(a), cuda.to_device(b), cuda.device_array(a.size, np.float32)
    vector_add.forall(a.size)(d_a, d_b, d_out) if a.size else None
    d_out.copy_to_host(result)
    return result


@wrong("brings_it_down_and_adds_itself", misconception="nothing_on_device", says="whatever comes back")
def add_on_device(a, b):
    d_a, d_b = cuda.to_device(a), cuda.to_device(b)
    d_out = cuda.device_array_like(d_a)
    vector_add[blocks_for(a.size, THREADS), THREADS](d_a, d_b, d_out)
    d_out.copy_to_host()
    return a + b
