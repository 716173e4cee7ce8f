"""Answers to memory_kinds.in_rounds."""

import numpy as np
from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.host.managed import prefetch

THREADS = 128


def blocks_for(n):
    return max(1, (n + THREADS - 1) // THREADS)


@cuda.jit
def relax(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = x[i] / float32(2) + float32(1)


@right("default_stream")
def in_rounds(x, rounds):
    shared = cuda.managed_array(x.shape, x.dtype)
    shared[:] = x
    prefetch(shared)
    notes = []
    for _ in range(rounds):
        relax[blocks_for(len(x)), THREADS](shared)
        cuda.synchronize()
        notes.append(shared[0])
    prefetch(shared, to_host=True)
    cuda.synchronize()
    return np.array(notes, np.float32), np.array(shared)


@right("only_page_0_comes_back")
def in_rounds(x, rounds):
    stream = cuda.stream()
    shared = cuda.managed_array(x.size, np.float32)
    np.copyto(shared, x)
    notes = np.empty(rounds, np.float32)
    for k in range(rounds):
        prefetch(shared if k == 0 else shared[:1], stream)
        relax[blocks_for(x.size), THREADS, stream](shared)
        prefetch(shared[:1], stream, to_host=True)
        stream.synchronize()
        notes[k] = shared[0]
    prefetch(shared, stream, to_host=True)
    stream.synchronize()
    return notes, shared.copy()


@right("with_an_event")
def in_rounds(x, rounds):
    stream, done = cuda.stream(), cuda.event()
    shared = cuda.managed_array(x.size, np.float32, stream=stream)
    shared[...] = x
    prefetch(shared, stream)
    notes, k = np.zeros(rounds, np.float32), 0
    while k < rounds:
        relax[blocks_for(x.size), THREADS, stream](shared)
        done.record(stream)
        done.synchronize()
        notes[k] = shared[0]
        k += 1
    prefetch(shared, stream, to_host=True)
    stream.synchronize()
    return notes, shared.copy()


@right("a_kernel_of_its_own")
def in_rounds(x, rounds):
    @cuda.jit
    def half_and_one(v):
        for i in range(cuda.grid(1), v.size, cuda.gridsize(1)):
            v[i] = float32(0.5) * v[i] + float32(1)

    shared = cuda.managed_array(x.size, np.float32)
    shared[:] = x
    prefetch(shared)
    notes = np.zeros(rounds, np.float32)
    for k in range(rounds):
        half_and_one[32, 64](shared)
        cuda.synchronize()
        notes[k] = shared[0]
    prefetch(shared, to_host=True)
    cuda.synchronize()
    return notes, shared.copy()


@right("returns_the_managed_array")
def in_rounds(x, rounds):
    shared = cuda.managed_array(x.size, np.float32)
    shared[:] = x
    prefetch(shared)
    notes = np.zeros(rounds, np.float32)
    for k in range(rounds):
        relax[blocks_for(x.size), THREADS](shared)
        cuda.synchronize()
        notes[k] = shared[0]
    prefetch(shared, to_host=True)
    cuda.synchronize()
    return notes, shared


@right("prefetches_in_two_halves")
def in_rounds(x, rounds):
    stream = cuda.stream()
    shared = cuda.managed_array(x.size, np.float32)
    shared[:] = x
    middle = x.size // 2
    for part in (shared[:middle], shared[middle:]):
        if part.size:
            prefetch(part, stream)
    notes = np.zeros(rounds, np.float32)
    for k in range(rounds):
        relax[blocks_for(x.size), THREADS, stream](shared)
        stream.synchronize()
        notes[k] = shared[0]
    prefetch(shared, stream, to_host=True)
    stream.synchronize()
    return notes, shared.copy()


@wrong("reads_too_early", misconception="host_goes_on", says="may still write `shared`")
def in_rounds(x, rounds):
    shared = cuda.managed_array(x.size, np.float32)
    shared[:] = x
    prefetch(shared)
    notes = np.zeros(rounds, np.float32)
    for k in range(rounds):
        relax[blocks_for(x.size), THREADS](shared)
        notes[k] = shared[0]
    prefetch(shared, to_host=True)
    cuda.synchronize()
    return notes, shared.copy()


@wrong("waits_for_another_stream", misconception="host_goes_on", says="may still write `shared`")
def in_rounds(x, rounds):
    stream, other = cuda.stream(), cuda.stream()
    shared = cuda.managed_array(x.size, np.float32)
    shared[:] = x
    prefetch(shared, stream)
    notes = np.zeros(rounds, np.float32)
    for k in range(rounds):
        relax[blocks_for(x.size), THREADS, stream](shared)
        other.synchronize()
        notes[k] = shared[0]
    prefetch(shared, stream, to_host=True)
    stream.synchronize()
    return notes, shared.copy()


@wrong("returned_while_written", misconception="host_goes_on", says="may still write `shared`")
def in_rounds(x, rounds):
    stream = cuda.stream()
    shared = cuda.managed_array(x.size, np.float32)
    shared[:] = x
    prefetch(shared, stream)
    notes = np.zeros(rounds, np.float32)
    for k in range(rounds):
        if k:
            stream.synchronize()
            notes[k - 1] = shared[0]
        relax[blocks_for(x.size), THREADS, stream](shared)
    notes[rounds - 1] = shared[0]
    stream.synchronize()
    return notes, shared.copy()


@wrong("no_prefetch", misconception="no_prefetch", says="page 0 goes back and forth")
def in_rounds(x, rounds):
    shared = cuda.managed_array(x.size, np.float32)
    shared[:] = x
    notes = np.zeros(rounds, np.float32)
    for k in range(rounds):
        relax[blocks_for(x.size), THREADS](shared)
        cuda.synchronize()
        notes[k] = shared[0]
    return notes, shared.copy()


@wrong("reads_all_of_it_each_round", misconception="no_prefetch", says="page 0 goes back and forth")
def in_rounds(x, rounds):
    shared = cuda.managed_array(x.size, np.float32)
    shared[:] = x
    prefetch(shared)
    notes = np.zeros(rounds, np.float32)
    for k in range(rounds):
        relax[blocks_for(x.size), THREADS](shared)
        cuda.synchronize()
        notes[k] = shared.copy()[0]
    return notes, shared.copy()


@wrong("copies_up_and_down", misconception="copies_as_well", says="managed memory needs no copies")
def in_rounds(x, rounds):
    d_x = cuda.to_device(x)
    notes = np.zeros(rounds, np.float32)
    for k in range(rounds):
        relax[blocks_for(x.size), THREADS](d_x)
        notes[k] = d_x[:1].copy_to_host()[0]
    return notes, d_x.copy_to_host()


@wrong("a_new_array_each_round", misconception="allocates", says="one managed array is enough")
def in_rounds(x, rounds):
    notes, now = np.zeros(rounds, np.float32), x
    for k in range(rounds):
        shared = cuda.managed_array(x.size, np.float32)
        shared[:] = now
        prefetch(shared)
        relax[blocks_for(x.size), THREADS](shared)
        prefetch(shared, to_host=True)
        cuda.synchronize()
        notes[k] = shared[0]
        now = shared.copy()
    return notes, now


@wrong("notes_before_the_round", misconception="one_round_less", says="one round too few")
def in_rounds(x, rounds):
    shared = cuda.managed_array(x.size, np.float32)
    shared[:] = x
    prefetch(shared[1:] if x.size > 1024 else shared)
    notes = np.zeros(rounds, np.float32)
    for k in range(rounds):
        cuda.synchronize()
        notes[k] = shared[0]
        if k < rounds - 1:
            relax[blocks_for(x.size), THREADS](shared)
    prefetch(shared, to_host=True)
    cuda.synchronize()
    return notes, shared.copy()


@wrong("on_the_host_beside_a_launch", misconception="nothing_on_device", says="whatever comes back")
def in_rounds(x, rounds):
    shared = cuda.managed_array(x.size, np.float32)
    shared[:] = x
    notes = np.zeros(rounds, np.float32)
    relax[1, 1](shared[:1])
    cuda.synchronize()
    shared[:] = x
    for k in range(rounds):
        shared[:] = shared / np.float32(2) + np.float32(1)
        notes[k] = shared[0]
    return notes, shared.copy()


@wrong("on_the_host", misconception="nothing_on_device", says="launched no kernel")
def in_rounds(x, rounds):
    shared = cuda.managed_array(x.size, np.float32)
    shared[:] = x
    notes = np.zeros(rounds, np.float32)
    for k in range(rounds):
        shared[:] = shared / np.float32(2) + np.float32(1)
        notes[k] = shared[0]
    return notes, shared.copy()
