"""Answers to streams.two_buffers."""

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


def rooms(n, count=2):
    return [cuda.pinned_array(n, np.float32) for _ in range(count)], [
        cuda.device_array(n, np.float32) for _ in range(count)
    ]


@right("waits_for_the_buffers_own_stream")
def two_buffers(batches):
    n = batches.shape[1]
    streams = [cuda.stream(), cuda.stream()]
    pinned, device = rooms(n)
    sums = cuda.to_device(np.zeros(len(batches), np.float32))
    for k, batch in enumerate(batches):
        turn = k % 2
        streams[turn].synchronize()
        pinned[turn][...] = batch
        device[turn].copy_to_device(pinned[turn], stream=streams[turn])
        add_up[blocks_for(n), THREADS, streams[turn]](device[turn], sums, k)
    for stream in streams:
        stream.synchronize()
    return sums.copy_to_host()


@right("asks_the_event")
def two_buffers(batches):
    n = batches.shape[1]
    streams, copied = [cuda.stream(), cuda.stream()], [None, None]
    pinned, device = rooms(n)
    sums = cuda.to_device(np.zeros(len(batches), np.float32))
    for k in range(len(batches)):
        turn = k & 1
        while copied[turn] is not None and not copied[turn].query():
            pass
        np.copyto(pinned[turn], batches[k])
        device[turn].copy_to_device(pinned[turn], stream=streams[turn])
        copied[turn] = cuda.event()
        copied[turn].record(streams[turn])
        add_up[blocks_for(n), THREADS, streams[turn]](device[turn], sums, k)
    return sums.copy_to_host()


@right("pairs_of_batches")
def two_buffers(batches):
    n, m = batches.shape[1], len(batches)
    streams = [cuda.stream(), cuda.stream()]
    pinned, device = rooms(n)
    sums = cuda.to_device(np.zeros(m, np.float32))
    for first in range(0, m, 2):
        for turn in range(min(2, m - first)):
            if first:
                streams[turn].synchronize()
            pinned[turn][:] = batches[first + turn]
            device[turn].copy_to_device(pinned[turn], stream=streams[turn])
            add_up[blocks_for(n), THREADS, streams[turn]](device[turn], sums, first + turn)
    cuda.synchronize()
    return sums.copy_to_host()


@right("one_event_for_each_buffer")
def two_buffers(batches):
    n = batches.shape[1]
    streams, copied = [cuda.stream(), cuda.stream()], [cuda.event(), cuda.event()]
    pinned, device = rooms(n)
    sums = cuda.to_device(np.zeros(len(batches), np.float32))
    for k in range(len(batches)):
        s, event = streams[k % 2], copied[k % 2]
        if k > 1:
            event.synchronize()
        pinned[k % 2][:] = batches[k]
        device[k % 2].copy_to_device(pinned[k % 2], stream=s)
        event.record(s)
        add_up[blocks_for(n), THREADS, s](device[k % 2], sums, k)
    cuda.synchronize()
    return sums.copy_to_host()


@right("buffers_in_a_tuple")
def two_buffers(batches):
    n = batches.shape[1]
    sums = cuda.to_device(np.zeros(len(batches), np.float32))
    turns = [(cuda.stream(), *room) for room in zip(*rooms(n), strict=True)]
    for k, batch in enumerate(batches):
        stream, host, there = turns[k % len(turns)]
        stream.synchronize()
        host[:] = batch
        there.copy_to_device(host, stream=stream)
        add_up.forall(n, stream=stream)(there, sums, k)
    result = sums.copy_to_host()
    return result


@right("even_then_odd")
def two_buffers(batches):
    n, m = batches.shape[1], len(batches)
    streams = [cuda.stream(), cuda.stream()]
    pinned, device = rooms(n)
    free = [cuda.event(), cuda.event()]
    for event, stream in zip(free, streams, strict=True):
        event.record(stream)
    sums = cuda.to_device(np.zeros(m, np.float32))
    k = 0
    while k < m:
        turn = k % 2
        free[turn].synchronize()
        pinned[turn][:] = batches[k, :]
        device[turn].copy_to_device(pinned[turn], stream=streams[turn])
        free[turn].record(streams[turn])
        add_up[blocks_for(n), THREADS, streams[turn]](device[turn], sums, k)
        k += 1
    for stream in streams:
        stream.synchronize()
    return sums.copy_to_host()


