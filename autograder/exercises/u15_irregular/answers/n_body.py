"""Answers to irregular.n_body."""

import math

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

BODIES = 64


@cuda.jit(device=True)
def factor(dx, dy, mass, soft):
    inverse = float32(1) / math.sqrt(dx * dx + dy * dy + soft)
    return mass * inverse * inverse * inverse


@right("one_tile_of_three_columns")
@cuda.jit
def n_body(x, y, mass, soft, pull_x, pull_y):
    tile = cuda.shared.array((3, BODIES), float32)
    i, t = cuda.grid(1), cuda.threadIdx.x
    n = x.size
    mine = min(i, n - 1)
    xi, yi = x[mine], y[mine]
    px, py = float32(0), float32(0)
    for first in range(0, n, BODIES):
        j = first + t
        tile[0, t] = x[j] if j < n else float32(0)
        tile[1, t] = y[j] if j < n else float32(0)
        tile[2, t] = mass[j] if j < n else float32(0)
        cuda.syncthreads()
        for k in range(BODIES):
            dx, dy = tile[0, k] - xi, tile[1, k] - yi
            f = factor(dx, dy, tile[2, k], soft)
            px += f * dx
            py += f * dy
        cuda.syncthreads()
    if i < n:
        pull_x[i], pull_y[i] = px, py


