"""Answers to memory_kinds.few_of_many."""

import numpy as np
from numba import cuda

from autograder.exercises.catalogue import right, wrong

THREADS = 128


def blocks_for(n):
    return max(1, (n + THREADS - 1) // THREADS)


@cuda.jit
def gather(table, picks, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = table[picks[i]]


@right("everything_mapped")
def few_of_many(table, picks):
    out = np.empty(len(picks), np.float32)
    with cuda.mapped(table, picks, out) as (far, far_picks, far_out):
        gather[blocks_for(len(picks)), THREADS](far, far_picks, far_out)
        cuda.synchronize()
    return out


@right("result_in_a_mapped_array")
def few_of_many(table, picks):
    out = cuda.mapped_array(picks.size, np.float32)
    with cuda.mapped(table) as far:
        gather[blocks_for(picks.size), THREADS](far, cuda.to_device(picks), out)
        cuda.synchronize()
    return np.array(out)


@right("in_a_stream")
def few_of_many(table, picks):
    stream = cuda.stream()
    d_picks = cuda.to_device(picks, stream=stream)
    d_out = cuda.device_array(picks.shape, np.float32, stream=stream)
    with cuda.mapped(table, stream=stream) as far:
        gather[blocks_for(picks.size), THREADS, stream](far, d_picks, d_out)
        stream.synchronize()
    return d_out.copy_to_host()


@right("a_kernel_of_its_own")
def few_of_many(table, picks):
    @cuda.jit
    def pick(table, picks, out):
        for i in range(cuda.grid(1), picks.size, cuda.gridsize(1)):
            out[i] = table[picks[i]]

    d_out = cuda.device_array(picks.size, table.dtype)
    with cuda.mapped(table) as far:
        pick[2, 64](far, cuda.to_device(picks), d_out)
        out = d_out.copy_to_host()
    return out


@right("result_into_an_array_of_the_host")
def few_of_many(table, picks):
    out = np.empty(picks.size, np.float32)
    d_out = cuda.device_array_like(out)
    with cuda.mapped(table) as far:
        gather[blocks_for(picks.size), THREADS](far, cuda.to_device(picks), d_out)
        d_out.copy_to_host(out)
    return out


@right("picks_as_a_host_array")
def few_of_many(table, picks):
    d_out = cuda.device_array(picks.size, np.float32)
    with cuda.mapped(table) as far:
        gather[blocks_for(picks.size), THREADS](far, picks, d_out)
        return d_out.copy_to_host()


@wrong("copies_the_table", misconception="copies_the_table", says="table of 80,000 bytes")
def few_of_many(table, picks):
    d_out = cuda.device_array(picks.size, np.float32)
    gather[blocks_for(picks.size), THREADS](cuda.to_device(table), cuda.to_device(picks), d_out)
    return d_out.copy_to_host()


@wrong("copies_without_a_word", misconception="copies_the_table", says="table of 80,000 bytes")
def few_of_many(table, picks):
    out = np.empty(picks.size, np.float32)
    gather[blocks_for(picks.size), THREADS](table, picks, out)
    return out


@wrong("pinned_and_copied", misconception="copies_the_table", says="table of 80,000 bytes")
def few_of_many(table, picks):
    d_out = cuda.device_array(picks.size, np.float32)
    with cuda.pinned(table):
        gather[blocks_for(picks.size), THREADS](cuda.to_device(table), cuda.to_device(picks), d_out)
        return d_out.copy_to_host()


@wrong("host_picks", misconception="nothing_on_device", says="launched no kernel")
def few_of_many(table, picks):
    return table[picks]


@wrong("host_gathers_first", misconception="nothing_on_device", says="what the host picked out of them")
def few_of_many(table, picks):
    d_out = cuda.device_array(picks.size, np.float32)
    every = np.arange(picks.size, dtype=np.int32)
    gather[blocks_for(picks.size), THREADS](cuda.to_device(table[picks]), cuda.to_device(every), d_out)
    return d_out.copy_to_host()


@wrong("maps_what_the_host_picked", misconception="nothing_on_device", says="what the host picked out of them")
def few_of_many(table, picks):
    d_out = cuda.device_array(picks.size, np.float32)
    every = np.arange(picks.size, dtype=np.int32)
    with cuda.mapped(table[picks]) as far:
        gather[blocks_for(picks.size), THREADS](far, cuda.to_device(every), d_out)
        return d_out.copy_to_host()


@right("table_copied_into_mapped_memory")
def few_of_many(table, picks):
    far = cuda.mapped_array_like(table)
    far[:] = table
    d_out = cuda.device_array(picks.size, np.float32)
    gather[blocks_for(picks.size), THREADS](far, cuda.to_device(picks), d_out)
    return d_out.copy_to_host()


@wrong("mapping_ends_too_early", misconception="host_goes_on", says="unmapped")
def few_of_many(table, picks):
    d_picks, d_out = cuda.to_device(picks), cuda.device_array(picks.size, np.float32)
    with cuda.mapped(table) as far:
        gather[blocks_for(picks.size), THREADS](far, d_picks, d_out)
    return d_out.copy_to_host()


@wrong("mapped_result_returned_too_early", misconception="host_goes_on", says="out")
def few_of_many(table, picks):
    out = np.empty(picks.size, np.float32)
    with cuda.mapped(table, out) as (far, far_out):
        gather[blocks_for(picks.size), THREADS](far, cuda.to_device(picks), far_out)
    return out


@wrong("picks_ignored", misconception="picks_ignored", says="first elements")
def few_of_many(table, picks):
    every = np.arange(picks.size, dtype=np.int32)
    d_out = cuda.device_array(picks.size, np.float32)
    with cuda.mapped(table) as far:
        gather[blocks_for(picks.size), THREADS](far, cuda.to_device(every), d_out)
        return d_out.copy_to_host()


@wrong("one_block_only", misconception="only_first_block", says="only the first 128")
def few_of_many(table, picks):
    d_out = cuda.device_array(picks.size, np.float32)
    with cuda.mapped(table) as far:
        gather[1, THREADS](far, cuda.to_device(picks), d_out)
        return d_out.copy_to_host()
