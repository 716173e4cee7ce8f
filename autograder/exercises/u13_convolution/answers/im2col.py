"""Answers to convolution.im2col."""

from numba import cuda, float32, int32

from autograder.exercises.catalogue import right, wrong


@cuda.jit(device=True)
def element(src, image, channel, row, col):
    if row >= 0 and row < src.shape[2] and col >= 0 and col < src.shape[3]:
        return src[image, channel, row, col]
    return float32(0)


@right("guard_written_out")
@cuda.jit
def im2col(src, cols):
    p, k = cuda.grid(2)
    n_rows, n_cols = src.shape[2], src.shape[3]
    if k < cols.shape[0] and p < cols.shape[1]:
        row = p // n_cols % n_rows + k % 9 // 3 - 1
        col = p % n_cols + k % 3 - 1
        if row >= 0 and row < n_rows and col >= 0 and col < n_cols:
            cols[k, p] = src[p // (n_rows * n_cols), k // 9, row, col]
        else:
            cols[k, p] = 0


@right("early_return_and_zero_first")
@cuda.jit
def im2col(src, cols):
    p, k = cuda.grid(2)
    if p >= cols.shape[1] or k >= cols.shape[0]:
        return
    n_images, n_in, n_rows, n_cols = src.shape
    x = float32(0)
    channel, w = k // 9, k % 9
    image, place = p // (n_rows * n_cols), p % (n_rows * n_cols)
    row = place // n_cols + w // 3 - 1
    col = place % n_cols + w % 3 - 1
    if 0 <= row < n_rows and 0 <= col < n_cols:
        x = src[image, channel, row, col]
    cols[k, p] = x


@right("divisions_of_32_bits")
@cuda.jit
def im2col(src, cols):
    p, k = cuda.grid(2)
    if k < cols.shape[0] and p < cols.shape[1]:
        n_rows, n_cols = int32(src.shape[2]), int32(src.shape[3])
        q = int32(p)
        line = q // n_cols
        image = line // n_rows
        row, col = line - image * n_rows, q - line * n_cols
        w = int32(k) % int32(9)
        cols[k, p] = element(src, image, int32(k) // int32(9), row + w // 3 - 1, col + w % 3 - 1)


@right("divmod")
@cuda.jit
def im2col(src, cols):
    p, k = cuda.grid(2)
    if k < cols.shape[0] and p < cols.shape[1]:
        channel, w = divmod(k, 9)
        line, col = divmod(p, src.shape[3])
        image, row = divmod(line, src.shape[2])
        a, b = divmod(w, 3)
        cols[k, p] = element(src, image, channel, row + a - 1, col + b - 1)


@right("a_view_of_the_plane")
@cuda.jit
def im2col(src, cols):
    p = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    k = cuda.blockIdx.y
    n_rows, n_cols = src.shape[2:]
    if p < cols.shape[1]:
        plane = src[p // n_cols // n_rows, k // 9]
        row, col = p // n_cols % n_rows + k // 3 % 3 - 1, p % n_cols + k % 3 - 1
        inside = row >= 0 and row < n_rows and col >= 0 and col < n_cols
        cols[k, p] = plane[row, col] if inside else float32(0)


@right("grid_stride_along_the_row")
@cuda.jit
def im2col(src, cols):
    first, k = cuda.grid(2)
    n_rows, n_cols = src.shape[2], src.shape[3]
    area = n_rows * n_cols
    if k < cols.shape[0]:
        for p in range(first, cols.shape[1], cuda.gridsize(2)[0]):
            row, col = p % area // n_cols, p % area % n_cols
            cols[k, p] = element(src, p // area, k // 9, row + k % 9 // 3 - 1, col + k % 9 % 3 - 1)


@wrong("no_guard_past_the_last_output", misconception="no_guard", says="outside")
@cuda.jit
def im2col(src, cols):
    p, k = cuda.grid(2)
    n_rows, n_cols = src.shape[2], src.shape[3]
    if k < cols.shape[0]:
        image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
        cols[k, p] = element(src, image, k // 9, row + k % 9 // 3 - 1, col + k % 3 - 1)


@wrong("no_padding", misconception="negative_index", says="counts from the end")
@cuda.jit
def im2col(src, cols):
    p, k = cuda.grid(2)
    n_rows, n_cols = src.shape[2], src.shape[3]
    if k < cols.shape[0] and p < cols.shape[1]:
        image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
        cols[k, p] = src[image, k // 9, row + k % 9 // 3 - 1, col + k % 3 - 1]


@wrong("weights_before_channels", misconception="rows_in_another_order", says="nine rows belong to channel 0")
@cuda.jit
def im2col(src, cols):
    p, k = cuda.grid(2)
    n_in, n_rows, n_cols = src.shape[1], src.shape[2], src.shape[3]
    if k < cols.shape[0] and p < cols.shape[1]:
        image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
        w = k // n_in
        cols[k, p] = element(src, image, k % n_in, row + w // 3 - 1, col + w % 3 - 1)


@wrong("begins_at_its_own_place", misconception="not_centred", says="begins at the output's own place")
@cuda.jit
def im2col(src, cols):
    p, k = cuda.grid(2)
    n_rows, n_cols = src.shape[2], src.shape[3]
    if k < cols.shape[0] and p < cols.shape[1]:
        image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
        cols[k, p] = element(src, image, k // 9, row + k % 9 // 3, col + k % 3)


@wrong("nearest_element_past_the_edges", misconception="border", says="the nearest element is stored")
@cuda.jit
def im2col(src, cols):
    p, k = cuda.grid(2)
    n_rows, n_cols = src.shape[2], src.shape[3]
    if k < cols.shape[0] and p < cols.shape[1]:
        image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
        r = min(max(row + k % 9 // 3 - 1, 0), n_rows - 1)
        c = min(max(col + k % 3 - 1, 0), n_cols - 1)
        cols[k, p] = src[image, k // 9, r, c]


@wrong("rows_and_columns_exchanged", misconception="swapped_axes", says="exchanged")
@cuda.jit
def im2col(src, cols):
    p, k = cuda.grid(2)
    n_rows, n_cols = src.shape[2], src.shape[3]
    if k < cols.shape[0] and p < cols.shape[1]:
        image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
        cols[k, p] = element(src, image, k // 9, row + k % 3 - 1, col + k % 9 // 3 - 1)


@wrong("first_image_for_all", misconception="first_image_only", says="every image has the columns of the first")
@cuda.jit
def im2col(src, cols):
    p, k = cuda.grid(2)
    n_rows, n_cols = src.shape[2], src.shape[3]
    if k < cols.shape[0] and p < cols.shape[1]:
        row, col = p // n_cols % n_rows, p % n_cols
        cols[k, p] = element(src, 0, k // 9, row + k % 9 // 3 - 1, col + k % 3 - 1)


@wrong("row_of_the_whole_batch", misconception="row_runs_on", says="the row counts on through the images")
@cuda.jit
def im2col(src, cols):
    p, k = cuda.grid(2)
    n_rows, n_cols = src.shape[2], src.shape[3]
    if k < cols.shape[0] and p < cols.shape[1]:
        image, row, col = p // (n_rows * n_cols), p // n_cols, p % n_cols
        cols[k, p] = element(src, image, k // 9, row + k % 9 // 3 - 1, col + k % 3 - 1)


@wrong("lanes_down_the_rows", misconception="uncoalesced", says="4 sectors")
@cuda.jit
def im2col(src, cols):
    p, k = cuda.grid(2)
    n_rows, n_cols = src.shape[2], src.shape[3]
    t = k * cuda.gridsize(2)[0] + p
    k, p = t % cols.shape[0], t // cols.shape[0]
    if p < cols.shape[1]:
        image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
        cols[k, p] = element(src, image, k // 9, row + k % 9 // 3 - 1, col + k % 3 - 1)


@wrong("only_the_elements_inside", misconception="missing_tail", says="never written")
@cuda.jit
def im2col(src, cols):
    p, k = cuda.grid(2)
    n_rows, n_cols = src.shape[2], src.shape[3]
    if k < cols.shape[0] and p < cols.shape[1]:
        row = p // n_cols % n_rows + k % 9 // 3 - 1
        col = p % n_cols + k % 3 - 1
        if row >= 0 and row < n_rows and col >= 0 and col < n_cols:
            cols[k, p] = src[p // (n_rows * n_cols), k // 9, row, col]


@wrong("one_place_further_in_memory", misconception="neighbour_in_memory", says="the beginning of the next one")
@cuda.jit
def im2col(src, cols):
    p, k = cuda.grid(2)
    n_rows, n_cols = src.shape[2], src.shape[3]
    if k < cols.shape[0] and p < cols.shape[1]:
        image, rest = p // (n_rows * n_cols), p % (n_rows * n_cols)
        place = rest + (k % 9 // 3 - 1) * n_cols + k % 3 - 1
        if place >= 0 and place < n_rows * n_cols:
            cols[k, p] = src[image, k // 9, place // n_cols, place % n_cols]
        else:
            cols[k, p] = float32(0)
