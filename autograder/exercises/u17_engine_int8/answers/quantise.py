"""Answers to engine_int8.quantise."""

import math

from numba import cuda, float32, int8, int32

from autograder.exercises.catalogue import right, wrong


@cuda.jit(device=True)
def clamp(v, low, high):
    if v < low:
        return low
    return high if v > high else v


@right("grid_stride_and_conditions")
@cuda.jit
def quantise(real, scale, steps):
    for i in range(cuda.grid(1), steps.size, cuda.gridsize(1)):
        v = real[i] / scale
        if v >= float32(127):
            steps[i] = 127
        elif v <= float32(-128):
            steps[i] = -128
        elif v == v:
            steps[i] = round(v)
        else:
            steps[i] = 0


@right("rounded_first_then_cut")
@cuda.jit
def quantise(real, scale, steps):
    i = cuda.grid(1)
    if i >= steps.size:
        return
    x = real[i]
    if math.isnan(x):
        steps[i] = 0
        return
    q = round(x / scale)
    if q > 127:
        q = 127
    if q < -128:
        q = -128
    steps[i] = q


@right("a_device_function_cuts")
@cuda.jit
def quantise(real, scale, steps):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if i < real.shape[0]:
        v = clamp(real[i] / scale, float32(-128), float32(127))
        steps[i] = int8(round(v)) if v == v else int8(0)


@right("half_to_even_by_a_shift")
@cuda.jit
def quantise(real, scale, steps):
    i = cuda.grid(1)
    if i < steps.size:
        v = real[i] / scale
        if v != v:
            v = float32(0)
        v = min(max(v, float32(-128)), float32(127))
        shift = float32(12582912.0)
        steps[i] = int8(int32((v + shift) - shift))


@right("half_to_even_by_hand")
@cuda.jit
def quantise(real, scale, steps):
    i = cuda.grid(1)
    if i < steps.size:
        v = real[i] / scale
        q = int32(0)
        if v == v:
            v = max(float32(-128), min(float32(127), v))
            below = math.floor(v)
            q = int32(below)
            rest = v - float32(below)
            if rest > float32(0.5) or (rest == float32(0.5) and q % 2 != 0):
                q += 1
        steps[i] = q


@right("cut_in_integers")
@cuda.jit
def quantise(real, scale, steps):
    i = cuda.grid(1)
    if i < steps.size:
        value = real[i]
        q = 0
        if not math.isnan(value):
            q = min(max(int(round(value / scale)), -128), 127)
        steps[i] = q


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def quantise(real, scale, steps):
    i = cuda.grid(1)
    v = real[i] / scale
    if v != v:
        v = float32(0)
    steps[i] = int8(round(min(max(v, float32(-128)), float32(127))))


@wrong("half_away_from_zero", misconception="half_away", says="ties go away from zero")
@cuda.jit
def quantise(real, scale, steps):
    i = cuda.grid(1)
    if i < steps.size:
        v = real[i] / scale
        if v != v:
            v = float32(0)
        v = min(max(v, float32(-128)), float32(127))
        steps[i] = int8(v + float32(0.5)) if v > 0 else int8(v - float32(0.5))


@wrong("floor_of_a_half_more", misconception="half_up", says="ties go up")
@cuda.jit
def quantise(real, scale, steps):
    i = cuda.grid(1)
    if i < steps.size:
        v = real[i] / scale
        if v != v:
            v = float32(0)
        v = min(max(v, float32(-128)), float32(127))
        steps[i] = min(math.floor(v + float32(0.5)), 127)


@wrong("int_cuts_off", misconception="truncated", says="cut off and not rounded")
@cuda.jit
def quantise(real, scale, steps):
    i = cuda.grid(1)
    if i < steps.size:
        v = real[i] / scale
        if v != v:
            v = float32(0)
        steps[i] = int8(min(max(v, float32(-128)), float32(127)))


@wrong("rounds_down", misconception="floored", says="rounded down")
@cuda.jit
def quantise(real, scale, steps):
    i = cuda.grid(1)
    if i < steps.size:
        v = real[i] / scale
        if v != v:
            v = float32(0)
        steps[i] = int8(math.floor(min(max(v, float32(-128)), float32(127))))