@wrong("waits_for_the_device_each_time", misconception="waits_for_everything", says="that buffer's own copy")
def two_buffers(batches):
    n, m = batches.shape[1], len(batches)
    streams = [cuda.stream(), cuda.stream()]
    pinned, device = rooms(n)
    sums = cuda.to_device(np.zeros(m, np.float32))
    for k in range(m):
        turn = k % 2
        cuda.synchronize()
        pinned[turn][:] = batches[k]
        device[turn].copy_to_device(pinned[turn], stream=streams[turn])
        add_up[blocks_for(n), THREADS, streams[turn]](device[turn], sums, k)
    cuda.synchronize()
    return sums.copy_to_host()


@wrong("the_draft", misconception="host_goes_on", says="memory that the copy of line")
def two_buffers(batches):
    n = batches.shape[1]
    streams = [cuda.stream(), cuda.stream()]
    pinned, device = rooms(n)
    sums = cuda.to_device(np.zeros(len(batches), np.float32))
    for k in range(len(batches)):
        turn = k % 2
        pinned[turn][:] = batches[k]
        device[turn].copy_to_device(pinned[turn], stream=streams[turn])
        add_up[blocks_for(n), THREADS, streams[turn]](device[turn], sums, k)
    cuda.synchronize()
    return sums.copy_to_host()


@wrong("waits_for_the_other_buffers_copy", misconception="host_goes_on", says="memory that the copy of line")
def two_buffers(batches):
    n = batches.shape[1]
    streams, copied = [cuda.stream(), cuda.stream()], [cuda.event(), cuda.event()]
    pinned, device = rooms(n)
    sums = cuda.to_device(np.zeros(len(batches), np.float32))
    for k in range(len(batches)):
        turn = k % 2
        if k >= 2:
            copied[1 - turn].synchronize()
        pinned[turn][:] = batches[k]
        device[turn].copy_to_device(pinned[turn], stream=streams[turn])
        copied[turn].record(streams[turn])
        add_up[blocks_for(n), THREADS, streams[turn]](device[turn], sums, k)
    cuda.synchronize()
    return sums.copy_to_host()


@wrong("the_event_is_recorded_before_the_copy", misconception="host_goes_on", says="memory that the copy of line")
def two_buffers(batches):
    n = batches.shape[1]
    streams, copied = [cuda.stream(), cuda.stream()], [cuda.event(), cuda.event()]
    pinned, device = rooms(n)
    sums = cuda.to_device(np.zeros(len(batches), np.float32))
    for k in range(len(batches)):
        turn = k % 2
        if k >= 2:
            copied[turn].synchronize()
        pinned[turn][:] = batches[k]
        copied[turn].record(streams[turn])
        device[turn].copy_to_device(pinned[turn], stream=streams[turn])
        add_up[blocks_for(n), THREADS, streams[turn]](device[turn], sums, k)
    cuda.synchronize()
    return sums.copy_to_host()


@wrong("one_device_buffer", misconception="missing_barrier", says="nothing makes")
def two_buffers(batches):
    n = batches.shape[1]
    streams = [cuda.stream(), cuda.stream()]
    pinned, device = rooms(n)
    sums = cuda.to_device(np.zeros(len(batches), np.float32))
    for k in range(len(batches)):
        turn = k % 2
        streams[turn].synchronize()
        pinned[turn][:] = batches[k]
        device[0].copy_to_device(pinned[turn], stream=streams[turn])
        add_up[blocks_for(n), THREADS, streams[turn]](device[0], sums, k)
    cuda.synchronize()
    return sums.copy_to_host()


@wrong(
    "an_array_for_each_batch", misconception="allocates_per_batch", says="Two device buffers and the sums are enough"
)
def two_buffers(batches):
    n = batches.shape[1]
    streams = [cuda.stream(), cuda.stream()]
    pinned, _ = rooms(n)
    sums = cuda.to_device(np.zeros(len(batches), np.float32))
    for k in range(len(batches)):
        turn = k % 2
        streams[turn].synchronize()
        pinned[turn][:] = batches[k]
        device = cuda.to_device(pinned[turn], stream=streams[turn])
        add_up[blocks_for(n), THREADS, streams[turn]](device, sums, k)
    cuda.synchronize()
    return sums.copy_to_host()


