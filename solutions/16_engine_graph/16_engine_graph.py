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
