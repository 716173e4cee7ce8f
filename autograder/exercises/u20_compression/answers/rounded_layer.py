"""Answers to compression.rounded_layer."""

import math

from numba import cuda, float32, int32

from autograder.exercises.catalogue import right, wrong

LOW, HIGH = float32(-128), float32(127)


@cuda.jit(device=True)
def rounded(v, step):
    """What Q and DQ leave of v; v itself where step is 0."""
    if step == float32(0):
        return v
    return min(max(float32(round(v / step)), LOW), HIGH) * step


@right("early_return")
@cuda.jit
def rounded_layer(x, x_step, weights, steps, out):
    o, b = cuda.grid(2)
    if o >= weights.shape[0] or b >= x.shape[0]:
        return
    step, total = steps[o], float32(0)
    for i in range(weights.shape[1]):
        total += rounded(weights[o, i], step) * rounded(x[b, i], x_step)
    out[b, o] = total


@cuda.jit(device=True)
def cut_before_rounding(v, step):
    """Both ends are whole, so what is cut first is rounded to them."""
    return v if step == 0 else float32(round(min(max(v / step, LOW), HIGH))) * step


@right("cut_first")
@cuda.jit
def rounded_layer(x, x_step, weights, steps, out):
    o, b = cuda.grid(2)
    if b < out.shape[0] and o < out.shape[1]:
        step, total = steps[o], float32(0)
        for i in range(x.shape[1] - 1, -1, -1):
            total += cut_before_rounding(x[b, i], x_step) * cut_before_rounding(weights[o, i], step)
        out[b, o] = total


@cuda.jit(device=True)
def whole_step(v, step):
    """The step as a whole number, which is cut as one."""
    q = int32(round(v / step))
    if q < -128:
        q = int32(-128)
    elif q > 127:
        q = int32(127)
    return float32(q) * step


@right("whole_numbers_and_strides")
@cuda.jit
def rounded_layer(x, x_step, weights, steps, out):
    first_o, first_b = cuda.grid(2)
    along, down = cuda.gridsize(2)
    for b in range(first_b, out.shape[0], down):
        for o in range(first_o, out.shape[1], along):
            step, total = steps[o], float32(0)
            for i in range(x.shape[1]):
                w, v = weights[o, i], x[b, i]
                if step > 0:
                    w = whole_step(w, step)
                if x_step > 0:
                    v = whole_step(v, x_step)
                total += v * w
            out[b, o] = total


@right("rint_of_the_library")
@cuda.jit
def rounded_layer(x, x_step, weights, steps, out):
    o = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    b = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
    if b < out.shape[0]:
        if o < out.shape[1]:
            step, total = steps[o], float32(0)
            for i in range(x.shape[1]):
                v, w = x[b, i], weights[o, i]
                if x_step != 0:
                    v = min(max(cuda.libdevice.rintf(v / x_step), LOW), HIGH) * x_step
                if step != 0:
                    w = min(max(cuda.libdevice.rintf(w / step), LOW), HIGH) * step
                total += v * w
            out[b, o] = total


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def rounded_layer(x, x_step, weights, steps, out):
    o, b = cuda.grid(2)
    step, total = steps[o], float32(0)
    for i in range(x.shape[1]):
        total += rounded(x[b, i], x_step) * rounded(weights[o, i], step)
    out[b, o] = total


@wrong("weights_alone", misconception="x_not_rounded", says="x is not rounded")
@cuda.jit
def rounded_layer(x, x_step, weights, steps, out):
    o, b = cuda.grid(2)
    if b < out.shape[0] and o < out.shape[1]:
        step, total = steps[o], float32(0)
        for i in range(x.shape[1]):
            total += x[b, i] * rounded(weights[o, i], step)
        out[b, o] = total