@wrong("one_stream", misconception="default_stream", says="With one stream the second buffer has nothing to do")
def two_buffers(batches):
    n = batches.shape[1]
    stream = cuda.stream()
    pinned, device = rooms(n)
    sums = cuda.to_device(np.zeros(len(batches), np.float32))
    for k in range(len(batches)):
        turn = k % 2
        stream.synchronize()
        pinned[turn][:] = batches[k]
        device[turn].copy_to_device(pinned[turn], stream=stream)
        add_up[blocks_for(n), THREADS, stream](device[turn], sums, k)
    stream.synchronize()
    return sums.copy_to_host()


def in_turns(batches, fill, wait):
    """The sums of batches through two streams. fill: what a batch comes through; wait: after every batch."""
    streams = [cuda.stream(), cuda.stream()]
    pinned = [cuda.pinned_array(batches.shape[1], np.float32) for _ in streams]
    device = [cuda.device_array(batches.shape[1], np.float32) for _ in streams]
    sums = cuda.to_device(np.zeros(len(batches), np.float32))
    for k in range(len(batches)):
        s, turn = streams[k % 2], k % 2
        if fill == "pinned":
            s.synchronize()
            pinned[turn][:] = batches[k]
        device[turn].copy_to_device(pinned[turn] if fill == "pinned" else batches[k], stream=s)
        add_up[blocks_for(batches.shape[1]), THREADS, s](device[turn], sums, k)
        if wait:
            s.synchronize()
    cuda.synchronize()
    return sums.copy_to_host()


@wrong("waits_for_every_batch", misconception="no_overlap", says="wait for a buffer when it is about to be filled")
def two_buffers(batches):
    return in_turns(batches, "pinned", True)


@wrong("from_ordinary_memory", misconception="not_pinned", says="one of two pinned buffers")
def two_buffers(batches):
    return in_turns(batches, "none", False)


@wrong("sums_of_the_host", misconception="nothing_on_device", says="whatever comes back from the device")
def two_buffers(batches):
    in_turns(batches, "pinned", False)
    return batches.sum(axis=1)


@wrong("sums_that_never_come_down", misconception="nothing_on_device", says="nothing comes back from the device")
def two_buffers(batches):
    streams = [cuda.stream(), cuda.stream()]
    pinned, device = rooms(batches.shape[1])
    sums = cuda.to_device(np.zeros(len(batches), np.float32))
    for k, batch in enumerate(batches):
        turn = k % 2
        streams[turn].synchronize()
        pinned[turn][:] = batch
        device[turn].copy_to_device(pinned[turn], stream=streams[turn])
        add_up[blocks_for(batch.size), THREADS, streams[turn]](device[turn], sums, k)
    cuda.synchronize()
    return batches.sum(axis=1)


@wrong("pins_for_every_batch", misconception="allocates_per_batch", says="Two pinned buffers take turns")
def two_buffers(batches):
    streams = [cuda.stream(), cuda.stream()]
    device = rooms(batches.shape[1])[1]
    kept = []  # what a copy still reads
    sums = cuda.to_device(np.zeros(len(batches), np.float32))
    for k, batch in enumerate(batches):
        turn = k % 2
        kept.append(cuda.pinned_array(batch.size, np.float32))
        kept[k][:] = batch
        device[turn].copy_to_device(kept[k], stream=streams[turn])
        add_up[blocks_for(batch.size), THREADS, streams[turn]](device[turn], sums, k)
    cuda.synchronize()
    return sums.copy_to_host()


@wrong("waits_for_the_first_hundred", misconception="host_goes_on", says="nothing makes the host wait")
def two_buffers(batches):
    streams = [cuda.stream(), cuda.stream()]
    pinned, device = rooms(batches.shape[1])
    sums = cuda.to_device(np.zeros(len(batches), np.float32))
    for k, batch in enumerate(batches):
        turn = k % 2
        if k < 100:
            streams[turn].synchronize()
        pinned[turn][:] = batch
        device[turn].copy_to_device(pinned[turn], stream=streams[turn])
        add_up[blocks_for(batch.size), THREADS, streams[turn]](device[turn], sums, k)
    cuda.synchronize()
    return sums.copy_to_host()