@wrong("floor_division", misconception="floored", says="as // does it")
@cuda.jit
def quantise(real, scale, steps):
    i = cuda.grid(1)
    if i < steps.size:
        v = real[i] // scale
        if v != v:
            v = float32(0)
        steps[i] = int8(min(max(v, float32(-128)), float32(127)))


@wrong("never_cut", misconception="wraps_round", says="large numbers change their sign")
@cuda.jit
def quantise(real, scale, steps):
    i = cuda.grid(1)
    if i < steps.size:
        v = real[i] / scale
        if v != v:
            v = float32(0)
        steps[i] = int8(round(v))


@wrong("cut_at_minus_127", misconception="lowest_missing", says="down to -128")
@cuda.jit
def quantise(real, scale, steps):
    i = cuda.grid(1)
    if i < steps.size:
        v = real[i] / scale
        if v != v:
            v = float32(0)
        steps[i] = int8(round(min(max(v, float32(-127)), float32(127))))


@wrong("times_the_scale", misconception="multiplied", says="multiplied by the scale")
@cuda.jit
def quantise(real, scale, steps):
    i = cuda.grid(1)
    if i < steps.size:
        v = real[i] * scale
        if v != v:
            v = float32(0)
        steps[i] = int8(round(min(max(v, float32(-128)), float32(127))))


@wrong("times_one_over_the_scale", misconception="reciprocal", says="next to a tie")
@cuda.jit
def quantise(real, scale, steps):
    i = cuda.grid(1)
    per_unit = float32(1) / scale
    if i < steps.size:
        v = real[i] * per_unit
        if v != v:
            v = float32(0)
        steps[i] = int8(round(min(max(v, float32(-128)), float32(127))))


@wrong("numbers_cut_in_place_of_steps", misconception="cut_too_early", says="cut the steps")
@cuda.jit
def quantise(real, scale, steps):
    i = cuda.grid(1)
    if i < steps.size:
        x = real[i]
        if x != x:
            x = float32(0)
        steps[i] = int8(round(min(max(x, float32(-128)), float32(127)) / scale))


@wrong("nan_is_a_number", misconception="nan_kept", says="store 0")
@cuda.jit
def quantise(real, scale, steps):
    i = cuda.grid(1)
    if i < steps.size:
        v = real[i] / scale
        steps[i] = int8(round(min(max(v, float32(-128)), float32(127))))


@wrong("double_precision", misconception="float64_arithmetic", says="float64")
@cuda.jit
def quantise(real, scale, steps):
    i = cuda.grid(1)
    if i < steps.size:
        v = real[i] / scale
        if v != v:
            v = float32(0)
        steps[i] = int8(round(min(max(v, -128.0), 127.0)))


@wrong("half_added_and_cut_off", misconception="half_added_and_cut", says="cuts off towards 0")
@cuda.jit
def quantise(real, scale, steps):
    i = cuda.grid(1)
    if i < steps.size:
        v = real[i] / scale
        if v != v:
            v = float32(0)
        steps[i] = min(max(int32(v + float32(0.5)), -128), 127)


@wrong("stored_as_it_is", misconception="truncated", says="low 8 bits")
@cuda.jit
def quantise(real, scale, steps):
    i = cuda.grid(1)
    if i < steps.size:
        steps[i] = real[i] / scale


@wrong("cut_above_alone", misconception="wraps_round", says="lower end, too")
@cuda.jit
def quantise(real, scale, steps):
    i = cuda.grid(1)
    if i < steps.size:
        v = real[i] / scale
        if v != v:
            v = float32(0)
        steps[i] = int8(round(min(v, float32(127))))


@wrong("cut_below_alone", misconception="wraps_round", says="upper end, too")
@cuda.jit
def quantise(real, scale, steps):
    i = cuda.grid(1)
    if i < steps.size:
        v = real[i] / scale
        if v != v:
            v = float32(0)
        steps[i] = int8(round(max(v, float32(-128))))


@wrong("zero_to_255", misconception="bytes_without_sign", says="from -128 to 127")
@cuda.jit
def quantise(real, scale, steps):
    i = cuda.grid(1)
    if i < steps.size:
        v = real[i] / scale
        if v != v:
            v = float32(0)
        steps[i] = round(min(max(v, float32(0)), float32(255)))