@wrong("inputs_alone", misconception="weights_not_rounded", says="the weights are not rounded")
@cuda.jit
def rounded_layer(x, x_step, weights, steps, out):
    o, b = cuda.grid(2)
    if b < out.shape[0] and o < out.shape[1]:
        total = float32(0)
        for i in range(x.shape[1]):
            total += rounded(x[b, i], x_step) * weights[o, i]
        out[b, o] = total


@wrong("the_layer_in_float32", misconception="nothing_rounded", says="nothing is rounded")
@cuda.jit
def rounded_layer(x, x_step, weights, steps, out):
    o, b = cuda.grid(2)
    if b < out.shape[0] and o < out.shape[1]:
        total = float32(0)
        for i in range(x.shape[1]):
            total += x[b, i] * weights[o, i]
        out[b, o] = total


@wrong("the_first_rows_step", misconception="one_step_for_all", says="each has its own")
@cuda.jit
def rounded_layer(x, x_step, weights, steps, out):
    o, b = cuda.grid(2)
    if b < out.shape[0] and o < out.shape[1]:
        step, total = steps[0], float32(0)
        for i in range(x.shape[1]):
            total += rounded(x[b, i], x_step) * rounded(weights[o, i], step)
        out[b, o] = total


@cuda.jit(device=True)
def step_of(v, step):
    return v if step == float32(0) else min(max(float32(round(v / step)), LOW), HIGH)


@wrong("whole_steps_multiplied", misconception="steps_counted", says="products of whole steps")
@cuda.jit
def rounded_layer(x, x_step, weights, steps, out):
    o, b = cuda.grid(2)
    if b < out.shape[0] and o < out.shape[1]:
        step, total = steps[o], float32(0)
        for i in range(x.shape[1]):
            total += step_of(x[b, i], x_step) * step_of(weights[o, i], step)
        out[b, o] = total


@cuda.jit(device=True)
def never_cut(v, step):
    return v if step == float32(0) else float32(round(v / step)) * step


@wrong("ends_forgotten", misconception="not_cut", says="past the ends")
@cuda.jit
def rounded_layer(x, x_step, weights, steps, out):
    o, b = cuda.grid(2)
    if b < out.shape[0] and o < out.shape[1]:
        step, total = steps[o], float32(0)
        for i in range(x.shape[1]):
            total += never_cut(x[b, i], x_step) * never_cut(weights[o, i], step)
        out[b, o] = total


@cuda.jit(device=True)
def to_127(v, step):
    return v if step == float32(0) else min(max(float32(round(v / step)), -HIGH), HIGH) * step


@wrong("ends_alike", misconception="cut_at_127", says="down to -128")
@cuda.jit
def rounded_layer(x, x_step, weights, steps, out):
    o, b = cuda.grid(2)
    if b < out.shape[0] and o < out.shape[1]:
        step, total = steps[o], float32(0)
        for i in range(x.shape[1]):
            total += to_127(x[b, i], x_step) * to_127(weights[o, i], step)
        out[b, o] = total


@cuda.jit(device=True)
def cut_off(v, step):
    return v if step == float32(0) else min(max(float32(int32(v / step)), LOW), HIGH) * step


@wrong("int32_for_round", misconception="truncated", says="the nearest")
@cuda.jit
def rounded_layer(x, x_step, weights, steps, out):
    o, b = cuda.grid(2)
    if b < out.shape[0] and o < out.shape[1]:
        step, total = steps[o], float32(0)
        for i in range(x.shape[1]):
            total += cut_off(x[b, i], x_step) * cut_off(weights[o, i], step)
        out[b, o] = total


@cuda.jit(device=True)
def half_up_or_down(v, step):
    if step == float32(0):
        return v
    q = v / step
    q = math.floor(q + float32(0.5)) if q >= 0 else math.ceil(q - float32(0.5))
    return min(max(float32(q), LOW), HIGH) * step


