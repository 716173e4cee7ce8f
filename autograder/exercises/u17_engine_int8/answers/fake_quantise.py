"""Answers to engine_int8.fake_quantise."""

import math

from numba import cuda, float32, int32

from autograder.exercises.catalogue import right, wrong

LOW, HIGH = float32(-128), float32(127)


@right("by_conditions")
@cuda.jit
def fake_quantise(real, scale, upstream, fake, gradient):
    for i in range(cuda.grid(1), real.size, cuda.gridsize(1)):
        v = real[i] / scale
        if v >= float32(127.5):
            fake[i], gradient[i] = HIGH * scale, 0
        elif v < float32(-128.5):
            fake[i], gradient[i] = LOW * scale, 0
        else:
            fake[i], gradient[i] = float32(round(v)) * scale, upstream[i]


@right("whole_steps_compared")
@cuda.jit
def fake_quantise(real, scale, upstream, fake, gradient):
    i = cuda.grid(1)
    if i >= real.size:
        return
    q = round(real[i] / scale)
    gradient[i] = upstream[i] if -128 <= q <= 127 else 0
    fake[i] = float32(min(max(q, -128), 127)) * scale


@right("what_was_cut_differs")
@cuda.jit
def fake_quantise(real, scale, upstream, fake, gradient):
    i = cuda.grid(1)
    if i < fake.size:
        q = float32(round(real[i] / scale))
        kept = min(max(q, LOW), HIGH)
        fake[i] = kept * scale
        gradient[i] = upstream[i] if kept == q else float32(0)


@right("zero_first")
@cuda.jit
def fake_quantise(real, scale, upstream, fake, gradient):
    i = cuda.grid(1)
    if i < real.shape[0]:
        q = int32(round(min(max(real[i] / scale, float32(-200)), float32(200))))
        gradient[i] = 0
        if q >= -128 and q <= 127:
            gradient[i] = upstream[i]
        if q > 127:
            q = int32(127)
        if q < -128:
            q = int32(-128)
        fake[i] = float32(q) * scale


@right("forward_and_backward_apart")
@cuda.jit
def fake_quantise(real, scale, upstream, fake, gradient):
    t = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if t < real.size:
        v = real[t] / scale
        fake[t] = float32(round(min(max(v, LOW), HIGH))) * scale
    if t < real.size:
        v = real[t] / scale
        outside = v < float32(-128.5) or v >= float32(127.5)
        gradient[t] = float32(0) if outside else upstream[t]


@cuda.jit(device=True)
def kept_step(v):
    return round(min(max(v, LOW), HIGH))


@right("a_device_function_rounds")
@cuda.jit
def fake_quantise(real, scale, upstream, fake, gradient):
    i = cuda.grid(1)
    if i < real.size:
        v = real[i] / scale
        fake[i] = float32(kept_step(v)) * scale
        passes = abs(v + float32(0.5)) < float32(128) or v == float32(-128.5)
        gradient[i] = upstream[i] if passes else float32(0)


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def fake_quantise(real, scale, upstream, fake, gradient):
    i = cuda.grid(1)
    if True:
        q = float32(round(real[i] / scale))
        fake[i] = min(max(q, LOW), HIGH) * scale
        gradient[i] = upstream[i] if LOW <= q <= HIGH else float32(0)


@wrong("gradient_of_all", misconception="through_the_cut", says="changes nothing")
@cuda.jit
def fake_quantise(real, scale, upstream, fake, gradient):
    i = cuda.grid(1)
    if i < real.size:
        q = float32(round(real[i] / scale))
        fake[i] = min(max(q, LOW), HIGH) * scale
        gradient[i] = upstream[i]


@wrong("slope_of_a_staircase", misconception="no_gradient", says="0 everywhere")
@cuda.jit
def fake_quantise(real, scale, upstream, fake, gradient):
    i = cuda.grid(1)
    if i < real.size:
        q = float32(round(real[i] / scale))
        fake[i] = min(max(q, LOW), HIGH) * scale
        gradient[i] = float32(0)


@wrong("steps_compared_unrounded", misconception="cut_before_rounding", says="rounds to 127")
@cuda.jit
def fake_quantise(real, scale, upstream, fake, gradient):
    i = cuda.grid(1)
    if i < real.size:
        q = float32(round(real[i] / scale))
        fake[i] = min(max(q, LOW), HIGH) * scale
        gradient[i] = upstream[i] if LOW <= real[i] / scale <= HIGH else float32(0)


@wrong("reals_compared_with_steps", misconception="range_in_reals", says="one of steps")
@cuda.jit
def fake_quantise(real, scale, upstream, fake, gradient):
    i = cuda.grid(1)
    if i < real.size:
        q = float32(round(real[i] / scale))
        fake[i] = min(max(q, LOW), HIGH) * scale
        gradient[i] = upstream[i] if LOW <= real[i] <= HIGH else float32(0)


