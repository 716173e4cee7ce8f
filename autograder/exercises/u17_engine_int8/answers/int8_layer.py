"""Answers to engine_int8.int8_layer."""

import math

from numba import cuda, float32, int8, int16, int32

from autograder.exercises.catalogue import right, wrong

LOW, HIGH = float32(-128), float32(127)


@cuda.jit(device=True)
def dot4(x, y):
    total = int32(0)
    for j in range(4):
        total = int32(total + int8(x >> 8 * j) * int8(y >> 8 * j))
    return total


@cuda.jit(device=True)
def saturate(v):
    if v > HIGH:
        return int8(127)
    if v < LOW:
        return int8(-128)
    return int8(round(v))


@cuda.jit(device=True)
def row_times_column(a, b, row, col):
    total = int32(0)
    for w in range(a.shape[1]):
        total += dot4(a[row, w], b[w, col])
    return int32(total)


@right("device_functions_for_both_halves")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row < steps.shape[0] and col < steps.shape[1]:
        total = row_times_column(a, b, row, col)
        bias = addend[col] + float32(residual[row, col]) * residual_multiplier
        v = float32(total) * multiplier[col] + bias
        steps[row, col] = saturate(max(min(v, high), low))


@right("limits_joined_first")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    lowest, highest = max(low, LOW), min(high, HIGH)
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = int32(0)
        for w in range(a.shape[1]):
            acc += dot4(a[row, w], b[w, col])
        v = float32(acc) * multiplier[col]
        v += addend[col]
        v += residual_multiplier * float32(residual[row, col])
        steps[row, col] = round(min(max(v, lowest), highest))


@right("epilogue_loaded_before_the_loop")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row >= steps.shape[0] or col >= steps.shape[1]:
        return
    m, c, r = multiplier[col], addend[col], float32(residual[row, col])
    acc = 0
    for w in range(b.shape[0]):
        x, y = a[row, w], b[w, col]
        acc += int8(x) * int8(y) + int8(x >> 8) * int8(y >> 8)
        acc += int8(x >> 16) * int8(y >> 16) + int8(x >> 24) * int8(y >> 24)
    v = float32(acc) * m + c + r * residual_multiplier
    if v < low:
        v = low
    elif v > high:
        v = high
    steps[row, col] = saturate(v)


@right("rounded_then_cut_in_integers")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = row_times_column(a, b, row, col)
        v = float32(acc) * multiplier[col] + addend[col] + float32(residual[row, col]) * residual_multiplier
        v = min(max(v, low), high)
        q = round(v)
        steps[row, col] = -128 if q < -128 else (127 if q > 127 else q)


@right("cut_before_the_activation")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = row_times_column(a, b, row, col)
        v = float32(residual[row, col]) * residual_multiplier + (float32(acc) * multiplier[col] + addend[col])
        v = min(max(v, LOW), HIGH)
        v = min(max(v, low), high)
        steps[row, col] = int8(round(v))


@right("fused_multiply_adds_by_name")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = row_times_column(a, b, row, col)
        v = cuda.fma(float32(acc), multiplier[col], addend[col])
        v = cuda.fma(float32(residual[row, col]), residual_multiplier, v)
        steps[row, col] = saturate(min(max(v, low), high))


@right("one_function_without_helpers")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    c, r = cuda.grid(2)
    n_rows, n_cols = steps.shape
    if r >= n_rows or c >= n_cols:
        return
    total = 0
    for w in range(a.shape[1]):
        for s in (0, 8, 16, 24):
            total += int8(a[r, w] >> s) * int8(b[w, c] >> s)
    v = float32(total) * multiplier[c] + addend[c] + float32(residual[r, c]) * residual_multiplier
    if v < low:
        v = low
    if v > high:
        v = high
    q = round(v)
    if q < -128:
        q = -128
    if q > 127:
        q = 127
    steps[r, c] = int8(q)


@wrong("int8_before_the_residual", misconception="rounded_twice", says="became int8 before the residual")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = row_times_column(a, b, row, col)
        v = float32(acc) * multiplier[col] + addend[col]
        v = float32(saturate(v))
        v += float32(residual[row, col]) * residual_multiplier
        v = min(max(v, low), high)
        steps[row, col] = int8(round(min(max(v, LOW), HIGH)))


@wrong("each_part_rounded", misconception="rounded_twice", says="rounded before they are added")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = row_times_column(a, b, row, col)
        v = float32(acc) * multiplier[col] + addend[col]
        v = float32(round(v)) + float32(round(float32(residual[row, col]) * residual_multiplier))
        v = min(max(v, low), high)
        steps[row, col] = int8(round(min(max(v, LOW), HIGH)))


@wrong("residual_behind_the_activation", misconception="activation_too_early", says="after the activation")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = row_times_column(a, b, row, col)
        v = float32(acc) * multiplier[col] + addend[col]
        v = min(max(v, low), high)
        v += float32(residual[row, col]) * residual_multiplier
        steps[row, col] = int8(round(min(max(v, LOW), HIGH)))


@wrong("residual_without_its_scale", misconception="residual_unscaled", says="residual_multiplier steps")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = row_times_column(a, b, row, col)
        v = float32(acc) * multiplier[col] + addend[col]
        v += float32(residual[row, col])
        v = min(max(v, low), high)
        steps[row, col] = int8(round(min(max(v, LOW), HIGH)))


@wrong("no_residual", misconception="residual_left_out", says="residual is missing")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = row_times_column(a, b, row, col)
        v = float32(acc) * multiplier[col] + addend[col]
        v = min(max(v, low), high)
        steps[row, col] = int8(round(min(max(v, LOW), HIGH)))


