"""Answers to indexing.split_channels."""

from numba import cuda

from autograder.exercises.catalogue import right, style, wrong


@right("divmod_of_the_plane")
@cuda.jit
def split_channels(pixels, planes):
    t = cuda.grid(1)
    if t >= planes.size:
        return
    c, i = divmod(t, planes.shape[1])
    planes[c, i] = pixels[i, c]


@right("subtracts_whole_planes")
@cuda.jit
def split_channels(pixels, planes):
    i, n = cuda.grid(1), planes.shape[1]
    if i < 3 * n:
        c = 0
        while i >= n:
            i -= n
            c += 1
        planes[c, i] = pixels[i, c]


@right("three_values_a_thread")
@cuda.jit
def split_channels(pixels, planes):
    i = cuda.grid(1)
    if i < pixels.shape[0]:
        for c in range(3):
            planes[c, i] = pixels[i, c]


@wrong("numbered_along_the_pixels", misconception="uncoalesced", says="sectors")
@cuda.jit
def split_channels(pixels, planes):
    t = cuda.grid(1)
    if t < pixels.size:
        planes[t % 3, t // 3] = pixels[t // 3, t % 3]


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def split_channels(pixels, planes):
    t = cuda.grid(1)
    n = pixels.shape[0]
    planes[t // n, t % n] = pixels[t % n, t // n]


@wrong("guard_lets_one_more_through", misconception="off_by_one", says="lets it through")
@cuda.jit
def split_channels(pixels, planes):
    t = cuda.grid(1)
    n = pixels.shape[0]
    if t <= 3 * n:
        planes[t // n, t % n] = pixels[t % n, t // n]


@wrong("guard_counts_pixels", misconception="missing_tail", says="only red was written")
@cuda.jit
def split_channels(pixels, planes):
    t = cuda.grid(1)
    n = pixels.shape[0]
    if t < n:
        planes[t // n, t % n] = pixels[t % n, t // n]


@wrong("guard_counts_pixels_along_the_pixels", misconception="missing_tail", says="never written")
@cuda.jit
def split_channels(pixels, planes):
    t = cuda.grid(1)
    if t < pixels.shape[0]:
        planes[t % 3, t // 3] = pixels[t // 3, t % 3]


@wrong("divides_by_three_takes_rest_of_n", misconception="no_guard", says="outside")
@cuda.jit
def split_channels(pixels, planes):
    t = cuda.grid(1)
    n = pixels.shape[0]
    if t < 3 * n:
        planes[t // 3, t % n] = pixels[t % n, t // 3]


@wrong("channel_and_pixel_swapped", misconception="swapped_axes", says="pixels")
@cuda.jit
def split_channels(pixels, planes):
    t = cuda.grid(1)
    n = pixels.shape[0]
    if t < 3 * n:
        c, i = t // n, t % n
        planes[c, i] = pixels[c, i]


@wrong("keeps_the_order", misconception="wrong_formula", says="a different shape")
@cuda.jit
def split_channels(pixels, planes):
    t = cuda.grid(1)
    n = pixels.shape[0]
    if t < 3 * n:
        planes[t // n, t % n] = pixels[t // 3, t % 3]


@wrong("blue_first", misconception="wrong_formula", says="changed places")
@cuda.jit
def split_channels(pixels, planes):
    t = cuda.grid(1)
    n = pixels.shape[0]
    if t < 3 * n:
        c, i = t // n, t % n
        planes[2 - c, i] = pixels[i, c]


@wrong("red_everywhere", misconception="wrong_formula", says="first channel")
@cuda.jit
def split_channels(pixels, planes):
    t = cuda.grid(1)
    n = pixels.shape[0]
    if t < 3 * n:
        planes[t // n, t % n] = pixels[t % n, 0]


@style("divmod_by_plane")
@cuda.jit
def split_channels(pixels, planes):
    t, n = cuda.grid(1), planes.shape[1]
    channel = 0
    while t >= n and channel < 3:
        t -= n
        channel += 1
    if channel < 3:
        planes[channel, t] = pixels[t, channel]


@style("three_ifs")
@cuda.jit
def split_channels(pixels, planes):
    t = cuda.grid(1)
    n = len(pixels)
    if t < n:
        planes[0, t] = pixels[t, 0]
    elif t < 2 * n:
        planes[1, t - n] = pixels[t - n, 1]
    elif t < 3 * n:
        planes[2, t - 2 * n] = pixels[t - 2 * n, 2]
