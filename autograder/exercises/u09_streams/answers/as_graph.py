"""Answers to streams.as_graph."""

import numpy as np
from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.cuda_graphs import capture

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


def compile_first():
    add_one[1, 1](cuda.to_device(np.zeros(1, np.float32)))


@right("the_default_stream_replays")
def as_graph(x, replays):
    compile_first()
    stream = cuda.stream()
    with capture(stream) as graph:
        launch = add_one[blocks_for(x.size), THREADS, stream]
        for _ in range(20):
            launch(x)
    k = 0
    while k < replays:
        graph.replay(stream)
        k += 1
    cuda.synchronize()


@right("one_launch_more_in_each_turn_of_a_loop")
def as_graph(x, replays):
    stream = cuda.stream()
    compile_first()
    with capture(stream) as graph:
        for _ in range(10):
            add_one.forall(x.size, stream=stream)(x)
            add_one.forall(x.size, stream=stream)(x)
    for _ in range(int(replays)):
        graph.replay(stream)
    stream.synchronize()


@right("a_list_of_launches")
def as_graph(x, replays):
    compile_first()
    stream = cuda.stream()
    launches = [add_one[blocks_for(x.size), THREADS, stream]] * 20
    with capture(stream) as graph:
        for launch in launches:
            launch(x)
    for _ in range(replays):
        graph.replay()
    stream.synchronize()


@right("replays_in_another_stream")
def as_graph(x, replays):
    compile_first()
    kept, played = cuda.stream(), cuda.stream()
    with capture(kept) as graph:
        for _ in range(20):
            add_one[blocks_for(x.size), THREADS, kept](x)
    for _ in range(replays):
        graph.replay(played)
    played.synchronize()


@right("other_blocks")
def as_graph(x, replays):
    compile_first()
    stream, n = cuda.stream(), x.size
    with capture(stream) as graph:
        for k in range(20):
            threads = 128 if k % 2 else 256
            add_one[max(1, -(-n // threads)), threads, stream](x)
    for _ in range(replays):
        graph.replay(stream)
    cuda.synchronize()


@right("an_event_says_when")
def as_graph(x, replays):
    compile_first()
    stream, done = cuda.stream(), cuda.event()
    with capture(stream) as graph:
        for _ in range(20):
            add_one[blocks_for(x.size), THREADS, stream](x)
    left = replays
    while left > 0:
        graph.replay(stream)
        left -= 1
    done.record(stream)
    done.synchronize()


@wrong("launched_every_time", misconception="not_replayed", says="a graph starts its 20 kernels with one call")
def as_graph(x, replays):
    stream = cuda.stream()
    for _ in range(20 * replays):
        add_one[blocks_for(x.size), THREADS, stream](x)
    stream.synchronize()


@wrong("captured_again_for_every_pass", misconception="wrong_count", says="One pass ran")
def as_graph(x, replays):
    compile_first()
    stream = cuda.stream()
    for _ in range(replays):
        with capture(stream) as graph:
            for _ in range(20):
                add_one[blocks_for(x.size), THREADS, stream](x)
    graph.replay(stream)
    stream.synchronize()


@wrong("replayed_once", misconception="wrong_count", says="One pass ran")
def as_graph(x, replays):
    compile_first()
    stream = cuda.stream()
    with capture(stream) as graph:
        for _ in range(20):
            add_one[blocks_for(x.size), THREADS, stream](x)
    graph.replay(stream)
    stream.synchronize()


@wrong("replays_once_too_often", misconception="wrong_count", says="replay as often as")
def as_graph(x, replays):
    stream = cuda.stream()
    add_one[1, 1](cuda.to_device(np.zeros(1, np.float32)))
    with capture(stream) as graph:
        for _ in range(20):
            add_one[blocks_for(x.size), THREADS, stream](x)
    for _ in range(replays + 1):
        graph.replay(stream)
    stream.synchronize()


@wrong("warmed_up_on_x", misconception="wrong_count", says="One step too many ran")
def as_graph(x, replays):
    stream = cuda.stream()
    add_one[blocks_for(x.size), THREADS, stream](x)
    stream.synchronize()
    with capture(stream) as graph:
        for _ in range(20):
            add_one[blocks_for(x.size), THREADS, stream](x)
    for _ in range(replays):
        graph.replay(stream)
    stream.synchronize()


@wrong(
    "waits_inside_the_capture",
    misconception="exception",
    says="cannot be waited for while it is captured",
    outcome="Crashed",
)
def as_graph(x, replays):
    compile_first()
    stream = cuda.stream()
    with capture(stream) as graph:
        for _ in range(20):
            add_one[blocks_for(x.size), THREADS, stream](x)
            stream.synchronize()
    for _ in range(replays):
        graph.replay(stream)
    stream.synchronize()


@wrong("one_launch_captured", misconception="not_replayed", says="a graph starts its 20 kernels with one call")
def as_graph(x, replays):
    compile_first()
    stream = cuda.stream()
    with capture(stream) as graph:
        add_one[blocks_for(x.size), THREADS, stream](x)
    for _ in range(20 * replays):
        graph.replay(stream)
    stream.synchronize()


@wrong("a_capture_for_every_pass", misconception="not_replayed", says="a graph starts its 20 kernels with one call")
def as_graph(x, replays):
    compile_first()
    stream = cuda.stream()
    for _ in range(replays):
        with capture(stream) as graph:
            for _ in range(20):
                add_one[blocks_for(x.size), THREADS, stream](x)
        graph.replay(stream)
    stream.synchronize()


@wrong("all_passes_in_one_graph", misconception="not_replayed", says="A graph holds one pass")
def as_graph(x, replays):
    stream = cuda.stream()
    add_one[1, 1](cuda.to_device(np.zeros(1, np.float32)))
    with capture(stream) as graph:
        for _ in range(20 * replays):
            add_one[blocks_for(x.size), THREADS, stream](x)
    graph.replay(stream)
    stream.synchronize()


@wrong("one_kernel_adds_twenty", misconception="not_replayed", says="not kernels")
def as_graph(x, replays):
    @cuda.jit
    def add_twenty(x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] += float32(20)

    stream = cuda.stream()
    with capture(stream) as graph:
        add_twenty[blocks_for(x.size), THREADS, stream](x)
    for _ in range(replays):
        graph.replay(stream)
    stream.synchronize()


@wrong("one_pass_at_least", misconception="wrong_formula", says="its loop ends at the wrong place")
def as_graph(x, replays):
    stream = cuda.stream()
    with capture(stream) as graph:
        for _ in range(20):
            add_one[blocks_for(x.size), THREADS, stream](x)
    for _ in range(max(1, replays)):
        graph.replay(stream)
    stream.synchronize()