@wrong("addend_before_the_product", misconception="addend_multiplied", says="in steps of the output already")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = row_times_column(a, b, row, col)
        v = (float32(acc) + addend[col]) * multiplier[col]
        v += float32(residual[row, col]) * residual_multiplier
        v = min(max(v, low), high)
        steps[row, col] = int8(round(min(max(v, LOW), HIGH)))


@wrong("no_addend", misconception="addend_left_out", says="addend is missing")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = row_times_column(a, b, row, col)
        v = float32(acc) * multiplier[col]
        v += float32(residual[row, col]) * residual_multiplier
        v = min(max(v, low), high)
        steps[row, col] = int8(round(min(max(v, LOW), HIGH)))


@wrong("channel_0_for_all", misconception="one_channel_for_all", says="constants of channel 0")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = row_times_column(a, b, row, col)
        v = float32(acc) * multiplier[0] + addend[0]
        v += float32(residual[row, col]) * residual_multiplier
        v = min(max(v, low), high)
        steps[row, col] = int8(round(min(max(v, LOW), HIGH)))


@wrong("never_cut_to_int8", misconception="wraps_round", says="change their sign")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = row_times_column(a, b, row, col)
        v = float32(acc) * multiplier[col] + addend[col]
        v += float32(residual[row, col]) * residual_multiplier
        v = min(max(v, low), high)
        steps[row, col] = int8(round(v))


@wrong("no_activation", misconception="activation_left_out", says="activation is missing")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = row_times_column(a, b, row, col)
        v = float32(acc) * multiplier[col] + addend[col]
        v += float32(residual[row, col]) * residual_multiplier
        steps[row, col] = int8(round(min(max(v, LOW), HIGH)))


@wrong("half_away_from_zero", misconception="half_away", says="ties go away from zero")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = row_times_column(a, b, row, col)
        v = float32(acc) * multiplier[col] + addend[col]
        v += float32(residual[row, col]) * residual_multiplier
        v = min(max(v, low), high)
        steps[row, col] = int8(min(max(v, LOW), HIGH) + math.copysign(float32(0.5), v))


@wrong("int_cuts_off", misconception="truncated", says="cut off and not rounded")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = row_times_column(a, b, row, col)
        v = float32(acc) * multiplier[col] + addend[col]
        v += float32(residual[row, col]) * residual_multiplier
        v = min(max(v, low), high)
        steps[row, col] = int8(min(max(v, LOW), HIGH))


@wrong("constants_by_row", misconception="no_guard", says="outside")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = row_times_column(a, b, row, col)
        v = float32(acc) * multiplier[row] + addend[row]
        v += float32(residual[row, col]) * residual_multiplier
        v = min(max(v, low), high)
        steps[row, col] = int8(round(min(max(v, LOW), HIGH)))


@wrong("sums_of_16_bits", misconception="narrow_sums", says="16 bits")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = int16(0)
        for w in range(a.shape[1]):
            acc = int16(acc + dot4(a[row, w], b[w, col]))
        v = float32(acc) * multiplier[col] + addend[col]
        v += float32(residual[row, col]) * residual_multiplier
        v = min(max(v, low), high)
        steps[row, col] = int8(round(min(max(v, LOW), HIGH)))


@wrong("relu_whatever_is_asked", misconception="always_a_relu", says="it may be none")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = row_times_column(a, b, row, col)
        v = float32(acc) * multiplier[col] + addend[col]
        v += float32(residual[row, col]) * residual_multiplier
        v = max(v, float32(0))
        steps[row, col] = int8(round(min(max(v, LOW), HIGH)))


@wrong("high_alone", misconception="activation_left_out", says="low is never asked for")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = row_times_column(a, b, row, col)
        v = float32(acc) * multiplier[col] + addend[col]
        v += float32(residual[row, col]) * residual_multiplier
        v = min(v, high)
        steps[row, col] = int8(round(min(max(v, LOW), HIGH)))


@wrong("low_alone", misconception="activation_left_out", says="high is never asked for")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = row_times_column(a, b, row, col)
        v = float32(acc) * multiplier[col] + addend[col]
        v += float32(residual[row, col]) * residual_multiplier
        v = max(v, low)
        steps[row, col] = int8(round(min(max(v, LOW), HIGH)))


@wrong("sum_rounded_first", misconception="rounded_twice", says="the sum is rounded before")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = row_times_column(a, b, row, col)
        v = float32(round(float32(acc) * multiplier[col])) + addend[col]
        v += float32(residual[row, col]) * residual_multiplier
        v = min(max(v, low), high)
        steps[row, col] = int8(round(min(max(v, LOW), HIGH)))


@wrong("residual_joins_the_sum", misconception="residual_multiplied_twice", says="added to the sum")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = row_times_column(a, b, row, col)
        v = float32(acc) + float32(residual[row, col]) * residual_multiplier
        v = v * multiplier[col] + addend[col]
        v = min(max(v, low), high)
        steps[row, col] = int8(round(min(max(v, LOW), HIGH)))


@wrong("whole_numbers_with_floats", misconception="float64_arithmetic", says="Write float32(acc)")
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    col, row = cuda.grid(2)
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = row_times_column(a, b, row, col)
        v = acc * multiplier[col] + addend[col] + residual[row, col] * residual_multiplier
        v = min(max(v, low), high)
        steps[row, col] = int8(round(min(max(v, LOW), HIGH)))
