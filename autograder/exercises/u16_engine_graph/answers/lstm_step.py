"""Answers to engine_graph.lstm_step."""

import math

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong


@cuda.jit(device=True)
def sigmoid(v):
    return float32(1) / (float32(1) + math.exp(-v))


@right("a_local_array_of_gates")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    unit, row = cuda.grid(2)
    n_rows, n_units = h.shape
    if row >= n_rows or unit >= n_units:
        return
    gates = cuda.local.array(4, float32)
    for gate in range(4):
        total = float32(0)
        column = gate * n_units + unit
        for k in range(x.shape[1]):
            total += x[row, k] * w[k, column]
        for k in range(n_units):
            total += h[row, k] * r[k, column]
        gates[gate] = total + bias[column]
    kept = sigmoid(gates[2]) * c[row, unit]
    new_c[row, unit] = kept + sigmoid(gates[0]) * math.tanh(gates[3])
    new_h[row, unit] = sigmoid(gates[1]) * math.tanh(new_c[row, unit])


@right("one_loop_over_both_inputs")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    u, row = cuda.grid(2)
    n_in, n = x.shape[1], h.shape[1]
    if row < h.shape[0] and u < n:
        i = o = f = g = float32(0)
        for k in range(n_in + n):
            if k < n_in:
                v, a, b, d, e = x[row, k], w[k, u], w[k, n + u], w[k, 2 * n + u], w[k, 3 * n + u]
            else:
                j = k - n_in
                v, a, b, d, e = h[row, j], r[j, u], r[j, n + u], r[j, 2 * n + u], r[j, 3 * n + u]
            i += v * a
            o += v * b
            f += v * d
            g += v * e
        i += bias[u]
        o += bias[u + n]
        f += bias[u + 2 * n]
        g += bias[u + 3 * n]
        after = c[row, u] * sigmoid(f) + math.tanh(g) * sigmoid(i)
        new_h[row, u] = math.tanh(after) * sigmoid(o)
        new_c[row, u] = after


@cuda.jit(device=True)
def gate(x, h, w, r, bias, row, column):
    acc = bias[column]
    for k in range(x.shape[1]):
        acc += x[row, k] * w[k, column]
    for k in range(h.shape[1]):
        acc += h[row, k] * r[k, column]
    return acc


@right("a_device_function_adds_up")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    u, row = cuda.grid(2)
    n = h.shape[1]
    if u < n and row < h.shape[0]:
        let_in = sigmoid(gate(x, h, w, r, bias, row, u))
        let_out = sigmoid(gate(x, h, w, r, bias, row, n + u))
        kept = sigmoid(gate(x, h, w, r, bias, row, 2 * n + u))
        candidate = math.tanh(gate(x, h, w, r, bias, row, 3 * n + u))
        cell = kept * c[row, u] + let_in * candidate
        new_c[row, u] = cell
        new_h[row, u] = let_out * math.tanh(cell)


@cuda.jit(device=True)
def half_tanh(v):
    return float32(0.5) + float32(0.5) * math.tanh(float32(0.5) * v)


@right("sigmoid_by_tanh")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    u = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    row = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
    n = h.shape[1]
    if row < h.shape[0]:
        if u < n:
            i, o, f, g = bias[u], bias[n + u], bias[2 * n + u], bias[3 * n + u]
            for k in range(x.shape[1]):
                i += x[row, k] * w[k, u]
                o += x[row, k] * w[k, n + u]
                f += x[row, k] * w[k, 2 * n + u]
                g += x[row, k] * w[k, 3 * n + u]
            for k in range(n):
                i += h[row, k] * r[k, u]
                o += h[row, k] * r[k, n + u]
                f += h[row, k] * r[k, 2 * n + u]
                g += h[row, k] * r[k, 3 * n + u]
            cell = half_tanh(f) * c[row, u] + half_tanh(i) * math.tanh(g)
            new_c[row, u] = cell
            new_h[row, u] = half_tanh(o) * math.tanh(cell)