@wrong("half_added", misconception="half_away", says="even")
@cuda.jit
def rounded_layer(x, x_step, weights, steps, out):
    o, b = cuda.grid(2)
    if b < out.shape[0] and o < out.shape[1]:
        step, total = steps[o], float32(0)
        for i in range(x.shape[1]):
            total += half_up_or_down(x[b, i], x_step) * half_up_or_down(weights[o, i], step)
        out[b, o] = total


@cuda.jit(device=True)
def floor_of(v, step):
    return v if step == float32(0) else min(max(float32(math.floor(v / step)), LOW), HIGH) * step


@wrong("floor_for_round", misconception="floored", says="rounded down")
@cuda.jit
def rounded_layer(x, x_step, weights, steps, out):
    o, b = cuda.grid(2)
    if b < out.shape[0] and o < out.shape[1]:
        step, total = steps[o], float32(0)
        for i in range(x.shape[1]):
            total += floor_of(x[b, i], x_step) * floor_of(weights[o, i], step)
        out[b, o] = total


@cuda.jit(device=True)
def without_asking(v, step):
    return min(max(float32(round(v / step)), LOW), HIGH) * step


@wrong("zero_not_asked", misconception="zero_is_nothing", says="divided")
@cuda.jit
def rounded_layer(x, x_step, weights, steps, out):
    o, b = cuda.grid(2)
    if b < out.shape[0] and o < out.shape[1]:
        step, total = steps[o], float32(0)
        for i in range(x.shape[1]):
            total += without_asking(x[b, i], x_step) * without_asking(weights[o, i], step)
        out[b, o] = total


@cuda.jit(device=True)
def one_for_zero(v, step):
    if step == float32(0):
        step = float32(1)
    return min(max(float32(round(v / step)), LOW), HIGH) * step


@wrong("a_step_of_one", misconception="zero_is_one", says="as they are")
@cuda.jit
def rounded_layer(x, x_step, weights, steps, out):
    o, b = cuda.grid(2)
    if b < out.shape[0] and o < out.shape[1]:
        step, total = steps[o], float32(0)
        for i in range(x.shape[1]):
            total += one_for_zero(x[b, i], x_step) * one_for_zero(weights[o, i], step)
        out[b, o] = total


@cuda.jit(device=True)
def nothing_for_zero(v, step):
    if step == float32(0):
        return float32(0)
    return min(max(float32(round(v / step)), LOW), HIGH) * step


@wrong("nothing_where_step_is_0", misconception="zero_is_nothing", says="stay as they are")
@cuda.jit
def rounded_layer(x, x_step, weights, steps, out):
    o, b = cuda.grid(2)
    if b < out.shape[0] and o < out.shape[1]:
        step, total = steps[o], float32(0)
        for i in range(x.shape[1]):
            total += nothing_for_zero(x[b, i], x_step) * nothing_for_zero(weights[o, i], step)
        out[b, o] = total


@wrong("the_sum_in_steps", misconception="sum_rounded", says="the sum is rounded")
@cuda.jit
def rounded_layer(x, x_step, weights, steps, out):
    o, b = cuda.grid(2)
    if b < out.shape[0] and o < out.shape[1]:
        scale, total = x_step * steps[o], float32(0)
        for i in range(x.shape[1]):
            total += x[b, i] * weights[o, i]
        if scale != 0:
            total = float32(round(total / scale)) * scale
        out[b, o] = total


@cuda.jit(device=True, forceinline=True)
def shifted(v, step):
    if step == float32(0):
        return v
    above = int32(int32(round(v / step)) + 128)  # past what it holds, for the largest
    return float32(min(max(above, 0), 255) - 128) * step


@wrong("shifted_past_32_bits", misconception="wrong_formula", says="numbers far beyond their steps")
@cuda.jit
def rounded_layer(x, x_step, weights, steps, out):
    o, b = cuda.grid(2)
    if b < out.shape[0] and o < out.shape[1]:
        step = steps[o]
        total = float32(0)
        for i in range(x.shape[1]):
            total += shifted(x[b, i], x_step) * shifted(weights[o, i], step)
        out[b, o] = total