@right("as_many_as_there_are")
@cuda.jit
def n_body(x, y, mass, soft, pull_x, pull_y):
    sx = cuda.shared.array(BODIES, float32)
    sy = cuda.shared.array(BODIES, float32)
    sm = cuda.shared.array(BODIES, float32)
    i, t, n = cuda.grid(1), cuda.threadIdx.x, pull_x.size
    xi, yi = float32(0), float32(0)
    if i < n:
        xi, yi = x[i], y[i]
    px, py = float32(0), float32(0)
    for tile in range((n + BODIES - 1) // BODIES):
        j = tile * BODIES + t
        cuda.syncthreads()
        if j < n:
            sx[t], sy[t], sm[t] = x[j], y[j], mass[j]
        cuda.syncthreads()
        for k in range(min(BODIES, n - tile * BODIES)):
            dx = sx[k] - xi
            dy = sy[k] - yi
            d2 = dx * dx + dy * dy + soft
            f = sm[k] / (d2 * math.sqrt(d2))
            px += f * dx
            py += f * dy
    if i < n:
        pull_x[i] = px
        pull_y[i] = py


@right("power_of_minus_three_halves")
@cuda.jit
def n_body(x, y, mass, soft, pull_x, pull_y):
    sx = cuda.shared.array(BODIES, float32)
    sy = cuda.shared.array(BODIES, float32)
    sm = cuda.shared.array(BODIES, float32)
    i, t = cuda.grid(1), cuda.threadIdx.x
    xi = x[i] if i < x.size else float32(0)
    yi = y[i] if i < y.size else float32(0)
    px, py = float32(0), float32(0)
    first = 0
    while first < x.size:
        sx[t], sy[t], sm[t] = float32(0), float32(0), float32(0)
        if first + t < x.size:
            sx[t], sy[t], sm[t] = x[first + t], y[first + t], mass[first + t]
        cuda.syncthreads()
        for k in range(BODIES):
            dx, dy = sx[k] - xi, sy[k] - yi
            f = sm[k] * (dx * dx + dy * dy + soft) ** float32(-1.5)
            px, py = px + f * dx, py + f * dy
        cuda.syncthreads()
        first += BODIES
    if i < x.size:
        pull_x[i] = px
        pull_y[i] = py


@right("begins_with_its_own_tile")
@cuda.jit
def n_body(x, y, mass, soft, pull_x, pull_y):
    sx = cuda.shared.array(BODIES, float32)
    sy = cuda.shared.array(BODIES, float32)
    sm = cuda.shared.array(BODIES, float32)
    i, t, n = cuda.grid(1), cuda.threadIdx.x, x.size
    xi, yi = float32(0), float32(0)
    if i < n:
        xi, yi = x[i], y[i]
    px, py = float32(0), float32(0)
    for turn in range(cuda.gridDim.x):
        j = (cuda.blockIdx.x + turn) % cuda.gridDim.x * BODIES + t
        here = j < n
        sx[t] = x[j] if here else xi
        sy[t] = y[j] if here else yi
        sm[t] = mass[j] if here else float32(0)
        cuda.syncthreads()
        for k in range(BODIES):
            dx, dy = sx[k] - xi, sy[k] - yi
            f = factor(dx, dy, sm[k], soft)
            px += f * dx
            py += f * dy
        cuda.syncthreads()
    if i < n:
        pull_x[i] = px
        pull_y[i] = py


@right("two_tiles_in_turns")
@cuda.jit
def n_body(x, y, mass, soft, pull_x, pull_y):
    tile = cuda.shared.array((2, 3, BODIES), float32)
    i, t, n = cuda.grid(1), cuda.threadIdx.x, x.size
    xi, yi = float32(0), float32(0)
    if i < n:
        xi, yi = x[i], y[i]
    px, py = float32(0), float32(0)
    which = 0
    for first in range(0, n, BODIES):
        j = first + t
        tile[which, 0, t] = x[j] if j < n else float32(0)
        tile[which, 1, t] = y[j] if j < n else float32(0)
        tile[which, 2, t] = mass[j] if j < n else float32(0)
        cuda.syncthreads()  # the other tile is filled again only past the next barrier
        for k in range(BODIES):
            dx, dy = tile[which, 0, k] - xi, tile[which, 1, k] - yi
            f = factor(dx, dy, tile[which, 2, k], soft)
            px += f * dx
            py += f * dy
        which = 1 - which
    if i < n:
        pull_x[i] = px
        pull_y[i] = py


@right("leaves_itself_out")
@cuda.jit
def n_body(x, y, mass, soft, pull_x, pull_y):
    sx = cuda.shared.array(BODIES, float32)
    sy = cuda.shared.array(BODIES, float32)
    sm = cuda.shared.array(BODIES, float32)
    i, t, n = cuda.grid(1), cuda.threadIdx.x, x.size
    xi, yi = float32(0), float32(0)
    if i < n:
        xi, yi = x[i], y[i]
    px, py = float32(0), float32(0)
    for first in range(0, n, BODIES):
        if first + t < n:
            sx[t], sy[t], sm[t] = x[first + t], y[first + t], mass[first + t]
        cuda.syncthreads()
        for k in range(BODIES):
            if first + k < n and first + k != i:
                dx, dy = sx[k] - xi, sy[k] - yi
                f = factor(dx, dy, sm[k], soft)
                px += f * dx
                py += f * dy
        cuda.syncthreads()
    if i < n:
        pull_x[i] = px
        pull_y[i] = py


@wrong("no_tile", misconception="too_much_traffic", says="each of three blocks loads 160 bodies of 12 bytes once")
@cuda.jit
def n_body(x, y, mass, soft, pull_x, pull_y):
    i = cuda.grid(1)
    if i < x.size:
        px, py = float32(0), float32(0)
        for j in range(x.size):
            dx, dy = x[j] - x[i], y[j] - y[i]
            f = factor(dx, dy, mass[j], soft)
            px += f * dx
            py += f * dy
        pull_x[i] = px
        pull_y[i] = py


@wrong("threads_without_a_body_leave", misconception="uninitialised_read", says="before")
@cuda.jit
def n_body(x, y, mass, soft, pull_x, pull_y):
    sx = cuda.shared.array(BODIES, float32)
    sy = cuda.shared.array(BODIES, float32)
    sm = cuda.shared.array(BODIES, float32)
    i, t, n = cuda.grid(1), cuda.threadIdx.x, x.size
    if i >= n:
        return
    px, py = float32(0), float32(0)
    for first in range(0, n, BODIES):
        if first + t < n:
            sx[t], sy[t], sm[t] = x[first + t], y[first + t], mass[first + t]
        else:
            sm[t] = float32(0)
        cuda.syncthreads()
        for k in range(BODIES):
            dx, dy = sx[k] - x[i], sy[k] - y[i]
            f = factor(dx, dy, sm[k], soft)
            px += f * dx
            py += f * dy
        cuda.syncthreads()
    pull_x[i] = px
    pull_y[i] = py


@wrong("tail_keeps_the_last_tile", misconception="uninitialised_read", says="before")
@cuda.jit
def n_body(x, y, mass, soft, pull_x, pull_y):
    sx = cuda.shared.array(BODIES, float32)
    sy = cuda.shared.array(BODIES, float32)
    sm = cuda.shared.array(BODIES, float32)
    i, t, n = cuda.grid(1), cuda.threadIdx.x, x.size
    xi, yi = float32(0), float32(0)
    if i < n:
        xi, yi = x[i], y[i]
    px, py = float32(0), float32(0)
    for first in range(0, n, BODIES):
        if first + t < n:
            sx[t], sy[t], sm[t] = x[first + t], y[first + t], mass[first + t]
        cuda.syncthreads()
        for k in range(BODIES):
            dx, dy = sx[k] - xi, sy[k] - yi
            f = factor(dx, dy, sm[k], soft)
            px += f * dx
            py += f * dy
        cuda.syncthreads()
    if i < n:
        pull_x[i] = px
        pull_y[i] = py


@wrong("no_barrier_after_the_sum", misconception="missing_barrier", says="Race")
@cuda.jit
def n_body(x, y, mass, soft, pull_x, pull_y):
    tile = cuda.shared.array((3, BODIES), float32)
    i, t, n = cuda.grid(1), cuda.threadIdx.x, x.size
    mine = min(i, n - 1)
    xi, yi = x[mine], y[mine]
    px, py = float32(0), float32(0)
    for first in range(0, n, BODIES):
        j = first + t
        tile[0, t] = x[j] if j < n else float32(0)
        tile[1, t] = y[j] if j < n else float32(0)
        tile[2, t] = mass[j] if j < n else float32(0)
        cuda.syncthreads()
        for k in range(BODIES):
            dx, dy = tile[0, k] - xi, tile[1, k] - yi
            f = factor(dx, dy, tile[2, k], soft)
            px += f * dx
            py += f * dy
    if i < n:
        pull_x[i] = px
        pull_y[i] = py


@wrong("whole_tiles_only", misconception="last_tile_missing", says="round the number of tiles up")
@cuda.jit
def n_body(x, y, mass, soft, pull_x, pull_y):
    tile = cuda.shared.array((3, BODIES), float32)
    i, t, n = cuda.grid(1), cuda.threadIdx.x, x.size
    mine = min(i, n - 1)
    xi, yi = x[mine], y[mine]
    px, py = float32(0), float32(0)
    for number in range(n // BODIES):
        j = number * BODIES + t
        tile[0, t], tile[1, t], tile[2, t] = x[j], y[j], mass[j]
        cuda.syncthreads()
        for k in range(BODIES):
            dx, dy = tile[0, k] - xi, tile[1, k] - yi
            f = factor(dx, dy, tile[2, k], soft)
            px += f * dx
            py += f * dy
        cuda.syncthreads()
    if i < n:
        pull_x[i] = px
        pull_y[i] = py


@wrong("own_tile_only", misconception="own_tile_only", says="only the bodies of a block's own tile pull")
@cuda.jit
def n_body(x, y, mass, soft, pull_x, pull_y):
    tile = cuda.shared.array((3, BODIES), float32)
    i, t, n = cuda.grid(1), cuda.threadIdx.x, x.size
    tile[0, t] = x[i] if i < n else float32(0)
    tile[1, t] = y[i] if i < n else float32(0)
    tile[2, t] = mass[i] if i < n else float32(0)
    cuda.syncthreads()
    px, py = float32(0), float32(0)
    for k in range(BODIES):
        dx, dy = tile[0, k] - tile[0, t], tile[1, k] - tile[1, t]
        f = factor(dx, dy, tile[2, k], soft)
        px += f * dx
        py += f * dy
    if i < n:
        pull_x[i] = px
        pull_y[i] = py


@wrong("one_is_an_integer", misconception="float64_arithmetic", says="float64")
@cuda.jit
def n_body(x, y, mass, soft, pull_x, pull_y):
    tile = cuda.shared.array((3, BODIES), float32)
    i, t, n = cuda.grid(1), cuda.threadIdx.x, x.size
    mine = min(i, n - 1)
    xi, yi = x[mine], y[mine]
    px, py = float32(0), float32(0)
    for first in range(0, n, BODIES):
        j = first + t
        tile[0, t] = x[j] if j < n else float32(0)
        tile[1, t] = y[j] if j < n else float32(0)
        tile[2, t] = mass[j] if j < n else float32(0)
        cuda.syncthreads()
        for k in range(BODIES):
            dx, dy = tile[0, k] - xi, tile[1, k] - yi
            f = tile[2, k] * (dx * dx + dy * dy + soft) ** -1.5
            px += f * dx
            py += f * dy
        cuda.syncthreads()
    if i < n:
        pull_x[i] = px
        pull_y[i] = py


@wrong("from_the_other_to_itself", misconception="turned_round", says="bodies push each other")
@cuda.jit
def n_body(x, y, mass, soft, pull_x, pull_y):
    tile = cuda.shared.array((3, BODIES), float32)
    i, t, n = cuda.grid(1), cuda.threadIdx.x, x.size
    mine = min(i, n - 1)
    xi, yi = x[mine], y[mine]
    px, py = float32(0), float32(0)
    for first in range(0, n, BODIES):
        j = first + t
        tile[0, t] = x[j] if j < n else float32(0)
        tile[1, t] = y[j] if j < n else float32(0)
        tile[2, t] = mass[j] if j < n else float32(0)
        cuda.syncthreads()
        for k in range(BODIES):
            dx, dy = xi - tile[0, k], yi - tile[1, k]
            f = factor(dx, dy, tile[2, k], soft)
            px += f * dx
            py += f * dy
        cuda.syncthreads()
    if i < n:
        pull_x[i] = px
        pull_y[i] = py


@wrong("own_mass", misconception="wrong_mass", says="it is that of the body that pulls")
@cuda.jit
def n_body(x, y, mass, soft, pull_x, pull_y):
    tile = cuda.shared.array((3, BODIES), float32)
    i, t, n = cuda.grid(1), cuda.threadIdx.x, x.size
    mine = min(i, n - 1)
    xi, yi = x[mine], y[mine]
    px, py = float32(0), float32(0)
    for first in range(0, n, BODIES):
        j = first + t
        tile[0, t] = x[j] if j < n else float32(0)
        tile[1, t] = y[j] if j < n else float32(0)
        tile[2, t] = mass[j] if j < n else float32(0)
        cuda.syncthreads()
        for k in range(BODIES):
            dx, dy = tile[0, k] - xi, tile[1, k] - yi
            f = factor(dx, dy, mass[mine], soft) if first + k < n else float32(0)
            px += f * dx
            py += f * dy
        cuda.syncthreads()
    if i < n:
        pull_x[i] = px
        pull_y[i] = py


@wrong("distance_squared", misconception="not_cubed", says="so its cube is needed")
@cuda.jit
def n_body(x, y, mass, soft, pull_x, pull_y):
    tile = cuda.shared.array((3, BODIES), float32)
    i, t, n = cuda.grid(1), cuda.threadIdx.x, x.size
    mine = min(i, n - 1)
    xi, yi = x[mine], y[mine]
    px, py = float32(0), float32(0)
    for first in range(0, n, BODIES):
        j = first + t
        tile[0, t] = x[j] if j < n else float32(0)
        tile[1, t] = y[j] if j < n else float32(0)
        tile[2, t] = mass[j] if j < n else float32(0)
        cuda.syncthreads()
        for k in range(BODIES):
            dx, dy = tile[0, k] - xi, tile[1, k] - yi
            f = tile[2, k] / (dx * dx + dy * dy + soft)
            px += f * dx
            py += f * dy
        cuda.syncthreads()
    if i < n:
        pull_x[i] = px
        pull_y[i] = py


@wrong("root_forgotten", misconception="wrong_formula", says="Work the first one out by hand")
@cuda.jit
def n_body(x, y, mass, soft, pull_x, pull_y):
    tile = cuda.shared.array((3, BODIES), float32)
    i, t, n = cuda.grid(1), cuda.threadIdx.x, x.size
    mine = min(i, n - 1)
    xi, yi = x[mine], y[mine]
    px, py = float32(0), float32(0)
    for first in range(0, n, BODIES):
        j = first + t
        tile[0, t] = x[j] if j < n else float32(0)
        tile[1, t] = y[j] if j < n else float32(0)
        tile[2, t] = mass[j] if j < n else float32(0)
        cuda.syncthreads()
        for k in range(BODIES):
            dx, dy = tile[0, k] - xi, tile[1, k] - yi
            f = tile[2, k] / ((dx * dx + dy * dy + soft) * (dx * dx + dy * dy + soft) * (dx * dx + dy * dy + soft))
            px += f * dx
            py += f * dy
        cuda.syncthreads()
    if i < n:
        pull_x[i] = px
        pull_y[i] = py


@wrong("not_softened", misconception="not_softened", says="0 / 0 is NaN")
@cuda.jit
def n_body(x, y, mass, soft, pull_x, pull_y):
    tile = cuda.shared.array((3, BODIES), float32)
    i, t, n = cuda.grid(1), cuda.threadIdx.x, x.size
    mine = min(i, n - 1)
    xi, yi = x[mine], y[mine]
    px, py = float32(0), float32(0)
    for first in range(0, n, BODIES):
        j = first + t
        tile[0, t] = x[j] if j < n else float32(0)
        tile[1, t] = y[j] if j < n else float32(0)
        tile[2, t] = mass[j] if j < n else float32(0)
        cuda.syncthreads()
        for k in range(BODIES):
            dx, dy = tile[0, k] - xi, tile[1, k] - yi
            f = factor(dx, dy, tile[2, k], float32(0))
            px += f * dx
            py += f * dy
        cuda.syncthreads()
    if i < n:
        pull_x[i] = px
        pull_y[i] = py


@wrong("first_tile_alone", misconception="first_tile_only", says="only the bodies of the first tile pull")
@cuda.jit
def n_body(x, y, mass, soft, pull_x, pull_y):
    tile = cuda.shared.array((3, BODIES), float32)
    i, t, n = cuda.grid(1), cuda.threadIdx.x, x.size
    mine = min(i, n - 1)
    xi, yi = x[mine], y[mine]
    px, py = float32(0), float32(0)
    for number in range(1):
        j = number * BODIES + t
        tile[2, t] = float32(0)
        if j < n:
            tile[0, t], tile[1, t], tile[2, t] = x[j], y[j], mass[j]
        else:
            tile[0, t], tile[1, t] = xi, yi
        cuda.syncthreads()
        for k in range(BODIES):
            dx, dy = tile[0, k] - xi, tile[1, k] - yi
            f = factor(dx, dy, tile[2, k], soft)
            px += f * dx
            py += f * dy
        cuda.syncthreads()
    if i < n:
        pull_x[i] = px
        pull_y[i] = py


@wrong("pulls_exchanged", misconception="swapped_axes", says="pull_x and pull_y are exchanged")
@cuda.jit
def n_body(x, y, mass, soft, pull_x, pull_y):
    tile = cuda.shared.array((3, BODIES), float32)
    i, t = cuda.grid(1), cuda.threadIdx.x
    n = x.size
    mine = min(i, n - 1)
    xi, yi = x[mine], y[mine]
    px, py = float32(0), float32(0)
    for first in range(0, n, BODIES):
        j = first + t
        tile[0, t] = x[j] if j < n else float32(0)
        tile[1, t] = y[j] if j < n else float32(0)
        tile[2, t] = mass[j] if j < n else float32(0)
        cuda.syncthreads()
        for k in range(BODIES):
            dx, dy = tile[0, k] - xi, tile[1, k] - yi
            f = factor(dx, dy, tile[2, k], soft)
            px += f * dx
            py += f * dy
        cuda.syncthreads()
    if i < n:
        pull_y[i], pull_x[i] = px, py


@wrong("tail_pulls", misconception="tail_pulls", says="a cell past the end needs a mass of 0")
@cuda.jit
def n_body(x, y, mass, soft, pull_x, pull_y):
    tx = cuda.shared.array(BODIES, float32)
    ty = cuda.shared.array(BODIES, float32)
    tm = cuda.shared.array(BODIES, float32)
    i, t, n = cuda.grid(1), cuda.threadIdx.x, x.size
    xi = x[min(i, n - 1)]
    yi = y[min(i, n - 1)]
    ax = float32(0)
    ay = float32(0)
    for base in range(0, n, BODIES):
        j = min(base + t, n - 1)
        tx[t], ty[t] = x[j], y[j]
        tm[t] = mass[j]
        cuda.syncthreads()
        for k in range(BODIES):
            dx = tx[k] - xi
            dy = ty[k] - yi
            r = cuda.libdevice.rsqrtf(dx * dx + dy * dy + soft)
            f = tm[k] * r * r * r
            ax += f * dx
            ay += f * dy
        cuda.syncthreads()
    if i < n:
        pull_x[i] = ax
        pull_y[i] = ay


@wrong("soft_squared", misconception="soft_squared", says="it is added as it is")
@cuda.jit
def n_body(x, y, mass, soft, pull_x, pull_y):
    tx = cuda.shared.array(BODIES, float32)
    ty = cuda.shared.array(BODIES, float32)
    tm = cuda.shared.array(BODIES, float32)
    i, t, n = cuda.grid(1), cuda.threadIdx.x, x.size
    xi = x[min(i, n - 1)]
    yi = y[min(i, n - 1)]
    ax = float32(0)
    ay = float32(0)
    for base in range(0, n, BODIES):
        j = min(base + t, n - 1)
        tx[t], ty[t] = x[j], y[j]
        tm[t] = mass[j] if base + t < n else float32(0)
        cuda.syncthreads()
        for k in range(BODIES):
            dx = tx[k] - xi
            dy = ty[k] - yi
            r = cuda.libdevice.rsqrtf(dx * dx + dy * dy + soft * soft)
            f = tm[k] * r * r * r
            ax += f * dx
            ay += f * dy
        cuda.syncthreads()
    if i < n:
        pull_x[i] = ax
        pull_y[i] = ay


@wrong("soft_behind_the_root", misconception="soft_outside", says="under the root")
@cuda.jit
def n_body(x, y, mass, soft, pull_x, pull_y):
    bodies = cuda.shared.array((3, 64), float32)
    i, t, n = cuda.grid(1), cuda.threadIdx.x, x.size
    own = min(i, n - 1)
    sum_x = sum_y = float32(0)
    for first in range(0, n, 64):
        if first + t < n:
            bodies[0, t], bodies[1, t], bodies[2, t] = x[first + t], y[first + t], mass[first + t]
        cuda.syncthreads()
        for k in range(min(64, n - first)):
            dx, dy = bodies[0, k] - x[own], bodies[1, k] - y[own]
            distance = math.sqrt(dx * dx + dy * dy) + soft
            factor = bodies[2, k] / (distance * distance * distance)
            sum_x += factor * dx
            sum_y += factor * dy
        cuda.syncthreads()
    if i < n:
        pull_x[i] = sum_x
        pull_y[i] = sum_y