@right("grid_stride_and_views")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    first_u, first_row = cuda.grid(2)
    step_u, step_row = cuda.gridsize(2)
    n = c.shape[1]
    for row in range(first_row, c.shape[0], step_row):
        inputs, state = x[row], h[row]
        for u in range(first_u, n, step_u):
            i, o, f, g = bias[u], bias[n + u], bias[2 * n + u], bias[3 * n + u]
            for k in range(state.size):
                weights = r[k]
                i += state[k] * weights[u]
                o += state[k] * weights[n + u]
                f += state[k] * weights[2 * n + u]
                g += state[k] * weights[3 * n + u]
            for k in range(inputs.size):
                weights = w[k]
                i += inputs[k] * weights[u]
                o += inputs[k] * weights[n + u]
                f += inputs[k] * weights[2 * n + u]
                g += inputs[k] * weights[3 * n + u]
            cell = c[row, u] / (float32(1) + math.exp(-f)) + math.tanh(g) / (float32(1) + math.exp(-i))
            new_c[row, u] = cell
            new_h[row, u] = math.tanh(cell) / (float32(1) + math.exp(-o))


@right("state_in_shared_memory")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    tile = cuda.shared.array((8, 32), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    u, row = cuda.grid(2)
    n_rows, n = h.shape
    works = row < n_rows and u < n
    i = o = f = g = float32(0)
    if works:
        for k in range(x.shape[1]):
            v = x[row, k]
            i += v * w[k, u]
            o += v * w[k, n + u]
            f += v * w[k, 2 * n + u]
            g += v * w[k, 3 * n + u]
    for first in range(0, n, 32):
        tile[ty, tx] = h[row, first + tx] if row < n_rows and first + tx < n else float32(0)
        cuda.syncthreads()
        if works:
            for k in range(min(32, n - first)):
                v = tile[ty, k]
                i += v * r[first + k, u]
                o += v * r[first + k, n + u]
                f += v * r[first + k, 2 * n + u]
                g += v * r[first + k, 3 * n + u]
        cuda.syncthreads()
    if works:
        f, i = sigmoid(f + bias[2 * n + u]), sigmoid(i + bias[u])
        cell = f * c[row, u] + i * math.tanh(g + bias[3 * n + u])
        new_c[row, u] = cell
        new_h[row, u] = sigmoid(o + bias[n + u]) * math.tanh(cell)


@wrong("pytorchs_order", misconception="other_order", says="PyTorch's order")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    u, row = cuda.grid(2)
    n = h.shape[1]
    if row < h.shape[0] and u < n:
        i, o, f, g = bias[u], bias[n + u], bias[2 * n + u], bias[3 * n + u]
        for k in range(x.shape[1]):
            v = x[row, k]
            i += v * w[k, u]
            o += v * w[k, n + u]
            f += v * w[k, 2 * n + u]
            g += v * w[k, 3 * n + u]
        for k in range(n):
            v = h[row, k]
            i += v * r[k, u]
            o += v * r[k, n + u]
            f += v * r[k, 2 * n + u]
            g += v * r[k, 3 * n + u]
        cell = sigmoid(o) * c[row, u] + sigmoid(i) * math.tanh(f)
        new_c[row, u] = cell
        new_h[row, u] = sigmoid(g) * math.tanh(cell)


@wrong("forget_and_output_exchanged", misconception="other_order", says="forget and the output gate are exchanged")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    u, row = cuda.grid(2)
    n = h.shape[1]
    if row < h.shape[0] and u < n:
        i, o, f, g = bias[u], bias[n + u], bias[2 * n + u], bias[3 * n + u]
        for k in range(x.shape[1]):
            v = x[row, k]
            i += v * w[k, u]
            o += v * w[k, n + u]
            f += v * w[k, 2 * n + u]
            g += v * w[k, 3 * n + u]
        for k in range(n):
            v = h[row, k]
            i += v * r[k, u]
            o += v * r[k, n + u]
            f += v * r[k, 2 * n + u]
            g += v * r[k, 3 * n + u]
        cell = sigmoid(o) * c[row, u] + sigmoid(i) * math.tanh(g)
        new_c[row, u] = cell
        new_h[row, u] = sigmoid(f) * math.tanh(cell)


@wrong("input_and_forget_exchanged", misconception="other_order", says="input and the forget gate are exchanged")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    u, row = cuda.grid(2)
    n = h.shape[1]
    if row < h.shape[0] and u < n:
        i, o, f, g = bias[u], bias[n + u], bias[2 * n + u], bias[3 * n + u]
        for k in range(x.shape[1]):
            v = x[row, k]
            i += v * w[k, u]
            o += v * w[k, n + u]
            f += v * w[k, 2 * n + u]
            g += v * w[k, 3 * n + u]
        for k in range(n):
            v = h[row, k]
            i += v * r[k, u]
            o += v * r[k, n + u]
            f += v * r[k, 2 * n + u]
            g += v * r[k, 3 * n + u]
        cell = sigmoid(i) * c[row, u] + sigmoid(f) * math.tanh(g)
        new_c[row, u] = cell
        new_h[row, u] = sigmoid(o) * math.tanh(cell)


@wrong("input_and_output_exchanged", misconception="other_order", says="input and the output gate are exchanged")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    u, row = cuda.grid(2)
    n = h.shape[1]
    if row < h.shape[0] and u < n:
        i, o, f, g = bias[u], bias[n + u], bias[2 * n + u], bias[3 * n + u]
        for k in range(x.shape[1]):
            v = x[row, k]
            i += v * w[k, u]
            o += v * w[k, n + u]
            f += v * w[k, 2 * n + u]
            g += v * w[k, 3 * n + u]
        for k in range(n):
            v = h[row, k]
            i += v * r[k, u]
            o += v * r[k, n + u]
            f += v * r[k, 2 * n + u]
            g += v * r[k, 3 * n + u]
        cell = sigmoid(f) * c[row, u] + sigmoid(o) * math.tanh(g)
        new_c[row, u] = cell
        new_h[row, u] = sigmoid(i) * math.tanh(cell)


@wrong("four_neighbouring_columns", misconception="gates_interleaved", says="neighbouring columns")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    u, row = cuda.grid(2)
    n = h.shape[1]
    if row < h.shape[0] and u < n:
        i, o, f, g = bias[4 * u], bias[4 * u + 1], bias[4 * u + 2], bias[4 * u + 3]
        for k in range(x.shape[1]):
            v = x[row, k]
            i += v * w[k, 4 * u]
            o += v * w[k, 4 * u + 1]
            f += v * w[k, 4 * u + 2]
            g += v * w[k, 4 * u + 3]
        for k in range(n):
            v = h[row, k]
            i += v * r[k, 4 * u]
            o += v * r[k, 4 * u + 1]
            f += v * r[k, 4 * u + 2]
            g += v * r[k, 4 * u + 3]
        cell = sigmoid(f) * c[row, u] + sigmoid(i) * math.tanh(g)
        new_c[row, u] = cell
        new_h[row, u] = sigmoid(o) * math.tanh(cell)


@wrong("sigmoids_everywhere", misconception="sigmoid_for_candidate", says="lets it be negative")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    u, row = cuda.grid(2)
    n = h.shape[1]
    if row < h.shape[0] and u < n:
        i, o, f, g = bias[u], bias[n + u], bias[2 * n + u], bias[3 * n + u]
        for k in range(x.shape[1]):
            v = x[row, k]
            i += v * w[k, u]
            o += v * w[k, n + u]
            f += v * w[k, 2 * n + u]
            g += v * w[k, 3 * n + u]
        for k in range(n):
            v = h[row, k]
            i += v * r[k, u]
            o += v * r[k, n + u]
            f += v * r[k, 2 * n + u]
            g += v * r[k, 3 * n + u]
        cell = sigmoid(f) * c[row, u] + sigmoid(i) * sigmoid(g)
        new_c[row, u] = cell
        new_h[row, u] = sigmoid(o) * math.tanh(cell)


@wrong("candidate_as_it_is", misconception="candidate_not_bounded", says="between -1 and 1")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    u, row = cuda.grid(2)
    n = h.shape[1]
    if row < h.shape[0] and u < n:
        i, o, f, g = bias[u], bias[n + u], bias[2 * n + u], bias[3 * n + u]
        for k in range(x.shape[1]):
            v = x[row, k]
            i += v * w[k, u]
            o += v * w[k, n + u]
            f += v * w[k, 2 * n + u]
            g += v * w[k, 3 * n + u]
        for k in range(n):
            v = h[row, k]
            i += v * r[k, u]
            o += v * r[k, n + u]
            f += v * r[k, 2 * n + u]
            g += v * r[k, 3 * n + u]
        cell = sigmoid(f) * c[row, u] + sigmoid(i) * g
        new_c[row, u] = cell
        new_h[row, u] = sigmoid(o) * math.tanh(cell)


@wrong("the_whole_old_cell", misconception="nothing_forgotten", says="which share of it stays")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    u, row = cuda.grid(2)
    n = h.shape[1]
    if row < h.shape[0] and u < n:
        i, o, f, g = bias[u], bias[n + u], bias[2 * n + u], bias[3 * n + u]
        for k in range(x.shape[1]):
            v = x[row, k]
            i += v * w[k, u]
            o += v * w[k, n + u]
            f += v * w[k, 2 * n + u]
            g += v * w[k, 3 * n + u]
        for k in range(n):
            v = h[row, k]
            i += v * r[k, u]
            o += v * r[k, n + u]
            f += v * r[k, 2 * n + u]
            g += v * r[k, 3 * n + u]
        cell = c[row, u] + sigmoid(i) * math.tanh(g)
        new_c[row, u] = cell
        new_h[row, u] = sigmoid(o) * math.tanh(cell)


@wrong("the_whole_candidate", misconception="all_let_in", says="which share of it comes in")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    u, row = cuda.grid(2)
    n = h.shape[1]
    if row < h.shape[0] and u < n:
        i, o, f, g = bias[u], bias[n + u], bias[2 * n + u], bias[3 * n + u]
        for k in range(x.shape[1]):
            v = x[row, k]
            i += v * w[k, u]
            o += v * w[k, n + u]
            f += v * w[k, 2 * n + u]
            g += v * w[k, 3 * n + u]
        for k in range(n):
            v = h[row, k]
            i += v * r[k, u]
            o += v * r[k, n + u]
            f += v * r[k, 2 * n + u]
            g += v * r[k, 3 * n + u]
        cell = sigmoid(f) * c[row, u] + math.tanh(g)
        new_c[row, u] = cell
        new_h[row, u] = sigmoid(o) * math.tanh(cell)


@wrong("state_of_the_old_cell", misconception="state_of_old_cell", says="new_c comes first")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    u, row = cuda.grid(2)
    n = h.shape[1]
    if row < h.shape[0] and u < n:
        i, o, f, g = bias[u], bias[n + u], bias[2 * n + u], bias[3 * n + u]
        for k in range(x.shape[1]):
            v = x[row, k]
            i += v * w[k, u]
            o += v * w[k, n + u]
            f += v * w[k, 2 * n + u]
            g += v * w[k, 3 * n + u]
        for k in range(n):
            v = h[row, k]
            i += v * r[k, u]
            o += v * r[k, n + u]
            f += v * r[k, 2 * n + u]
            g += v * r[k, 3 * n + u]
        cell = sigmoid(f) * c[row, u] + sigmoid(i) * math.tanh(g)
        new_c[row, u] = cell
        new_h[row, u] = sigmoid(o) * math.tanh(c[row, u])


@wrong("cell_without_tanh", misconception="cell_not_bounded", says="its tanh is meant")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    u, row = cuda.grid(2)
    n = h.shape[1]
    if row < h.shape[0] and u < n:
        i, o, f, g = bias[u], bias[n + u], bias[2 * n + u], bias[3 * n + u]
        for k in range(x.shape[1]):
            v = x[row, k]
            i += v * w[k, u]
            o += v * w[k, n + u]
            f += v * w[k, 2 * n + u]
            g += v * w[k, 3 * n + u]
        for k in range(n):
            v = h[row, k]
            i += v * r[k, u]
            o += v * r[k, n + u]
            f += v * r[k, 2 * n + u]
            g += v * r[k, 3 * n + u]
        cell = sigmoid(f) * c[row, u] + sigmoid(i) * math.tanh(g)
        new_c[row, u] = cell
        new_h[row, u] = sigmoid(o) * cell


@wrong("no_output_gate", misconception="all_let_out", says="which share of it")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    u, row = cuda.grid(2)
    n = h.shape[1]
    if row < h.shape[0] and u < n:
        i, o, f, g = bias[u], bias[n + u], bias[2 * n + u], bias[3 * n + u]
        for k in range(x.shape[1]):
            v = x[row, k]
            i += v * w[k, u]
            o += v * w[k, n + u]
            f += v * w[k, 2 * n + u]
            g += v * w[k, 3 * n + u]
        for k in range(n):
            v = h[row, k]
            i += v * r[k, u]
            o += v * r[k, n + u]
            f += v * r[k, 2 * n + u]
            g += v * r[k, 3 * n + u]
        cell = sigmoid(f) * c[row, u] + sigmoid(i) * math.tanh(g)
        new_c[row, u] = cell
        new_h[row, u] = math.tanh(cell)


@wrong("sigmoid_of_the_cell", misconception="activations_exchanged", says="the gate is a share")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    u, row = cuda.grid(2)
    n = h.shape[1]
    if row < h.shape[0] and u < n:
        i, o, f, g = bias[u], bias[n + u], bias[2 * n + u], bias[3 * n + u]
        for k in range(x.shape[1]):
            v = x[row, k]
            i += v * w[k, u]
            o += v * w[k, n + u]
            f += v * w[k, 2 * n + u]
            g += v * w[k, 3 * n + u]
        for k in range(n):
            v = h[row, k]
            i += v * r[k, u]
            o += v * r[k, n + u]
            f += v * r[k, 2 * n + u]
            g += v * r[k, 3 * n + u]
        cell = sigmoid(f) * c[row, u] + sigmoid(i) * math.tanh(g)
        new_c[row, u] = cell
        new_h[row, u] = math.tanh(o) * sigmoid(cell)


@wrong("no_bias", misconception="bias_left_out", says="the bias is missing")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    u, row = cuda.grid(2)
    n = h.shape[1]
    if row < h.shape[0] and u < n:
        i = o = f = g = float32(0)
        for k in range(x.shape[1]):
            v = x[row, k]
            i += v * w[k, u]
            o += v * w[k, n + u]
            f += v * w[k, 2 * n + u]
            g += v * w[k, 3 * n + u]
        for k in range(n):
            v = h[row, k]
            i += v * r[k, u]
            o += v * r[k, n + u]
            f += v * r[k, 2 * n + u]
            g += v * r[k, 3 * n + u]
        cell = sigmoid(f) * c[row, u] + sigmoid(i) * math.tanh(g)
        new_c[row, u] = cell
        new_h[row, u] = sigmoid(o) * math.tanh(cell)


@wrong("input_alone", misconception="state_left_out", says="h is missing")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    u, row = cuda.grid(2)
    n = h.shape[1]
    if row < h.shape[0] and u < n:
        i, o, f, g = bias[u], bias[n + u], bias[2 * n + u], bias[3 * n + u]
        for k in range(x.shape[1]):
            v = x[row, k]
            i += v * w[k, u]
            o += v * w[k, n + u]
            f += v * w[k, 2 * n + u]
            g += v * w[k, 3 * n + u]
        for k in range(0):
            v = h[row, k]
            i += v * r[k, u]
            o += v * r[k, n + u]
            f += v * r[k, 2 * n + u]
            g += v * r[k, 3 * n + u]
        cell = sigmoid(f) * c[row, u] + sigmoid(i) * math.tanh(g)
        new_c[row, u] = cell
        new_h[row, u] = sigmoid(o) * math.tanh(cell)


@wrong("state_alone", misconception="input_left_out", says="x is missing")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    u, row = cuda.grid(2)
    n = h.shape[1]
    if row < h.shape[0] and u < n:
        i, o, f, g = bias[u], bias[n + u], bias[2 * n + u], bias[3 * n + u]
        for k in range(0):
            v = x[row, k]
            i += v * w[k, u]
            o += v * w[k, n + u]
            f += v * w[k, 2 * n + u]
            g += v * w[k, 3 * n + u]
        for k in range(n):
            v = h[row, k]
            i += v * r[k, u]
            o += v * r[k, n + u]
            f += v * r[k, 2 * n + u]
            g += v * r[k, 3 * n + u]
        cell = sigmoid(f) * c[row, u] + sigmoid(i) * math.tanh(g)
        new_c[row, u] = cell
        new_h[row, u] = sigmoid(o) * math.tanh(cell)


@wrong("the_draft", misconception="input_changed", says="but h is an input")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    u, row = cuda.grid(2)
    n = h.shape[1]
    if row < h.shape[0] and u < n:
        i, o, f, g = bias[u], bias[n + u], bias[2 * n + u], bias[3 * n + u]
        for k in range(x.shape[1]):
            v = x[row, k]
            i += v * w[k, u]
            o += v * w[k, n + u]
            f += v * w[k, 2 * n + u]
            g += v * w[k, 3 * n + u]
        for k in range(n):
            v = h[row, k]
            i += v * r[k, u]
            o += v * r[k, n + u]
            f += v * r[k, 2 * n + u]
            g += v * r[k, 3 * n + u]
        cell = sigmoid(f) * c[row, u] + sigmoid(i) * math.tanh(g)
        new_c[row, u] = cell
        h[row, u] = new_h[row, u] = sigmoid(o) * math.tanh(cell)


@wrong("no_guard_for_rows", misconception="no_guard", says="outside")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    u, row = cuda.grid(2)
    n = h.shape[1]
    if u < n:
        i, o, f, g = bias[u], bias[n + u], bias[2 * n + u], bias[3 * n + u]
        for k in range(x.shape[1]):
            v = x[row, k]
            i += v * w[k, u]
            o += v * w[k, n + u]
            f += v * w[k, 2 * n + u]
            g += v * w[k, 3 * n + u]
        for k in range(n):
            v = h[row, k]
            i += v * r[k, u]
            o += v * r[k, n + u]
            f += v * r[k, 2 * n + u]
            g += v * r[k, 3 * n + u]
        cell = sigmoid(f) * c[row, u] + sigmoid(i) * math.tanh(g)
        new_c[row, u] = cell
        new_h[row, u] = sigmoid(o) * math.tanh(cell)


@wrong("no_guard_for_units", misconception="no_guard", says="outside")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    u, row = cuda.grid(2)
    n = h.shape[1]
    if row < h.shape[0]:
        i, o, f, g = bias[u], bias[n + u], bias[2 * n + u], bias[3 * n + u]
        for k in range(x.shape[1]):
            v = x[row, k]
            i += v * w[k, u]
            o += v * w[k, n + u]
            f += v * w[k, 2 * n + u]
            g += v * w[k, 3 * n + u]
        for k in range(n):
            v = h[row, k]
            i += v * r[k, u]
            o += v * r[k, n + u]
            f += v * r[k, 2 * n + u]
            g += v * r[k, 3 * n + u]
        cell = sigmoid(f) * c[row, u] + sigmoid(i) * math.tanh(g)
        new_c[row, u] = cell
        new_h[row, u] = sigmoid(o) * math.tanh(cell)


@wrong("x_of_the_grid_down_the_rows", misconception="swapped_axes", says="x and y are exchanged")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    row, u = cuda.grid(2)
    n = h.shape[1]
    if row < h.shape[0] and u < n:
        i, o, f, g = bias[u], bias[n + u], bias[2 * n + u], bias[3 * n + u]
        for k in range(x.shape[1]):
            v = x[row, k]
            i += v * w[k, u]
            o += v * w[k, n + u]
            f += v * w[k, 2 * n + u]
            g += v * w[k, 3 * n + u]
        for k in range(n):
            v = h[row, k]
            i += v * r[k, u]
            o += v * r[k, n + u]
            f += v * r[k, 2 * n + u]
            g += v * r[k, 3 * n + u]
        cell = sigmoid(f) * c[row, u] + sigmoid(i) * math.tanh(g)
        new_c[row, u] = cell
        new_h[row, u] = sigmoid(o) * math.tanh(cell)


@wrong("exp_of_double", misconception="float64_arithmetic", says="double precision")
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    u, row = cuda.grid(2)
    n = h.shape[1]
    if row < h.shape[0] and u < n:
        i, o, f, g = bias[u], bias[n + u], bias[2 * n + u], bias[3 * n + u]
        for k in range(x.shape[1]):
            v = x[row, k]
            i += v * w[k, u]
            o += v * w[k, n + u]
            f += v * w[k, 2 * n + u]
            g += v * w[k, 3 * n + u]
        for k in range(n):
            v = h[row, k]
            i += v * r[k, u]
            o += v * r[k, n + u]
            f += v * r[k, 2 * n + u]
            g += v * r[k, 3 * n + u]
        cell = sigmoid(f) * c[row, u] + sigmoid(i) * math.tanh(g)
        new_c[row, u] = cell
        new_h[row, u] = math.tanh(cell) / (1.0 + math.exp(-o))
