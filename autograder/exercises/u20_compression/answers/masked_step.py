"""Answers to compression.masked_step."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong


@cuda.jit(device=True)
def gradient_at(x, upstream, o, i):
    """The gradient of one weight."""
    gradient = float32(0)
    for b in range(x.shape[0]):
        gradient += upstream[b, o] * x[b, i]
    return gradient


@right("early_returns")
@cuda.jit
def masked_step(weights, mask, x, upstream, rate):
    i, o = cuda.grid(2)
    if o >= weights.shape[0] or i >= weights.shape[1]:
        return
    if mask[o, i] == 0:
        weights[o, i] = 0
        return
    weights[o, i] -= rate * gradient_at(x, upstream, o, i)


@right("everybody_adds_up")
@cuda.jit
def masked_step(weights, mask, x, upstream, rate):
    i, o = cuda.grid(2)
    if o < weights.shape[0] and i < weights.shape[1]:
        moved = weights[o, i] - rate * gradient_at(x, upstream, o, i)
        weights[o, i] = moved if mask[o, i] == 1 else float32(0)


@right("strides_of_the_grid")
@cuda.jit
def masked_step(weights, mask, x, upstream, rate):
    first_i, first_o = cuda.grid(2)
    along, down = cuda.gridsize(2)
    for o in range(first_o, weights.shape[0], down):
        for i in range(first_i, weights.shape[1], along):
            new = float32(0)
            if mask[o, i]:
                new = weights[o, i] - rate * gradient_at(x, upstream, o, i)
            weights[o, i] = new


@right("backwards_through_the_batch")
@cuda.jit
def masked_step(weights, mask, x, upstream, rate):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    o = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
    if i < weights.shape[1] and o < weights.shape[0]:
        gradient, b = float32(0), x.shape[0]
        while b > 0 and mask[o, i] != 0:
            b -= 1
            gradient += x[b, i] * upstream[b, o]
        weights[o, i] = weights[o, i] - rate * gradient if mask[o, i] != 0 else float32(0)


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def masked_step(weights, mask, x, upstream, rate):
    i, o = cuda.grid(2)
    if mask[o, i] != 0:
        weights[o, i] -= rate * gradient_at(x, upstream, o, i)
    else:
        weights[o, i] = float32(0)


@wrong("no_mask", misconception="mask_ignored", says="all weights are moved")
@cuda.jit
def masked_step(weights, mask, x, upstream, rate):
    i, o = cuda.grid(2)
    if o < weights.shape[0] and i < weights.shape[1]:
        weights[o, i] -= rate * gradient_at(x, upstream, o, i)


@wrong("weights_masked_alone", misconception="gradient_not_masked", says="come back")
@cuda.jit
def masked_step(weights, mask, x, upstream, rate):
    i, o = cuda.grid(2)
    if o < weights.shape[0] and i < weights.shape[1]:
        old = weights[o, i] if mask[o, i] != 0 else float32(0)
        weights[o, i] = old - rate * gradient_at(x, upstream, o, i)


@wrong("gradient_masked_alone", misconception="gone_kept", says="store 0")
@cuda.jit
def masked_step(weights, mask, x, upstream, rate):
    i, o = cuda.grid(2)
    if o < weights.shape[0] and i < weights.shape[1] and mask[o, i] != 0:
        weights[o, i] -= rate * gradient_at(x, upstream, o, i)


@wrong("zeros_stay", misconception="mask_upside_down", says="exchanged")
@cuda.jit
def masked_step(weights, mask, x, upstream, rate):
    i, o = cuda.grid(2)
    if o < weights.shape[0] and i < weights.shape[1]:
        if mask[o, i] == 0:
            weights[o, i] -= rate * gradient_at(x, upstream, o, i)
        else:
            weights[o, i] = float32(0)


@wrong("with_the_gradient", misconception="uphill", says="up the gradient")
@cuda.jit
def masked_step(weights, mask, x, upstream, rate):
    i, o = cuda.grid(2)
    if o < weights.shape[0] and i < weights.shape[1]:
        if mask[o, i] != 0:
            weights[o, i] += rate * gradient_at(x, upstream, o, i)
        else:
            weights[o, i] = float32(0)


@wrong("mean_of_the_batch", misconception="averaged", says="divided by the size of the batch")
@cuda.jit
def masked_step(weights, mask, x, upstream, rate):
    i, o = cuda.grid(2)
    if o < weights.shape[0] and i < weights.shape[1]:
        if mask[o, i] != 0:
            weights[o, i] -= rate * gradient_at(x, upstream, o, i) / float32(x.shape[0])
        else:
            weights[o, i] = float32(0)


@wrong("no_rate", misconception="rate_left_out", says="the whole gradient")
@cuda.jit
def masked_step(weights, mask, x, upstream, rate):
    i, o = cuda.grid(2)
    if o < weights.shape[0] and i < weights.shape[1]:
        if mask[o, i] != 0:
            weights[o, i] -= gradient_at(x, upstream, o, i)
        else:
            weights[o, i] = float32(0)


@wrong("set_and_not_added", misconception="last_sample_only", says="+=")
@cuda.jit
def masked_step(weights, mask, x, upstream, rate):
    i, o = cuda.grid(2)
    if o < weights.shape[0] and i < weights.shape[1]:
        if mask[o, i] != 0:
            gradient = float32(0)
            for b in range(x.shape[0]):
                gradient = upstream[b, o] * x[b, i]
            weights[o, i] -= rate * gradient
        else:
            weights[o, i] = float32(0)


@wrong("one_sample", misconception="first_sample_only", says="first sample")
@cuda.jit
def masked_step(weights, mask, x, upstream, rate):
    i, o = cuda.grid(2)
    if o < weights.shape[0] and i < weights.shape[1]:
        if mask[o, i] != 0:
            weights[o, i] -= rate * upstream[0, o] * x[0, i]
        else:
            weights[o, i] = float32(0)


@wrong("times_the_mask", misconception="nan_by_arithmetic", says="where a weight is gone")
@cuda.jit
def masked_step(weights, mask, x, upstream, rate):
    i, o = cuda.grid(2)
    if o < weights.shape[0] and i < weights.shape[1]:
        moved = weights[o, i] - rate * gradient_at(x, upstream, o, i)
        weights[o, i] = moved * float32(mask[o, i])
