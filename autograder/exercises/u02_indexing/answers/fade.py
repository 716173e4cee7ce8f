"""Answers to indexing.fade."""

from numba import cuda

from autograder.exercises.catalogue import right, style, wrong


@right("by_hand")
@cuda.jit
def fade(volume, weight, out):
    x = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    y = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
    z = cuda.blockIdx.z * cuda.blockDim.z + cuda.threadIdx.z
    n_z, n_y, n_x = volume.shape
    if x >= n_x or y >= n_y or z >= n_z:
        return
    out[z, y, x] = weight[z] * volume[z, y, x]


@right("one_question_an_if")
@cuda.jit
def fade(volume, weight, out):
    k, j, i = cuda.grid(3)
    if i < weight.size:
        factor = weight[i]
        if j < out.shape[1]:
            if k < out.shape[2]:
                out[i, j, k] = volume[i, j, k] * factor


@wrong("x_not_guarded", misconception="no_guard", says="outside")
@cuda.jit
def fade(volume, weight, out):
    x, y, z = cuda.grid(3)
    if z < out.shape[0] and y < out.shape[1]:
        out[z, y, x] = volume[z, y, x] * weight[z]


@wrong("y_not_guarded", misconception="no_guard", says="outside")
@cuda.jit
def fade(volume, weight, out):
    x, y, z = cuda.grid(3)
    if z < out.shape[0] and x < out.shape[2]:
        out[z, y, x] = volume[z, y, x] * weight[z]


@wrong("z_not_guarded", misconception="no_guard", says="outside")
@cuda.jit
def fade(volume, weight, out):
    x, y, z = cuda.grid(3)
    if y < out.shape[1] and x < out.shape[2]:
        out[z, y, x] = volume[z, y, x] * weight[z]


@wrong("weight_loaded_before_the_guard", misconception="no_guard", says="weight")
@cuda.jit
def fade(volume, weight, out):
    x, y, z = cuda.grid(3)
    factor = weight[z]
    if z < out.shape[0] and y < out.shape[1] and x < out.shape[2]:
        out[z, y, x] = volume[z, y, x] * factor


@wrong("guard_lets_one_more_through", misconception="off_by_one", says="falls on the wrong side")
@cuda.jit
def fade(volume, weight, out):
    x, y, z = cuda.grid(3)
    if z <= out.shape[0] and y <= out.shape[1] and x <= out.shape[2]:
        out[z, y, x] = volume[z, y, x] * weight[z]


@wrong("z_first", misconception="swapped_axes", says="x first")
@cuda.jit
def fade(volume, weight, out):
    z, y, x = cuda.grid(3)
    if z < out.shape[0] and y < out.shape[1] and x < out.shape[2]:
        out[z, y, x] = volume[z, y, x] * weight[z]


@wrong("brackets_in_the_order_of_the_grid", misconception="swapped_axes", says="x first")
@cuda.jit
def fade(volume, weight, out):
    x, y, z = cuda.grid(3)
    if x < out.shape[0] and y < out.shape[1] and z < out.shape[2]:
        out[x, y, z] = volume[x, y, z] * weight[x]


@wrong("weight_of_x", misconception="no_guard", says="weight")
@cuda.jit
def fade(volume, weight, out):
    x, y, z = cuda.grid(3)
    if z < out.shape[0] and y < out.shape[1] and x < out.shape[2]:
        out[z, y, x] = volume[z, y, x] * weight[x]


@wrong("the_first_weight_for_all", misconception="wrong_formula", says="first weight")
@cuda.jit
def fade(volume, weight, out):
    x, y, z = cuda.grid(3)
    if z < out.shape[0] and y < out.shape[1] and x < out.shape[2]:
        out[z, y, x] = volume[z, y, x] * weight[0]


@wrong("weight_of_the_block", misconception="wrong_formula", says="number of its block")
@cuda.jit
def fade(volume, weight, out):
    x, y, z = cuda.grid(3)
    if z < out.shape[0] and y < out.shape[1] and x < out.shape[2]:
        out[z, y, x] = volume[z, y, x] * weight[cuda.blockIdx.z]


@wrong("walks_down_the_slices", misconception="uncoalesced", says="sectors")
@cuda.jit
def fade(volume, weight, out):
    z, y, x = cuda.grid(3)
    step_z, step_y, step_x = cuda.gridsize(3)
    for i in range(z, out.shape[0], step_z):
        for j in range(y, out.shape[1], step_y):
            for k in range(x, out.shape[2], step_x):
                out[i, j, k] = volume[i, j, k] * weight[i]


@style("slice_view")
@cuda.jit
def fade(volume, weight, out):
    x, y, z = cuda.grid(3)
    if z >= volume.shape[0]:
        return
    slab, w = volume[z], weight[z]
    if y < slab.shape[0]:
        if x < slab.shape[1]:
            out[z, y, x] = w * slab[y, x]


@style("spelled")
@cuda.jit
def fade(volume, weight, out):
    depth, height, width = out.shape
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    j = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
    k = cuda.blockIdx.z * cuda.blockDim.z + cuda.threadIdx.z
    ok = i < width and j < height and k < depth
    if ok:
        out[k, j, i] = volume[k, j, i] * weight[k]


@wrong("skips_slices_of_weight_0", misconception="infinity_left_out", says="0 * inf is NaN")
@cuda.jit
def fade(volume, weight, out):
    x, y, z = cuda.grid(3)
    if z < out.shape[0] and y < out.shape[1] and x < out.shape[2]:
        if weight[z] != 0:
            out[z, y, x] = volume[z, y, x] * weight[z]
        else:
            out[z, y, x] = 0
