"""Answers to convolution.pick_algorithm."""

import math

import numpy as np

from autograder.exercises.catalogue import right, wrong


def work(n_images, n_in, n_out, n_rows, n_cols, k):
    outputs, pairs = n_images * n_rows * n_cols, n_in * n_out
    tiles = n_images * -(-n_rows // 2) * -(-n_cols // 2)
    arrays = 4 * (outputs * (n_in + n_out) + pairs * k * k)
    return (
        (2 * outputs * pairs * k * k, arrays),
        (2 * outputs * pairs * k * k, arrays + 8 * k * k * n_in * outputs),
        (tiles * (32 * n_in + 32 * pairs + 24 * n_out), arrays + 128 * tiles * (n_in + n_out)),
    )


@right("least_of_pairs")
def pick_algorithm(n_images, n_in, n_out, n_rows, n_cols, k, flops_per_us, bytes_per_us):
    shape = n_images, n_in, n_out, n_rows, n_cols, k
    times = [max(flops / flops_per_us, n_bytes / bytes_per_us) for flops, n_bytes in work(*shape)]
    if k != 3:
        times[2] = math.inf
    time_us, way = min((time, way) for way, time in enumerate(times))
    return way, time_us


@right("numpy_finds_the_least")
def pick_algorithm(n_images, n_in, n_out, n_rows, n_cols, k, flops_per_us, bytes_per_us):
    shape = n_images, n_in, n_out, n_rows, n_cols, k
    times = [max(flops / flops_per_us, n_bytes / bytes_per_us) for flops, n_bytes in work(*shape)]
    if k != 3:
        times[2] = math.inf
    way = int(np.argmin(times))
    return way, times[way]


@right("ways_left_out_by_a_condition")
def pick_algorithm(n_images, n_in, n_out, n_rows, n_cols, k, flops_per_us, bytes_per_us):
    shape = n_images, n_in, n_out, n_rows, n_cols, k
    times = [max(flops / flops_per_us, n_bytes / bytes_per_us) for flops, n_bytes in work(*shape)]
    ways = [0, 1, 2] if k == 3 else [0, 1]
    way = min(ways, key=lambda one: times[one])
    return way, times[way]


@right("a_dictionary_of_ways")
def pick_algorithm(n_images, n_in, n_out, n_rows, n_cols, k, flops_per_us, bytes_per_us):
    times = {}
    for way, (flops, n_bytes) in enumerate(work(n_images, n_in, n_out, n_rows, n_cols, k)):
        if way != 2 or k == 3:
            times[way] = max(flops / flops_per_us, n_bytes / bytes_per_us)
    way = min(times, key=times.get)
    return way, times[way]


@right("if_by_if")
def pick_algorithm(n_images, n_in, n_out, n_rows, n_cols, k, flops_per_us, bytes_per_us):
    best, least = 0, math.inf
    for way, (flops, n_bytes) in enumerate(work(n_images, n_in, n_out, n_rows, n_cols, k)):
        if way == 2 and k != 3:
            continue
        time = flops / flops_per_us
        if n_bytes / bytes_per_us > time:
            time = n_bytes / bytes_per_us
        if time < least:
            best, least = way, time
    return best, least


@right("arrays_of_ways")
def pick_algorithm(n_images, n_in, n_out, n_rows, n_cols, k, flops_per_us, bytes_per_us):
    flops, n_bytes = np.array(work(n_images, n_in, n_out, n_rows, n_cols, k)).T
    times = np.maximum(flops / flops_per_us, n_bytes / bytes_per_us)
    if k != 3:
        times[2] = np.inf
    return np.argmin(times), times.min()


@wrong("bytes_not_looked_at", misconception="bytes_forgotten", says="those of the flops alone")
def pick_algorithm(n_images, n_in, n_out, n_rows, n_cols, k, flops_per_us, bytes_per_us):
    shape = n_images, n_in, n_out, n_rows, n_cols, k
    times = [flops / flops_per_us for flops, _ in work(*shape)]
    if k != 3:
        times[2] = math.inf
    return times.index(min(times)), min(times)


@wrong("flops_not_looked_at", misconception="flops_forgotten", says="those of the bytes alone")
def pick_algorithm(n_images, n_in, n_out, n_rows, n_cols, k, flops_per_us, bytes_per_us):
    shape = n_images, n_in, n_out, n_rows, n_cols, k
    times = [n_bytes / bytes_per_us for _, n_bytes in work(*shape)]
    if k != 3:
        times[2] = math.inf
    return times.index(min(times)), min(times)


@wrong("adds_the_two_times", misconception="times_added", says="the two times are added")
def pick_algorithm(n_images, n_in, n_out, n_rows, n_cols, k, flops_per_us, bytes_per_us):
    shape = n_images, n_in, n_out, n_rows, n_cols, k
    times = [flops / flops_per_us + n_bytes / bytes_per_us for flops, n_bytes in work(*shape)]
    if k != 3:
        times[2] = math.inf
    return times.index(min(times)), min(times)


@wrong("takes_the_shorter_side", misconception="shorter_side", says="the shorter of its two times")
def pick_algorithm(n_images, n_in, n_out, n_rows, n_cols, k, flops_per_us, bytes_per_us):
    shape = n_images, n_in, n_out, n_rows, n_cols, k
    times = [min(flops / flops_per_us, n_bytes / bytes_per_us) for flops, n_bytes in work(*shape)]
    if k != 3:
        times[2] = math.inf
    return times.index(min(times)), min(times)


@wrong("winograd_for_any_k", misconception="winograd_for_all", says="its transforms are for 3 x 3")
def pick_algorithm(n_images, n_in, n_out, n_rows, n_cols, k, flops_per_us, bytes_per_us):
    shape = n_images, n_in, n_out, n_rows, n_cols, k
    times = [max(flops / flops_per_us, n_bytes / bytes_per_us) for flops, n_bytes in work(*shape)]
    return times.index(min(times)), min(times)


@wrong("takes_the_longest", misconception="slowest", says="the slowest way is taken")
def pick_algorithm(n_images, n_in, n_out, n_rows, n_cols, k, flops_per_us, bytes_per_us):
    shape = n_images, n_in, n_out, n_rows, n_cols, k
    times = [max(flops / flops_per_us, n_bytes / bytes_per_us) for flops, n_bytes in work(*shape)]
    if k != 3:
        times[2] = -1.0
    return times.index(max(times)), max(times)


@wrong("images_left_out", misconception="one_image", says="n_images is left out")
def pick_algorithm(n_images, n_in, n_out, n_rows, n_cols, k, flops_per_us, bytes_per_us):
    shape = 1, n_in, n_out, n_rows, n_cols, k
    times = [max(flops / flops_per_us, n_bytes / bytes_per_us) for flops, n_bytes in work(*shape)]
    if k != 3:
        times[2] = math.inf
    return times.index(min(times)), min(times)


@wrong("takes_the_fewest_flops", misconception="fewest_flops", says="the way of the fewest flops")
def pick_algorithm(n_images, n_in, n_out, n_rows, n_cols, k, flops_per_us, bytes_per_us):
    shape = n_images, n_in, n_out, n_rows, n_cols, k
    times = [max(flops / flops_per_us, n_bytes / bytes_per_us) for flops, n_bytes in work(*shape)]
    if k != 3:
        times[2] = math.inf
    flops = [flops for flops, _ in work(*shape)]
    if k != 3:
        flops[2] = math.inf
    way = flops.index(min(flops))
    return way, times[way]


@wrong("takes_the_last_of_equals", misconception="last_of_equals", says="the later one is taken")
def pick_algorithm(n_images, n_in, n_out, n_rows, n_cols, k, flops_per_us, bytes_per_us):
    shape = n_images, n_in, n_out, n_rows, n_cols, k
    times = [max(flops / flops_per_us, n_bytes / bytes_per_us) for flops, n_bytes in work(*shape)]
    if k != 3:
        times[2] = math.inf
    least = min(times)
    return max(way for way in range(3) if times[way] == least), least