@wrong("mask_turned_round", misconception="mask_turned_round", says="other way round")
@cuda.jit
def fake_quantise(real, scale, upstream, fake, gradient):
    i = cuda.grid(1)
    if i < real.size:
        q = float32(round(real[i] / scale))
        fake[i] = min(max(q, LOW), HIGH) * scale
        gradient[i] = float32(0) if LOW <= q <= HIGH else upstream[i]


@wrong("gradient_times_scale", misconception="gradient_scaled", says="multiplied by the scale")
@cuda.jit
def fake_quantise(real, scale, upstream, fake, gradient):
    i = cuda.grid(1)
    if i < real.size:
        q = float32(round(real[i] / scale))
        fake[i] = min(max(q, LOW), HIGH) * scale
        gradient[i] = upstream[i] * scale if LOW <= q <= HIGH else float32(0)


@wrong("gradient_over_scale", misconception="gradient_scaled", says="divided by the scale")
@cuda.jit
def fake_quantise(real, scale, upstream, fake, gradient):
    i = cuda.grid(1)
    if i < real.size:
        q = float32(round(real[i] / scale))
        fake[i] = min(max(q, LOW), HIGH) * scale
        gradient[i] = upstream[i] / scale if LOW <= q <= HIGH else float32(0)


@wrong("mask_by_a_product", misconception="nan_by_arithmetic", says="NaN")
@cuda.jit
def fake_quantise(real, scale, upstream, fake, gradient):
    i = cuda.grid(1)
    if i < real.size:
        q = float32(round(real[i] / scale))
        fake[i] = min(max(q, LOW), HIGH) * scale
        gradient[i] = upstream[i] * float32(LOW <= q <= HIGH)


@wrong("steps_stored", misconception="not_dequantised", says="fake holds steps")
@cuda.jit
def fake_quantise(real, scale, upstream, fake, gradient):
    i = cuda.grid(1)
    if i < real.size:
        q = float32(round(real[i] / scale))
        fake[i] = min(max(q, LOW), HIGH)
        gradient[i] = upstream[i] if LOW <= q <= HIGH else float32(0)


@wrong("never_cut", misconception="never_cut", says="int8 ends at")
@cuda.jit
def fake_quantise(real, scale, upstream, fake, gradient):
    i = cuda.grid(1)
    if i < real.size:
        q = float32(round(real[i] / scale))
        fake[i] = q * scale
        gradient[i] = upstream[i] if LOW <= q <= HIGH else float32(0)


@wrong("cut_off", misconception="truncated", says="cut off and not rounded")
@cuda.jit
def fake_quantise(real, scale, upstream, fake, gradient):
    i = cuda.grid(1)
    if i < real.size:
        q = float32(round(real[i] / scale))
        fake[i] = float32(int32(min(max(real[i] / scale, LOW), HIGH))) * scale
        gradient[i] = upstream[i] if LOW <= q <= HIGH else float32(0)


@wrong("half_away_from_zero", misconception="half_away", says="ties go away")
@cuda.jit
def fake_quantise(real, scale, upstream, fake, gradient):
    i = cuda.grid(1)
    if i < real.size:
        q = float32(round(real[i] / scale))
        v = min(max(real[i] / scale, LOW), HIGH)
        fake[i] = float32(int32(v + math.copysign(float32(0.5), v))) * scale
        gradient[i] = upstream[i] if LOW <= q <= HIGH else float32(0)


@wrong("real_beyond_the_ends", misconception="never_cut", says="fake is real itself")
@cuda.jit
def fake_quantise(real, scale, upstream, fake, gradient):
    i = cuda.grid(1)
    if i < real.size:
        q = float32(round(real[i] / scale))
        if LOW <= q <= HIGH:
            fake[i], gradient[i] = q * scale, upstream[i]
        else:
            fake[i], gradient[i] = real[i], 0


@wrong("strictly_inside", misconception="ends_left_out", says="0 at the ends")
@cuda.jit
def fake_quantise(real, scale, upstream, fake, gradient):
    i = cuda.grid(1)
    if i < real.size:
        q = float32(round(real[i] / scale))
        fake[i] = min(max(q, LOW), HIGH) * scale
        gradient[i] = upstream[i] if LOW < q < HIGH else float32(0)


@wrong("gradient_where_it_passes_alone", misconception="missing_tail", says="never written")
@cuda.jit
def fake_quantise(real, scale, upstream, fake, gradient):
    i = cuda.grid(1)
    if i < real.size:
        q = float32(round(real[i] / scale))
        fake[i] = min(max(q, LOW), HIGH) * scale
        if LOW <= q <= HIGH:
            gradient[i] = upstream[i]
