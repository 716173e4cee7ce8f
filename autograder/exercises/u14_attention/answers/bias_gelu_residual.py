"""Answers to attention.bias_gelu_residual."""

import math

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

THREADS = 128
HALF = float32(0.5)
ONE = float32(1)
ROOT = float32(1 / math.sqrt(2))


@cuda.jit(device=True)
def gelu(x):
    return float32(0.5) * x * (float32(1) + math.erf(x / float32(math.sqrt(2))))


@right("a_function_for_gelu")
@cuda.jit
def bias_gelu_residual(src, bias, residual, dst):
    row = cuda.blockIdx.x
    c = cuda.threadIdx.x
    while c < src.shape[1]:
        dst[row, c] = residual[row, c] + gelu(src[row, c] + bias[c])
        c += cuda.blockDim.x


@right("complement_of_erf")
@cuda.jit
def bias_gelu_residual(src, bias, residual, dst):
    row = cuda.blockIdx.x
    for c in range(cuda.threadIdx.x, src.shape[1], THREADS):
        x = src[row, c] + bias[c]
        dst[row, c] = x * HALF * math.erfc(-x * ROOT) + residual[row, c]


@right("share_of_a_normal_distribution")
@cuda.jit
def bias_gelu_residual(src, bias, residual, dst):
    row = cuda.blockIdx.x
    for c in range(cuda.threadIdx.x, src.shape[1], THREADS):
        x = src[row, c] + bias[c]
        dst[row, c] = x * cuda.libdevice.normcdff(x) + residual[row, c]


@right("rows_as_views")
@cuda.jit
def bias_gelu_residual(src, bias, residual, dst):
    line, past, result = src[cuda.blockIdx.x], residual[cuda.blockIdx.x], dst[cuda.blockIdx.x]
    for c in range(cuda.threadIdx.x, bias.size, cuda.blockDim.x):
        x = line[c] + bias[c]
        below = (math.erf(x * ROOT) + ONE) * HALF
        result[c] = x * below + past[c]


@right("one_index_through_the_matrix")
@cuda.jit
def bias_gelu_residual(src, bias, residual, dst):
    n_rows, n_cols = src.shape
    for i in range(cuda.grid(1), n_rows * n_cols, cuda.gridsize(1)):
        row, col = i // n_cols, i % n_cols
        x = src[row, col] + bias[col]
        dst[row, col] = residual[row, col] + HALF * (x + x * math.erf(x * ROOT))


@right("two_elements_per_turn")
@cuda.jit
def bias_gelu_residual(src, bias, residual, dst):
    row, n_cols = cuda.blockIdx.x, src.shape[1]
    for c in range(cuda.threadIdx.x, n_cols, 2 * THREADS):
        d = c + THREADS
        x = src[row, c] + bias[c]
        past = residual[row, c]
        if d < n_cols:
            y = src[row, d] + bias[d]
            dst[row, d] = HALF * y * (ONE + math.erf(y * ROOT)) + residual[row, d]
        dst[row, c] = HALF * x * (ONE + math.erf(x * ROOT)) + past


@wrong("three_loops", misconception="not_fused", says="stays in a register")
@cuda.jit
def bias_gelu_residual(src, bias, residual, dst):
    row = cuda.blockIdx.x
    for c in range(cuda.threadIdx.x, src.shape[1], THREADS):
        dst[row, c] = src[row, c] + bias[c]
    for c in range(cuda.threadIdx.x, src.shape[1], THREADS):
        x = dst[row, c]
        dst[row, c] = HALF * x * (ONE + math.erf(x * ROOT))
    for c in range(cuda.threadIdx.x, src.shape[1], THREADS):
        dst[row, c] = dst[row, c] + residual[row, c]


@wrong("in_dst_step_by_step", misconception="not_fused", says="stays in a register")
@cuda.jit
def bias_gelu_residual(src, bias, residual, dst):
    row = cuda.blockIdx.x
    for c in range(cuda.threadIdx.x, src.shape[1], THREADS):
        dst[row, c] = src[row, c] + bias[c]
        dst[row, c] = HALF * dst[row, c] * (ONE + math.erf(dst[row, c] * ROOT))
        dst[row, c] += residual[row, c]


@wrong("the_sum_written_out_twice", misconception="not_fused", says="stays in a register")
@cuda.jit
def bias_gelu_residual(src, bias, residual, dst):
    row = cuda.blockIdx.x
    for c in range(cuda.threadIdx.x, src.shape[1], THREADS):
        below = ONE + math.erf((src[row, c] + bias[c]) * ROOT)
        dst[row, c] = HALF * (src[row, c] + bias[c]) * below + residual[row, c]


@wrong("constants_in_double_precision", misconception="float64_arithmetic", says="float64")
@cuda.jit
def bias_gelu_residual(src, bias, residual, dst):
    row = cuda.blockIdx.x
    for c in range(cuda.threadIdx.x, src.shape[1], THREADS):
        x = src[row, c] + bias[c]
        dst[row, c] = 0.5 * x * (1.0 + math.erf(x / math.sqrt(2.0))) + residual[row, c]


