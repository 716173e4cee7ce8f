"""Answers to indexing.pad."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, style, wrong


@right("zero_first_then_the_picture")
@cuda.jit
def pad(src, margin, dst):
    col, row = cuda.grid(2)
    if row >= dst.shape[0] or col >= dst.shape[1]:
        return
    value = float32(0)
    inside_rows = margin <= row and row < margin + src.shape[0]
    inside_cols = margin <= col and col < margin + src.shape[1]
    if inside_rows and inside_cols:
        value = src[row - margin, col - margin]
    dst[row, col] = value


@right("asks_about_the_frame")
@cuda.jit
def pad(src, margin, dst):
    x, y = cuda.grid(2)
    n_rows, n_cols = dst.shape
    if y < n_rows and x < n_cols:
        if y < margin or x < margin or y >= n_rows - margin or x >= n_cols - margin:
            dst[y, x] = 0
        else:
            dst[y, x] = src[y - margin, x - margin]


@wrong("no_lower_guards", misconception="negative_index", says="a negative index counts from the end")
@cuda.jit
def pad(src, margin, dst):
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        r, c = row - margin, col - margin
        if r < src.shape[0] and c < src.shape[1]:
            dst[row, col] = src[r, c]
        else:
            dst[row, col] = float32(0)


@wrong("no_lower_guard_for_columns", misconception="negative_index", says="src[0, -5]")
@cuda.jit
def pad(src, margin, dst):
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        r, c = row - margin, col - margin
        if 0 <= r < src.shape[0] and c < src.shape[1]:
            dst[row, col] = src[r, c]
        else:
            dst[row, col] = float32(0)


@wrong("only_lower_guards", misconception="no_guard", says="outside")
@cuda.jit
def pad(src, margin, dst):
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        r, c = row - margin, col - margin
        if r >= 0 and c >= 0:
            dst[row, col] = src[r, c]
        else:
            dst[row, col] = float32(0)


@wrong("picture_read_one_too_far", misconception="off_by_one", says="falls on the wrong side")
@cuda.jit
def pad(src, margin, dst):
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        r, c = row - margin, col - margin
        if 0 <= r <= src.shape[0] and 0 <= c <= src.shape[1]:
            dst[row, col] = src[r, c]
        else:
            dst[row, col] = float32(0)


@wrong("frame_not_written", misconception="output_not_written", says="frame")
@cuda.jit
def pad(src, margin, dst):
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        r, c = row - margin, col - margin
        if 0 <= r < src.shape[0] and 0 <= c < src.shape[1]:
            dst[row, col] = src[r, c]


@wrong("a_thread_for_each_input", misconception="output_not_written", says="frame")
@cuda.jit
def pad(src, margin, dst):
    col, row = cuda.grid(2)
    if row < src.shape[0] and col < src.shape[1]:
        dst[row + margin, col + margin] = src[row, col]


@wrong("margin_added", misconception="wrong_formula", says="added")
@cuda.jit
def pad(src, margin, dst):
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        r, c = row + margin, col + margin
        if 0 <= r < src.shape[0] and 0 <= c < src.shape[1]:
            dst[row, col] = src[r, c]
        else:
            dst[row, col] = float32(0)


@wrong("margin_forgotten", misconception="wrong_formula", says="sits in the corner")
@cuda.jit
def pad(src, margin, dst):
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        if row < src.shape[0] and col < src.shape[1]:
            dst[row, col] = src[row, col]
        else:
            dst[row, col] = float32(0)


@wrong("margin_taken_twice", misconception="wrong_formula", says="lower right corner")
@cuda.jit
def pad(src, margin, dst):
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        r, c = row - 2 * margin, col - 2 * margin
        if 0 <= r < src.shape[0] and 0 <= c < src.shape[1]:
            dst[row, col] = src[r, c]
        else:
            dst[row, col] = float32(0)


@wrong("dst_not_guarded", misconception="no_guard", says="dst")
@cuda.jit
def pad(src, margin, dst):
    col, row = cuda.grid(2)
    r, c = row - margin, col - margin
    if 0 <= r < src.shape[0] and 0 <= c < src.shape[1]:
        dst[row, col] = src[r, c]
    else:
        dst[row, col] = float32(0)


@wrong("guards_with_src", misconception="missing_tail", says="never written")
@cuda.jit
def pad(src, margin, dst):
    col, row = cuda.grid(2)
    if row < src.shape[0] and col < src.shape[1]:
        r, c = row - margin, col - margin
        if r >= 0 and c >= 0:
            dst[row, col] = src[r, c]
        else:
            dst[row, col] = float32(0)


@wrong("repeats_the_edge", misconception="wrong_formula", says="should be zeros")
@cuda.jit
def pad(src, margin, dst):
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        r = min(max(row - margin, 0), src.shape[0] - 1)
        c = min(max(col - margin, 0), src.shape[1] - 1)
        dst[row, col] = src[r, c]


@style("zero_first")
@cuda.jit
def pad(src, margin, dst):
    x, y = cuda.grid(2)
    if x < dst.shape[1] and y < dst.shape[0]:
        value = float32(0)
        if y >= margin and x >= margin:
            if y - margin < src.shape[0] and x - margin < src.shape[1]:
                value = src[y - margin, x - margin]
        dst[y, x] = value


@cuda.jit(device=True)
def in_frame_in_frame(i, n, margin):
    return i < margin or i >= n - margin


@style("in_frame")
@cuda.jit
def pad(src, margin, dst):
    x, y = cuda.grid(2)
    h, w = dst.shape
    if x >= w or y >= h:
        return
    if in_frame_in_frame(y, h, margin) or in_frame_in_frame(x, w, margin):
        dst[y, x] = 0
    else:
        dst[y, x] = src[y - margin, x - margin]
