"""Answers to engine_kernels.time_kernels."""

import numpy as np

from autograder.exercises.catalogue import right, wrong


@right("sorted_by_hand")
def time_kernels(device, n_kernels, rounds):
    for k in range(n_kernels):
        device.launch(k)  # compiles it
    times = np.zeros((rounds, n_kernels))
    for r in range(rounds):
        for k in range(n_kernels):  # all of them in each round: they share the drift
            device.flush()
            device.wait()
            begin = device.clock()
            device.launch(k)
            device.wait()
            times[r, k] = device.clock() - begin
    times.sort(axis=0)
    return (times[(rounds - 1) // 2] + times[rounds // 2]) / 2


@right("rounds_turned")
def time_kernels(device, n_kernels, rounds):
    for k in range(n_kernels):
        device.launch(k)  # compiles it
    times = np.zeros((rounds, n_kernels))
    for r in range(rounds):
        for k in range(n_kernels) if r % 2 == 0 else range(n_kernels - 1, -1, -1):
            device.flush()
            device.wait()
            begin = device.clock()
            device.launch(k)
            device.wait()
            times[r, k] = device.clock() - begin
    return np.median(times, axis=0)


@right("warm_up_waited_for")
def time_kernels(device, n_kernels, rounds):
    for k in range(n_kernels):
        device.launch(k)
        device.wait()
    times = np.zeros((rounds, n_kernels))
    for r in range(rounds):
        for k in range(n_kernels):  # all of them in each round: they share the drift
            device.flush()
            device.wait()
            begin = device.clock()
            device.launch(k)
            device.wait()
            times[r, k] = device.clock() - begin
    return np.median(times, axis=0)


@wrong("no_warm_up", misconception="no_warm_up", says="compiles")
def time_kernels(device, n_kernels, rounds):
    times = np.zeros((rounds, n_kernels))
    for r in range(rounds):
        for k in range(n_kernels):  # all of them in each round: they share the drift
            device.flush()
            device.wait()
            begin = device.clock()
            device.launch(k)
            device.wait()
            times[r, k] = device.clock() - begin
    return np.median(times, axis=0)


@wrong("mean", misconception="mean_of_rounds", says="median")
def time_kernels(device, n_kernels, rounds):
    for k in range(n_kernels):
        device.launch(k)  # compiles it
    times = np.zeros((rounds, n_kernels))
    for r in range(rounds):
        for k in range(n_kernels):  # all of them in each round: they share the drift
            device.flush()
            device.wait()
            begin = device.clock()
            device.launch(k)
            device.wait()
            times[r, k] = device.clock() - begin
    return np.mean(times, axis=0)


@wrong("upper_of_the_middle", misconception="one_of_the_middle", says="two in the middle")
def time_kernels(device, n_kernels, rounds):
    for k in range(n_kernels):
        device.launch(k)  # compiles it
    times = np.zeros((rounds, n_kernels))
    for r in range(rounds):
        for k in range(n_kernels):  # all of them in each round: they share the drift
            device.flush()
            device.wait()
            begin = device.clock()
            device.launch(k)
            device.wait()
            times[r, k] = device.clock() - begin
    return np.sort(times, axis=0)[rounds // 2]


@wrong("lower_of_the_middle", misconception="one_of_the_middle", says="two in the middle")
def time_kernels(device, n_kernels, rounds):
    for k in range(n_kernels):
        device.launch(k)  # compiles it
    times = np.zeros((rounds, n_kernels))
    for r in range(rounds):
        for k in range(n_kernels):  # all of them in each round: they share the drift
            device.flush()
            device.wait()
            begin = device.clock()
            device.launch(k)
            device.wait()
            times[r, k] = device.clock() - begin
    return np.sort(times, axis=0)[(rounds - 1) // 2]


@wrong("least", misconception="least_of_rounds", says="least time")
def time_kernels(device, n_kernels, rounds):
    for k in range(n_kernels):
        device.launch(k)  # compiles it
    times = np.zeros((rounds, n_kernels))
    for r in range(rounds):
        for k in range(n_kernels):  # all of them in each round: they share the drift
            device.flush()
            device.wait()
            begin = device.clock()
            device.launch(k)
            device.wait()
            times[r, k] = device.clock() - begin
    return np.min(times, axis=0)


@wrong("one_after_the_other", misconception="one_after_the_other", says="take turns")
def time_kernels(device, n_kernels, rounds):
    for k in range(n_kernels):
        device.launch(k)  # compiles it
    times = np.zeros((rounds, n_kernels))
    for k in range(n_kernels):
        for r in range(rounds):
            device.flush()
            device.wait()
            begin = device.clock()
            device.launch(k)
            device.wait()
            times[r, k] = device.clock() - begin
    return np.median(times, axis=0)


@wrong("no_flush", misconception="warm_cache", says="flush it")
def time_kernels(device, n_kernels, rounds):
    for k in range(n_kernels):
        device.launch(k)  # compiles it
    times = np.zeros((rounds, n_kernels))
    for r in range(rounds):
        for k in range(n_kernels):  # all of them in each round: they share the drift
            device.launch(k)
            device.wait()
            begin = device.clock()
            device.launch(k)
            device.wait()
            times[r, k] = device.clock() - begin
    return np.median(times, axis=0)


@wrong("flush_in_the_time", misconception="flush_timed", says="flush is timed")
def time_kernels(device, n_kernels, rounds):
    for k in range(n_kernels):
        device.launch(k)  # compiles it
    times = np.zeros((rounds, n_kernels))
    for r in range(rounds):
        for k in range(n_kernels):  # all of them in each round: they share the drift
            device.wait()
            begin = device.clock()
            device.flush()
            device.launch(k)
            device.wait()
            times[r, k] = device.clock() - begin
    return np.median(times, axis=0)


@wrong("not_waited", misconception="not_waited", says="that is the launch")
def time_kernels(device, n_kernels, rounds):
    for k in range(n_kernels):
        device.launch(k)  # compiles it
    times = np.zeros((rounds, n_kernels))
    for r in range(rounds):
        for k in range(n_kernels):  # all of them in each round: they share the drift
            device.flush()
            device.wait()
            begin = device.clock()
            device.launch(k)
            times[r, k] = device.clock() - begin
    return np.median(times, axis=0)


@wrong("flush_not_waited_for", misconception="flush_timed", says="flush still runs")
def time_kernels(device, n_kernels, rounds):
    for k in range(n_kernels):
        device.launch(k)  # compiles it
    times = np.zeros((rounds, n_kernels))
    for r in range(rounds):
        for k in range(n_kernels):  # all of them in each round: they share the drift
            device.flush()
            begin = device.clock()
            device.launch(k)
            device.wait()
            times[r, k] = device.clock() - begin
    return np.median(times, axis=0)


@wrong(
    "each_kernel_compiled_before_its_own_rounds", misconception="one_after_the_other", says="take turns in each round"
)
def time_kernels(device, n_kernels, rounds):
    out = np.zeros(n_kernels)
    for k in range(n_kernels):
        device.launch(k)
        taken = []
        for _ in range(rounds):
            device.flush()
            device.wait()
            begin = device.clock()
            device.launch(k)
            device.wait()
            taken.append(device.clock() - begin)
        out[k] = np.median(taken)
    return out