@wrong("by_tanh", misconception="another_form", says="the approximation by tanh")
@cuda.jit
def bias_gelu_residual(src, bias, residual, dst):
    row = cuda.blockIdx.x
    for c in range(cuda.threadIdx.x, src.shape[1], THREADS):
        x = src[row, c] + bias[c]
        dst[row, c] = (
            HALF * x * (ONE + math.tanh(float32(0.7978845608) * (x + float32(0.044715) * x * x * x))) + residual[row, c]
        )


@wrong("by_a_sigmoid", misconception="another_form", says="the approximation by a sigmoid")
@cuda.jit
def bias_gelu_residual(src, bias, residual, dst):
    row = cuda.blockIdx.x
    for c in range(cuda.threadIdx.x, src.shape[1], THREADS):
        x = src[row, c] + bias[c]
        dst[row, c] = x / (ONE + math.exp(float32(-1.702) * x)) + residual[row, c]


@wrong("erf_of_x_itself", misconception="root_forgotten", says="square root of 2")
@cuda.jit
def bias_gelu_residual(src, bias, residual, dst):
    row = cuda.blockIdx.x
    for c in range(cuda.threadIdx.x, src.shape[1], THREADS):
        x = src[row, c] + bias[c]
        dst[row, c] = HALF * x * (ONE + math.erf(x)) + residual[row, c]


@wrong("half_forgotten", misconception="half_forgotten", says="factor 1/2")
@cuda.jit
def bias_gelu_residual(src, bias, residual, dst):
    row = cuda.blockIdx.x
    for c in range(cuda.threadIdx.x, src.shape[1], THREADS):
        x = src[row, c] + bias[c]
        dst[row, c] = x * (ONE + math.erf(x * ROOT)) + residual[row, c]


@wrong("no_bias", misconception="no_bias", says="the bias is missing")
@cuda.jit
def bias_gelu_residual(src, bias, residual, dst):
    row = cuda.blockIdx.x
    for c in range(cuda.threadIdx.x, src.shape[1], THREADS):
        x = src[row, c]
        dst[row, c] = HALF * x * (ONE + math.erf(x * ROOT)) + residual[row, c]


@wrong("no_residual", misconception="no_residual", says="the residual is missing")
@cuda.jit
def bias_gelu_residual(src, bias, residual, dst):
    row = cuda.blockIdx.x
    for c in range(cuda.threadIdx.x, src.shape[1], THREADS):
        x = src[row, c] + bias[c]
        dst[row, c] = HALF * x * (ONE + math.erf(x * ROOT))


@wrong("residual_inside", misconception="residual_inside", says="went through gelu")
@cuda.jit
def bias_gelu_residual(src, bias, residual, dst):
    row = cuda.blockIdx.x
    for c in range(cuda.threadIdx.x, src.shape[1], THREADS):
        x = src[row, c] + bias[c] + residual[row, c]
        dst[row, c] = HALF * x * (ONE + math.erf(x * ROOT))


@wrong("bias_at_the_end", misconception="bias_outside", says="after gelu")
@cuda.jit
def bias_gelu_residual(src, bias, residual, dst):
    row = cuda.blockIdx.x
    for c in range(cuda.threadIdx.x, src.shape[1], THREADS):
        x = src[row, c]
        dst[row, c] = HALF * x * (ONE + math.erf(x * ROOT)) + residual[row, c] + bias[c]


@wrong("one_element_per_thread", misconception="missing_tail", says="only the first 128")
@cuda.jit
def bias_gelu_residual(src, bias, residual, dst):
    row = cuda.blockIdx.x
    c = cuda.threadIdx.x
    if c < src.shape[1]:
        x = src[row, c] + bias[c]
        dst[row, c] = HALF * x * (ONE + math.erf(x * ROOT)) + residual[row, c]


@wrong("a_bias_per_row", misconception="bias_by_row", says="one number of the bias")
@cuda.jit
def bias_gelu_residual(src, bias, residual, dst):
    row = cuda.blockIdx.x
    for c in range(cuda.threadIdx.x, src.shape[1], THREADS):
        x = src[row, c] + bias[row]
        dst[row, c] = HALF * x * (ONE + math.erf(x * ROOT)) + residual[row, c]


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def bias_gelu_residual(src, bias, residual, dst):
    row = cuda.blockIdx.x
    for first in range(0, src.shape[1], THREADS):
        c = first + cuda.threadIdx.x
        x = src[row, c] + bias[c]
        dst[row, c] = HALF * x * (ONE + math.erf(x * ROOT)) + residual[row, c]


@wrong("neighbours_for_a_thread", misconception="uncoalesced", says="sectors")
@cuda.jit
def bias_gelu_residual(src, bias, residual, dst):
    row = cuda.blockIdx.x
    each = (src.shape[1] + THREADS - 1) // THREADS
    for c in range(each * cuda.threadIdx.x, min(each * cuda.threadIdx.x + each, src.shape[1])):
        x = src[row, c] + bias[c]
        dst[row, c] = HALF * x * (ONE + math.erf(x * ROOT)) + residual[row, c]


@wrong("one_thread_per_row", misconception="few_threads", says="461")
@cuda.jit
def bias_gelu_residual(src, bias, residual, dst):
    row = cuda.blockIdx.x
    for c in range(src.shape[1] if cuda.threadIdx.x == 0 else 0):
        x = src[row, c] + bias[c]
        dst[row, c] = HALF * x * (ONE + math.erf(x * ROOT)) + residual[row, c]
