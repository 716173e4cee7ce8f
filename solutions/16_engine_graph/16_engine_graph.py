# %% [markdown]
# # From a graph to few kernels
#
# **The promise:** placeholder.
#
# **Time:** about three hours, 14 lines to write.

# %% tags=["setup"]
import numpy as np
from numba import cuda, float32

from autograder import exercise

KIND, FIRST, SECOND, CHANNELS, KERNEL, STRIDE, PAD, WEIGHTS = 0, 1, 2, 3, 4, 5, 6, 7  # columns of a graph's table
INPUT, CONSTANT, IDENTITY, RELU, ADD, CONCAT, FLATTEN, CONV, POOL = 0, 1, 2, 3, 4, 5, 6, 7, 8  # kinds of layers

# %%
q = exercise("engine_graph.infer_shapes")
q.show()

# %% predict="infer_shapes"
q = exercise("engine_graph.infer_shapes")
q.predict(prints="112 56")


# %% solution="infer_shapes"
def infer_shapes(layers, given):
    """(n_layers, 3): channels, rows and columns of each layer's result, or -1. layers: (n_layers, 8), given: (3,)."""
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, kernel, stride, pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]  # of the operands; -1 where there is none, or where it has none
        if kind == INPUT:
            shapes[i] = given
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        # about 11 lines
        ### BEGIN SOLUTION
        elif x[0] < 0 or (b >= 0 and y[0] < 0):
            continue  # nothing is known of an operand
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            windows = (x[1:] + 2 * pad - kernel) // stride + 1
            shapes[i] = channels if kind == CONV else x[0], *windows
        elif kind == ADD and np.all((x == y) | (x == 1) | (y == 1)):
            shapes[i] = np.maximum(x, y)
        elif kind == CONCAT and np.all(x[1:] == y[1:]):
            shapes[i] = x[0] + y[0], *x[1:]
        elif kind == FLATTEN:
            shapes[i] = np.prod(x), 1, 1
        ### END SOLUTION
    return shapes


# %% check="infer_shapes"
q = exercise("engine_graph.infer_shapes")
q.check(infer_shapes).points

# %%
q = exercise("engine_graph.clean_graph")
q.show()

# %% predict="clean_graph"
q = exercise("engine_graph.clean_graph")
q.predict(prints="0 0 0")


# %% solution="clean_graph"
def clean_graph(layers, output):
    """(stands_for, fate), (n_layers,) each: what is read in a layer's place; 0 left out, 1 stored, 2 runs."""
    n_layers, seen = len(layers), {}
    stands_for, constant = np.arange(n_layers), np.zeros(n_layers, bool)
    fate, needed = np.zeros(n_layers, int), set()
    # about 13 lines
    ### BEGIN SOLUTION
    for i, layer in enumerate(layers.tolist()):
        kind, reads = layer[KIND], [int(stands_for[at]) for at in layer[1:3] if at >= 0]
        stands_for[i] = seen.setdefault((kind, *reads, *layer[3:]), i)
        if kind == IDENTITY or (kind == RELU and layers[reads[0], KIND] == RELU):
            stands_for[i] = reads[0]
        constant[i] = kind == CONSTANT or (kind != INPUT and all(constant[reads]))
    needed.add(int(stands_for[output]))
    for i in reversed(range(n_layers)):
        if i in needed:
            fate[i] = 1 if constant[i] else 2
            if not constant[i]:  # what is stored reads nothing any more
                needed.update(int(stands_for[at]) for at in layers[i, 1:3] if at >= 0)
    ### END SOLUTION
    return stands_for, fate


# %% check="clean_graph"
q = exercise("engine_graph.clean_graph")
q.check(clean_graph).points

# %%
q = exercise("engine_graph.fuse_groups")
q.show()

# %% predict="fuse_groups"
q = exercise("engine_graph.fuse_groups")
q.predict(prints="32 8")


# %% solution="fuse_groups"
def fuse_groups(layers, outputs):
    """(n_layers,): the first layer of the kernel that makes each result, -1 for what is given. layers: (n_layers, 8)."""
    n_readers = np.bincount(layers[:, 1:3][layers[:, 1:3] >= 0], minlength=len(layers))
    kernel = np.arange(len(layers))
    # about 8 lines
    ### BEGIN SOLUTION
    for i, (kind, a, b) in enumerate(layers[:, :3]):
        if kind in (INPUT, CONSTANT):
            kernel[i] = -1
        elif kind in (RELU, ADD):
            for x in (a, b):
                if x >= 0 and kernel[x] >= 0 and n_readers[x] == 1 and x not in outputs:
                    kernel[i] = kernel[x]
                    break
    ### END SOLUTION
    return kernel


# %% check="fuse_groups"
q = exercise("engine_graph.fuse_groups")
q.check(fuse_groups).points

# %% tags=["setup"]
ADD_ARRAY, TIMES_ARRAY, ADD_NUMBER, TIMES_NUMBER, AT_LEAST, AT_MOST = 0, 1, 2, 3, 4, 5  # operations of a chain

# %%
q = exercise("engine_graph.run_chain")
q.show()

# %% predict="run_chain"
q = exercise("engine_graph.run_chain")
q.predict(global_load_requests=627, global_store_bytes=4100, prints="6 6 0")


