"""Answers to irregular.mandelbrot."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

TILE = 16


@cuda.jit(device=True)
def escape(cr, ci, limit):
    zr, zi = float32(0), float32(0)
    n = 0
    while n < limit and zr * zr + zi * zi <= float32(4):
        zr, zi = zr * zr - zi * zi + cr, zr * zi + zr * zi + ci
        n += 1
    return n


@right("squares_kept_and_an_early_return")
@cuda.jit
def mandelbrot(re, im, limit, turns):
    t = cuda.threadIdx.x
    row = TILE * cuda.blockIdx.y + t // 64 * 4 + t % 32 // 8
    col = TILE * cuda.blockIdx.x + t // 32 % 2 * 8 + t % 8
    if row >= turns.shape[0] or col >= turns.shape[1]:
        return
    cr, ci = re[col], im[row]
    x = float32(0)
    y = float32(0)
    xx = float32(0)
    yy = float32(0)
    k = 0
    while xx + yy <= float32(4) and k < limit:
        y = (x + x) * y + ci
        x = xx - yy + cr
        xx, yy = x * x, y * y
        k += 1
    turns[row, col] = k


@cuda.jit(device=True)
def turns_of(cr, ci, limit):
    zr = float32(0)
    zi = float32(0)
    for k in range(limit):
        if zr * zr + zi * zi > float32(4):
            return k
        new = zr * zr - zi * zi + cr
        zi = float32(2) * zr * zi + ci
        zr = new
    return limit


@right("for_with_a_return")
@cuda.jit
def mandelbrot(re, im, limit, turns):
    warp, lane = cuda.threadIdx.x >> 5, cuda.threadIdx.x & 31
    col = cuda.blockIdx.x * 16 + ((warp & 1) << 3) + (lane & 7)
    row = cuda.blockIdx.y * 16 + ((warp >> 1) << 2) + (lane >> 3)
    if row < turns.shape[0] and col < turns.shape[1]:
        turns[row, col] = turns_of(re[col], im[row], limit)


@right("for_with_a_break")
@cuda.jit
def mandelbrot(re, im, limit, turns):
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row = 16 * cuda.blockIdx.y + 4 * (warp // 2) + lane // 8
    col = 16 * cuda.blockIdx.x + 8 * (warp % 2) + lane % 8
    if row < im.size and col < re.size:
        cr, ci = re[col], im[row]
        zr, zi = float32(0), float32(0)
        count = 0
        for _ in range(limit):
            a, b = zr * zr, zi * zi
            if a + b > float32(4):
                break
            zi = zr * zi
            zi += zi
            zi += ci
            zr = a - b + cr
            count += 1
        turns[row, col] = count


@right("other_order_of_warps")
@cuda.jit
def mandelbrot(re, im, limit, turns):
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row = TILE * cuda.blockIdx.y + 4 * (warp % 4) + lane // 8
    col = TILE * cuda.blockIdx.x + 8 * (warp // 4) + lane % 8
    if row < turns.shape[0] and col < turns.shape[1]:
        turns[row, col] = escape(re[col], im[row], limit)


@right("first_turn_taken")
@cuda.jit
def mandelbrot(re, im, limit, turns):
    t = cuda.threadIdx.x
    row = TILE * cuda.blockIdx.y + t // 64 * 4 + t % 32 // 8
    col = TILE * cuda.blockIdx.x + t // 32 % 2 * 8 + t % 8
    if row < turns.shape[0] and col < turns.shape[1]:
        cr, ci = re[col], im[row]
        zr, zi = cr, ci  # where z = 0 goes in its first iteration
        n = 1
        while n < limit and zr * zr + zi * zi <= float32(4):
            old = zr
            zr = zr * zr - zi * zi + cr
            zi = float32(2) * old * zi + ci
            n += 1
        turns[row, col] = n


@right("one_loop_until_a_flag")
@cuda.jit
def mandelbrot(re, im, limit, turns):
    t = cuda.threadIdx.x
    top, left = TILE * cuda.blockIdx.y, TILE * cuda.blockIdx.x
    lane, warp = cuda.laneid, t // cuda.warpsize
    row, col = top + 4 * (warp // 2) + lane // 8, left + 8 * (warp % 2) + lane % 8
    if not (row < turns.shape[0] and col < turns.shape[1]):
        return
    cr, ci = re[col], im[row]
    zr, zi, n, inside = float32(0), float32(0), 0, True
    while inside:
        if n == limit or zr * zr + zi * zi > float32(4):
            inside = False
        else:
            zr, zi = (zr + zi) * (zr - zi) + cr, zr * zi + zi * zr + ci
            n += 1
    turns[row, col] = n


@wrong("rows_of_sixteen", misconception="long_rows_of_pixels", says="8 x 8 neighbours of an enlarged picture")
@cuda.jit
def mandelbrot(re, im, limit, turns):
    t = cuda.threadIdx.x
    row, col = TILE * cuda.blockIdx.y + t // 16, TILE * cuda.blockIdx.x + t % 16
    if row < turns.shape[0] and col < turns.shape[1]:
        turns[row, col] = escape(re[col], im[row], limit)


@wrong("columns_of_sixteen", misconception="uncoalesced", says="8 neighbours of a row are a sector")
@cuda.jit
def mandelbrot(re, im, limit, turns):
    t = cuda.threadIdx.x
    row, col = TILE * cuda.blockIdx.y + t % 16, TILE * cuda.blockIdx.x + t // 16
    if row < turns.shape[0] and col < turns.shape[1]:
        turns[row, col] = escape(re[col], im[row], limit)


@wrong("four_wide_eight_high", misconception="uncoalesced", says="8 neighbours of a row are a sector")
@cuda.jit
def mandelbrot(re, im, limit, turns):
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row = TILE * cuda.blockIdx.y + 8 * (warp // 4) + lane // 4
    col = TILE * cuda.blockIdx.x + 4 * (warp % 4) + lane % 4
    if row < turns.shape[0] and col < turns.shape[1]:
        turns[row, col] = escape(re[col], im[row], limit)


@wrong("new_real_part", misconception="new_part_used", says="both parts need the real part from before the iteration")
@cuda.jit
def mandelbrot(re, im, limit, turns):
    t = cuda.threadIdx.x
    row = TILE * cuda.blockIdx.y + t // 64 * 4 + t % 32 // 8
    col = TILE * cuda.blockIdx.x + t // 32 % 2 * 8 + t % 8
    if row < turns.shape[0] and col < turns.shape[1]:
        zr, zi, n = float32(0), float32(0), 0
        while n < limit and zr * zr + zi * zi <= float32(4):
            zr = zr * zr - zi * zi + re[col]
            zi = float32(2) * zr * zi + im[row]
            n += 1
        turns[row, col] = n


@wrong("squares_added", misconception="wrong_square", says="i times i is -1")
@cuda.jit
def mandelbrot(re, im, limit, turns):
    t = cuda.threadIdx.x
    row = TILE * cuda.blockIdx.y + t // 64 * 4 + t % 32 // 8
    col = TILE * cuda.blockIdx.x + t // 32 % 2 * 8 + t % 8
    if row < turns.shape[0] and col < turns.shape[1]:
        zr, zi, n = float32(0), float32(0), 0
        while n < limit and zr * zr + zi * zi <= float32(4):
            zr, zi = zr * zr + zi * zi + re[col], float32(2) * zr * zi + im[row]
            n += 1
        turns[row, col] = n


@wrong("product_once", misconception="wrong_square", says="the square has it twice")
@cuda.jit
def mandelbrot(re, im, limit, turns):
    t = cuda.threadIdx.x
    row = TILE * cuda.blockIdx.y + t // 64 * 4 + t % 32 // 8
    col = TILE * cuda.blockIdx.x + t // 32 % 2 * 8 + t % 8
    if row < turns.shape[0] and col < turns.shape[1]:
        zr, zi, n = float32(0), float32(0), 0
        while n < limit and zr * zr + zi * zi <= float32(4):
            zr, zi = zr * zr - zi * zi + re[col], zr * zi + im[row]
            n += 1
        turns[row, col] = n


@wrong("compared_with_two", misconception="not_squared", says="its square with 4")
@cuda.jit
def mandelbrot(re, im, limit, turns):
    t = cuda.threadIdx.x
    row = TILE * cuda.blockIdx.y + t // 64 * 4 + t % 32 // 8
    col = TILE * cuda.blockIdx.x + t // 32 % 2 * 8 + t % 8
    if row < turns.shape[0] and col < turns.shape[1]:
        zr, zi, n = float32(0), float32(0), 0
        while n < limit and zr * zr + zi * zi <= float32(2):
            zr, zi = zr * zr - zi * zi + re[col], zr * zi + zr * zi + im[row]
            n += 1
        turns[row, col] = n


@wrong("strictly_below_four", misconception="edge_left_out", says="until |z| squared is above 4")
@cuda.jit
def mandelbrot(re, im, limit, turns):
    t = cuda.threadIdx.x
    row = TILE * cuda.blockIdx.y + t // 64 * 4 + t % 32 // 8
    col = TILE * cuda.blockIdx.x + t // 32 % 2 * 8 + t % 8
    if row < turns.shape[0] and col < turns.shape[1]:
        zr, zi, n = float32(0), float32(0), 0
        while n < limit and zr * zr + zi * zi < float32(4):
            zr, zi = zr * zr - zi * zi + re[col], zr * zi + zr * zi + im[row]
            n += 1
        turns[row, col] = n


@wrong("begins_at_c", misconception="first_turn_left_out", says="z begins at 0")
@cuda.jit
def mandelbrot(re, im, limit, turns):
    t = cuda.threadIdx.x
    row = TILE * cuda.blockIdx.y + t // 64 * 4 + t % 32 // 8
    col = TILE * cuda.blockIdx.x + t // 32 % 2 * 8 + t % 8
    if row < turns.shape[0] and col < turns.shape[1]:
        zr, zi, n = re[col], im[row], 0
        while n < limit and zr * zr + zi * zi <= float32(4):
            zr, zi = zr * zr - zi * zi + re[col], zr * zi + zr * zi + im[row]
            n += 1
        turns[row, col] = n


@wrong("looks_after_counting", misconception="last_look_counted", says="one iteration too many")
@cuda.jit
def mandelbrot(re, im, limit, turns):
    t = cuda.threadIdx.x
    row = TILE * cuda.blockIdx.y + t // 64 * 4 + t % 32 // 8
    col = TILE * cuda.blockIdx.x + t // 32 % 2 * 8 + t % 8
    if row < turns.shape[0] and col < turns.shape[1]:
        zr, zi, n = float32(0), float32(0), 0
        for _ in range(limit):
            n += 1
            if zr * zr + zi * zi > float32(4):
                break
            zr, zi = zr * zr - zi * zi + re[col], zr * zi + zr * zi + im[row]
        turns[row, col] = n


@wrong("no_end_but_the_limit", misconception="limit_for_all", says="nothing ends the loop of a pixel that escapes")
@cuda.jit
def mandelbrot(re, im, limit, turns):
    t = cuda.threadIdx.x
    row = TILE * cuda.blockIdx.y + t // 64 * 4 + t % 32 // 8
    col = TILE * cuda.blockIdx.x + t // 32 % 2 * 8 + t % 8
    if row < turns.shape[0] and col < turns.shape[1]:
        zr, zi, n = float32(0), float32(0), 0
        for _ in range(limit):
            zr, zi = zr * zr - zi * zi + re[col], zr * zi + zr * zi + im[row]
            n += 1
        turns[row, col] = n


@wrong("axes_exchanged", misconception="no_guard", says="outside")
@cuda.jit
def mandelbrot(re, im, limit, turns):
    t = cuda.threadIdx.x
    row = TILE * cuda.blockIdx.y + t // 64 * 4 + t % 32 // 8
    col = TILE * cuda.blockIdx.x + t // 32 % 2 * 8 + t % 8
    if row < turns.shape[0] and col < turns.shape[1]:
        turns[row, col] = escape(re[row], im[col], limit)


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def mandelbrot(re, im, limit, turns):
    t = cuda.threadIdx.x
    row = TILE * cuda.blockIdx.y + t // 64 * 4 + t % 32 // 8
    col = TILE * cuda.blockIdx.x + t // 32 % 2 * 8 + t % 8
    turns[row, col] = escape(re[col], im[row], limit)


@wrong("two_is_an_integer", misconception="float64_arithmetic", says="float64")
@cuda.jit
def mandelbrot(re, im, limit, turns):
    t = cuda.threadIdx.x
    row = TILE * cuda.blockIdx.y + t // 64 * 4 + t % 32 // 8
    col = TILE * cuda.blockIdx.x + t // 32 % 2 * 8 + t % 8
    if row < turns.shape[0] and col < turns.shape[1]:
        cr, ci = re[col], im[row]
        zr, zi, n = float32(0), float32(0), 0
        while n < limit and zr * zr + zi * zi <= float32(4):
            zr, zi = zr * zr - zi * zi + cr, 2 * zr * zi + ci
            n += 1
        turns[row, col] = n
