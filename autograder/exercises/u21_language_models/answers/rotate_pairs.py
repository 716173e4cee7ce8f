"""Answers to language_models.rotate_pairs."""

import math

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong


@right("vectors_first")
@cuda.jit
def rotate_pairs(src, places, speeds, dst):
    x, y = src[cuda.blockIdx.y, cuda.blockIdx.x], dst[cuda.blockIdx.y, cuda.blockIdx.x]
    i = cuda.threadIdx.x
    turn = speeds[i] * float32(places[cuda.blockIdx.y])
    s, c = math.sin(turn), math.cos(turn)
    first, second = x[i], x[i + 64]
    y[i + 64] = first * s + second * c
    y[i] = first * c - second * s


@right("sine_of_a_quarter_turn_more")
@cuda.jit
def rotate_pairs(src, places, speeds, dst):
    i, head, token = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    angle = speeds[i] * float32(places[token])
    a = src[token, head, i]
    b = src[token, head, 64 + i]
    results = a * math.cos(angle) - b * math.sin(angle), a * math.sin(angle) + b * math.cos(angle)
    for half in range(2):
        dst[token, head, 64 * half + i] = results[half]


@right("through_shared_memory")
@cuda.jit
def rotate_pairs(src, places, speeds, dst):
    cells = cuda.shared.array(128, float32)
    i, head, token = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    cells[i] = src[token, head, i]
    cells[i + 64] = src[token, head, i + 64]
    angle = float32(places[token]) * speeds[i]
    cos = math.cos(angle)
    sin = math.sin(angle)
    cuda.syncthreads()
    dst[token, head, i] = cells[i] * cos - cells[i + 64] * sin
    dst[token, head, i + 64] = cells[i + 64] * cos + cells[i] * sin


@wrong("neighbours", misconception="neighbours_as_pairs", says="a pair is i and i + 64")
@cuda.jit
def rotate_pairs(src, places, speeds, dst):
    i, head, token = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    angle = float32(places[token]) * speeds[i]
    cos, sin = math.cos(angle), math.sin(angle)
    a, b = src[token, head, 2 * i], src[token, head, 2 * i + 1]
    dst[token, head, 2 * i] = a * cos - b * sin
    dst[token, head, 2 * i + 1] = b * cos + a * sin


@wrong("signs_exchanged", misconception="turned_back", says="the other way round")
@cuda.jit
def rotate_pairs(src, places, speeds, dst):
    i, head, token = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    angle = float32(places[token]) * speeds[i]
    cos, sin = math.cos(angle), math.sin(angle)
    a, b = src[token, head, i], src[token, head, i + 64]
    dst[token, head, i] = a * cos + b * sin
    dst[token, head, i + 64] = b * cos - a * sin


@wrong("number_of_the_token", misconception="token_for_place", says="take its place")
@cuda.jit
def rotate_pairs(src, places, speeds, dst):
    i, head, token = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    angle = float32(token) * speeds[i]
    cos, sin = math.cos(angle), math.sin(angle)
    a, b = src[token, head, i], src[token, head, i + 64]
    dst[token, head, i] = a * cos - b * sin
    dst[token, head, i + 64] = b * cos + a * sin


@wrong("place_of_the_first", misconception="first_place_only", says="place of the first")
@cuda.jit
def rotate_pairs(src, places, speeds, dst):
    i, head, token = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    angle = float32(places[0]) * speeds[i]
    cos, sin = math.cos(angle), math.sin(angle)
    a, b = src[token, head, i], src[token, head, i + 64]
    dst[token, head, i] = a * cos - b * sin
    dst[token, head, i + 64] = b * cos + a * sin


@wrong("speed_of_the_first", misconception="one_speed", says="a speed of its own")
@cuda.jit
def rotate_pairs(src, places, speeds, dst):
    i, head, token = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    angle = float32(places[token]) * speeds[0]
    cos, sin = math.cos(angle), math.sin(angle)
    a, b = src[token, head, i], src[token, head, i + 64]
    dst[token, head, i] = a * cos - b * sin
    dst[token, head, i + 64] = b * cos + a * sin


@wrong("a_was_overwritten", misconception="overwritten", says="as they were")
@cuda.jit
def rotate_pairs(src, places, speeds, dst):
    i, head, token = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    angle = float32(places[token]) * speeds[i]
    cos, sin = math.cos(angle), math.sin(angle)
    a, b = src[token, head, i], src[token, head, i + 64]
    a = a * cos - b * sin
    b = b * cos + a * sin
    dst[token, head, i] = a
    dst[token, head, i + 64] = b


@wrong("first_half_alone", misconception="second_half_missing", says="never written")
@cuda.jit
def rotate_pairs(src, places, speeds, dst):
    i, head, token = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    angle = float32(places[token]) * speeds[i]
    cos, sin = math.cos(angle), math.sin(angle)
    a, b = src[token, head, i], src[token, head, i + 64]
    dst[token, head, i] = a * cos - b * sin


@wrong("angle_in_double", misconception="float64_arithmetic", says="float64")
@cuda.jit
def rotate_pairs(src, places, speeds, dst):
    i, head, token = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    angle = places[token] * speeds[i]
    cos, sin = math.cos(angle), math.sin(angle)
    a, b = src[token, head, i], src[token, head, i + 64]
    dst[token, head, i] = a * cos - b * sin
    dst[token, head, i + 64] = b * cos + a * sin


@wrong("one_thread_has_a_head", misconception="few_threads", says="a thread for each")
@cuda.jit
def rotate_pairs(src, places, speeds, dst):
    head, token = cuda.blockIdx.x, cuda.blockIdx.y
    if cuda.threadIdx.x == 0:
        for i in range(64):
            angle = float32(places[token]) * speeds[i]
            cos, sin = math.cos(angle), math.sin(angle)
            a, b = src[token, head, i], src[token, head, i + 64]
            dst[token, head, i] = a * cos - b * sin
            dst[token, head, i + 64] = b * cos + a * sin