# %% solution="run_chain"
@cuda.jit
def run_chain(program, numbers, arrays, dst):
    """dst = arrays[0] after all steps. program: (n_steps, 2) int32, numbers: (8,), arrays: (4, n), dst: (n,) float32."""
    i = cuda.grid(1)
    # about 17 lines
    ### BEGIN SOLUTION
    if i < dst.size:
        v = arrays[0, i]  # in a register from here on
        for s in range(program.shape[0]):
            op, at = program[s, 0], program[s, 1]
            if op == ADD_ARRAY:
                v += arrays[at, i]
            elif op == TIMES_ARRAY:
                v *= arrays[at, i]
            elif op == ADD_NUMBER:
                v += numbers[at]
            elif op == TIMES_NUMBER:
                v *= numbers[at]
            elif op == AT_LEAST:
                v = max(v, numbers[at])
            else:
                v = min(v, numbers[at])
        dst[i] = v
    ### END SOLUTION


# %% check="run_chain"
q = exercise("engine_graph.run_chain")
q.check(run_chain).points

# %%
q = exercise("engine_graph.query_key_value")
q.show()

# %% predict="query_key_value"
q = exercise("engine_graph.query_key_value")
q.predict(global_load_requests=1536, index=17)


# %% solution="query_key_value"
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    """Three products with one input. x: (n_rows, n_in), weights: (n_in, n_query + 2 n_key), queries: (n_rows, n_query),
    keys, values: (n_rows, n_key), all float32."""
    col, row = cuda.grid(2)
    n_query, n_key = queries.shape[1], keys.shape[1]
    # about 10 lines
    ### BEGIN SOLUTION
    if row < x.shape[0] and col < weights.shape[1]:
        acc = float32(0)
        for k in range(x.shape[1]):
            acc += x[row, k] * weights[k, col]
        if col < n_query:
            queries[row, col] = acc
        elif col < n_query + n_key:
            keys[row, col - n_query] = acc
        else:
            values[row, col - n_query - n_key] = acc
    ### END SOLUTION


# %% check="query_key_value"
q = exercise("engine_graph.query_key_value")
q.check(query_key_value).points

# %% tags=["setup"]
CHANNELS = 64  # at most


@cuda.jit(device=True)
def warp_sum(value):
    """The sum of 32 lanes' values, in lane 0. All lanes of the warp must call it."""
    for step in (16, 8, 4, 2, 1):
        value += cuda.shfl_down_sync(0xFFFFFFFF, value, step)
    return value


# %%
q = exercise("engine_graph.network_head")
q.show()

# %% predict="network_head"
q = exercise("engine_graph.network_head")
q.predict(global_store_bytes=320, barriers=2, prints="0 1")


# %% solution="network_head"
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    """A residual, ReLU, the average of each channel, and a fully connected layer. x, residual: (n_images, n_channels,
    n_pixels), weights: (n_channels, n_classes), bias: (n_classes,), logits: (n_images, n_classes), all float32."""
    averages = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    # about 13 lines
    ### BEGIN SOLUTION
    for channel in range(t // 32, n_channels, 4):  # a warp per channel
        acc = float32(0)
        for p in range(t % 32, n_pixels, 32):
            acc += max(x[image, channel, p] + residual[image, channel, p], float32(0))
        acc = warp_sum(acc)
        if t % 32 == 0:
            averages[channel] = acc / float32(n_pixels)
    cuda.syncthreads()  # the averages of all warps are there
    for c in range(t, bias.size, 128):
        acc = bias[c]
        for channel in range(n_channels):
            acc += averages[channel] * weights[channel, c]
        logits[image, c] = acc
    ### END SOLUTION


# %% check="network_head"
q = exercise("engine_graph.network_head")
q.check(network_head).points

# %% tags=["setup"]
import math


@cuda.jit(device=True)
def sigmoid(v):
    """1 / (1 + e^-v), between 0 and 1. float32."""
    return float32(1) / (float32(1) + math.exp(-v))


# %%
q = exercise("engine_graph.lstm_step")
q.show()

# %% predict="lstm_step"
q = exercise("engine_graph.lstm_step")
q.predict(global_store_bytes=1280, line=21)


# %%
@cuda.jit
def draft(x, h, c, w, r, bias, new_h, new_c):
    """The new state where the old one was, too: so the next step finds it there, and no array is to be exchanged."""
    u, row = cuda.grid(2)
    n = h.shape[1]
    if row < h.shape[0] and u < n:
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
        new_c[row, u] = sigmoid(f) * c[row, u] + sigmoid(i) * math.tanh(g)
        new_h[row, u] = sigmoid(o) * math.tanh(new_c[row, u])
        h[row, u] = new_h[row, u]


q = exercise("engine_graph.lstm_step")
q.check(draft)


# %% solution="lstm_step"
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    """A step of an LSTM. x: (n_rows, n_in), h, c, new_h, new_c: (n_rows, n), w: (n_in, 4 n), r: (n, 4 n), bias: (4 n,),
    all float32; columns of i, then o, f, g."""
    u, row = cuda.grid(2)
    n = h.shape[1]
    # about 17 lines
    ### BEGIN SOLUTION
    if row < h.shape[0] and u < n:
        i, o, f, g = bias[u], bias[n + u], bias[2 * n + u], bias[3 * n + u]
        for k in range(x.shape[1]):
            v = x[row, k]  # once for four products
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
    ### END SOLUTION


# %% check="lstm_step"
q = exercise("engine_graph.lstm_step")
q.check(lstm_step).points
