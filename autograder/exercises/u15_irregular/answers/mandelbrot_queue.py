"""Answers to irregular.mandelbrot_queue."""

from numba import cuda, float32, int32

from autograder.exercises.catalogue import right, wrong

WARP = 32
TILE = 16


@cuda.jit(device=True)
def escape(cr, ci, limit):
    zr, zi = float32(0), float32(0)
    n = 0
    while n < limit and zr * zr + zi * zi <= float32(4):
        zr, zi = zr * zr - zi * zi + cr, zr * zi + zr * zi + ci
        n += 1
    return n


@cuda.jit(device=True)
def pixel(turns, tile, t):
    across = (turns.shape[1] + TILE - 1) // TILE
    warp, lane = t // WARP, t % WARP
    return (
        TILE * (tile // across) + 4 * (warp // 2) + lane // 8,
        TILE * (tile % across) + 8 * (warp % 2) + lane % 8,
    )


@cuda.jit(device=True)
def n_tiles_of(turns):
    return ((turns.shape[0] + TILE - 1) // TILE) * ((turns.shape[1] + TILE - 1) // TILE)


@right("endless_until_break")
@cuda.jit
def mandelbrot_queue(re, im, limit, next_tile, turns):
    ticket = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    while True:
        if t == 0:
            ticket[0] = cuda.atomic.add(next_tile, 0, 1)
        cuda.syncthreads()
        tile = ticket[0]
        cuda.syncthreads()
        if tile >= n_tiles_of(turns):
            break
        row, col = pixel(turns, tile, t)
        if row < turns.shape[0] and col < turns.shape[1]:
            turns[row, col] = escape(re[col], im[row], limit)


@cuda.jit(device=True)
def draw(next_tile, ticket):
    if cuda.threadIdx.x == 0:
        ticket[0] = cuda.atomic.add(next_tile, 0, 1)
    cuda.syncthreads()
    tile = ticket[0]
    cuda.syncthreads()
    return tile


@right("draws_before_and_after")
@cuda.jit
def mandelbrot_queue(re, im, limit, next_tile, turns):
    ticket = cuda.shared.array(1, int32)
    n_tiles = n_tiles_of(turns)
    tile = draw(next_tile, ticket)
    while tile < n_tiles:
        row, col = pixel(turns, tile, cuda.threadIdx.x)
        if row < turns.shape[0] and col < turns.shape[1]:
            turns[row, col] = escape(re[col], im[row], limit)
        tile = draw(next_tile, ticket)


@right("barrier_at_the_end_of_the_turn")
@cuda.jit
def mandelbrot_queue(re, im, limit, next_tile, turns):
    ticket = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    across = (turns.shape[1] + TILE - 1) // TILE
    down = (turns.shape[0] + TILE - 1) // TILE
    tile = 0
    while tile < across * down:
        if t == 0:
            ticket[0] = cuda.atomic.add(next_tile, 0, 1)
        cuda.syncthreads()
        tile = ticket[0]
        if tile < across * down:
            row = tile // across * TILE + t // 16
            col = tile % across * TILE + t % 16
            if row < turns.shape[0] and col < turns.shape[1]:
                turns[row, col] = escape(re[col], im[row], limit)
        cuda.syncthreads()


@right("two_cells_in_turns")
@cuda.jit
def mandelbrot_queue(re, im, limit, next_tile, turns):
    ticket = cuda.shared.array(2, int32)
    t = cuda.threadIdx.x
    n_tiles = n_tiles_of(turns)
    tile, cell = 0, 0
    while tile < n_tiles:
        if t == 0:
            ticket[cell] = cuda.atomic.add(next_tile, 0, 1)
        cuda.syncthreads()  # who writes this cell again has passed the barrier after the next write
        tile = ticket[cell]
        cell = 1 - cell
        if tile < n_tiles:
            row, col = pixel(turns, tile, t)
            if row < turns.shape[0] and col < turns.shape[1]:
                turns[row, col] = escape(re[col], im[row], limit)


@right("each_warp_draws_its_own_tile")
@cuda.jit
def mandelbrot_queue(re, im, limit, next_tile, turns):
    lane = cuda.threadIdx.x % WARP
    n_tiles = n_tiles_of(turns)
    tile = 0
    while tile < n_tiles:
        if lane == 0:
            tile = cuda.atomic.add(next_tile, 0, 1)
        tile = cuda.shfl_sync(0xFFFFFFFF, tile, 0)
        if tile < n_tiles:
            for t in range(lane, TILE * TILE, WARP):
                row, col = pixel(turns, tile, t)
                if row < turns.shape[0] and col < turns.shape[1]:
                    turns[row, col] = escape(re[col], im[row], limit)


@right("last_thread_draws_and_a_vote_is_the_barrier")
@cuda.jit
def mandelbrot_queue(re, im, limit, next_tile, turns):
    ticket = cuda.shared.array(shape=(1,), dtype=int32)
    t, last = cuda.threadIdx.x, cuda.blockDim.x - 1
    n_tiles = n_tiles_of(turns)
    go_on = True
    while go_on:
        if t == last:
            ticket[0] = cuda.atomic.add(next_tile, 0, 1)
        cuda.syncthreads()
        tile = int32(ticket[0])
        go_on = cuda.syncthreads_and(int32(tile < n_tiles)) != 0
        if go_on:
            row, col = pixel(turns, tile, t)
            if row < turns.shape[0] and col < turns.shape[1]:
                turns[row, col] = escape(re[col], im[row], limit)


@wrong("one_barrier_per_draw", misconception="missing_barrier", says="Race")
@cuda.jit
def mandelbrot_queue(re, im, limit, next_tile, turns):
    ticket = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    n_tiles = n_tiles_of(turns)
    tile = 0
    while tile < n_tiles:
        if t == 0:
            ticket[0] = cuda.atomic.add(next_tile, 0, 1)
        cuda.syncthreads()
        tile = ticket[0]
        if tile < n_tiles:
            row, col = pixel(turns, tile, t)
            if row < turns.shape[0] and col < turns.shape[1]:
                turns[row, col] = escape(re[col], im[row], limit)


@wrong("no_barrier_before_the_read", misconception="missing_barrier", says="Race")
@cuda.jit
def mandelbrot_queue(re, im, limit, next_tile, turns):
    ticket = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    n_tiles = n_tiles_of(turns)
    if t == 0:
        ticket[0] = 0
    cuda.syncthreads()
    tile = 0
    while tile < n_tiles:
        if t == 0:
            ticket[0] = cuda.atomic.add(next_tile, 0, 1)
        tile = ticket[0]
        cuda.syncthreads()
        if tile < n_tiles:
            row, col = pixel(turns, tile, t)
            if row < turns.shape[0] and col < turns.shape[1]:
                turns[row, col] = escape(re[col], im[row], limit)


@wrong("ticket_in_a_register", misconception="ticket_not_told", says="the others were not told")
@cuda.jit
def mandelbrot_queue(re, im, limit, next_tile, turns):
    t = cuda.threadIdx.x
    n_tiles = n_tiles_of(turns)
    tile = 0
    while tile < n_tiles:
        if t == 0:
            tile = cuda.atomic.add(next_tile, 0, 1)
        else:
            tile = n_tiles
        if tile < n_tiles:
            row, col = pixel(turns, tile, t)
            if row < turns.shape[0] and col < turns.shape[1]:
                turns[row, col] = escape(re[col], im[row], limit)


@wrong("every_thread_draws", misconception="every_thread_draws", says="one thread draws for its block")
@cuda.jit
def mandelbrot_queue(re, im, limit, next_tile, turns):
    n_pixels = turns.shape[0] * turns.shape[1]
    i = cuda.atomic.add(next_tile, 0, 1)
    while i < n_pixels:
        row, col = i // turns.shape[1], i % turns.shape[1]
        turns[row, col] = escape(re[col], im[row], limit)
        i = cuda.atomic.add(next_tile, 0, 1)


@wrong("dealt_out_in_turns", misconception="shares_instead_of_queue", says="every tile is drawn from the queue")
@cuda.jit
def mandelbrot_queue(re, im, limit, next_tile, turns):
    t = cuda.threadIdx.x
    for tile in range(cuda.blockIdx.x, n_tiles_of(turns), cuda.gridDim.x):
        row, col = pixel(turns, tile, t)
        if row < turns.shape[0] and col < turns.shape[1]:
            turns[row, col] = escape(re[col], im[row], limit)


@wrong("one_tile_each", misconception="one_tile_each", says="draws again until none is left")
@cuda.jit
def mandelbrot_queue(re, im, limit, next_tile, turns):
    ticket = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    if t == 0:
        ticket[0] = cuda.atomic.add(next_tile, 0, 1)
    cuda.syncthreads()
    tile = ticket[0]
    if tile < n_tiles_of(turns):
        row, col = pixel(turns, tile, t)
        if row < turns.shape[0] and col < turns.shape[1]:
            turns[row, col] = escape(re[col], im[row], limit)


@wrong("counter_read_after_the_draw", misconception="grid_order", says="leave next_tile[0] alone")
@cuda.jit
def mandelbrot_queue(re, im, limit, next_tile, turns):
    ticket = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    n_tiles = n_tiles_of(turns)
    tile = 0
    while tile < n_tiles:
        if t == 0:
            cuda.atomic.add(next_tile, 0, 1)
            ticket[0] = next_tile[0] - 1
        cuda.syncthreads()
        tile = ticket[0]
        cuda.syncthreads()
        if tile < n_tiles:
            row, col = pixel(turns, tile, t)
            if row < turns.shape[0] and col < turns.shape[1]:
                turns[row, col] = escape(re[col], im[row], limit)


@wrong("drawn_by_hand", misconception="lost_update", says="next_tile")
@cuda.jit
def mandelbrot_queue(re, im, limit, next_tile, turns):
    ticket = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    n_tiles = n_tiles_of(turns)
    tile = 0
    while tile < n_tiles:
        if t == 0:
            ticket[0] = next_tile[0]
            next_tile[0] += 1
        cuda.syncthreads()
        tile = ticket[0]
        cuda.syncthreads()
        if tile < n_tiles:
            row, col = pixel(turns, tile, t)
            if row < turns.shape[0] and col < turns.shape[1]:
                turns[row, col] = escape(re[col], im[row], limit)


@wrong("tile_zero_left_out", misconception="first_tile_left_out", says="tile 0 was never written")
@cuda.jit
def mandelbrot_queue(re, im, limit, next_tile, turns):
    ticket = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    n_tiles = n_tiles_of(turns)
    tile = 0
    while tile < n_tiles:
        if t == 0:
            ticket[0] = cuda.atomic.add(next_tile, 0, 1) + 1
        cuda.syncthreads()
        tile = ticket[0]
        cuda.syncthreads()
        if tile < n_tiles:
            row, col = pixel(turns, tile, t)
            if row < turns.shape[0] and col < turns.shape[1]:
                turns[row, col] = escape(re[col], im[row], limit)


@wrong("whole_tiles_only", misconception="missing_tail", says="turns")
@cuda.jit
def mandelbrot_queue(re, im, limit, next_tile, turns):
    ticket = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    across, down = turns.shape[1] // TILE, turns.shape[0] // TILE
    tile = 0
    while tile < across * down:
        if t == 0:
            ticket[0] = cuda.atomic.add(next_tile, 0, 1)
        cuda.syncthreads()
        tile = ticket[0]
        cuda.syncthreads()
        if tile < across * down:
            row, col = TILE * (tile // across) + t // 16, TILE * (tile % across) + t % 16
            turns[row, col] = escape(re[col], im[row], limit)


@wrong("threads_without_a_pixel_leave", misconception="missing_tail", says="was never written")
@cuda.jit
def mandelbrot_queue(re, im, limit, next_tile, turns):
    ticket = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    n_tiles = n_tiles_of(turns)
    tile = 0
    while tile < n_tiles:
        if t == 0:
            ticket[0] = cuda.atomic.add(next_tile, 0, 1)
        cuda.syncthreads()
        tile = ticket[0]
        cuda.syncthreads()
        row, col = pixel(turns, tile, t)
        if row >= turns.shape[0] or col >= turns.shape[1]:
            return
        turns[row, col] = escape(re[col], im[row], limit)
