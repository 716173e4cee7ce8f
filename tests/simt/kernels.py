"""Small kernels with one property each, traced from source to finding. Comments mark the lines that tests quote."""

from numba import cuda, float32, int32

TILE = 32
PITCH = TILE + 1


@cuda.jit
def guarded_add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]


@cuda.jit
def unguarded_scale(x, out):
    i = cuda.grid(1)
    out[i] = 2 * x[i]  # no guard


@cuda.jit
def left_neighbour(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = x[i - 1]  # wraps at thread 0


@cuda.jit
def reverse_without_barrier(x, out):
    s = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]  # writes
    out[t] = s[63 - t]  # reads


@cuda.jit
def tree_sum(x, out):
    s = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    s[t] = x[cuda.grid(1)]
    cuda.syncthreads()
    d = 32
    while d > 0:
        if t < d:
            s[t] += s[t + d]
        cuda.syncthreads()
        d //= 2
    if t == 0:
        out[cuda.blockIdx.x] = s[0]


@cuda.jit
def tree_sum_without_barrier(x, out):
    s = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    s[t] = x[cuda.grid(1)]
    cuda.syncthreads()
    d = 32
    while d > 0:
        if t < d:
            s[t] += s[t + d]  # races
        d //= 2
    if t == 0:
        out[cuda.blockIdx.x] = s[0]


@cuda.jit
def tree_sum_barrier_in_if(x, out):
    s = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    s[t] = x[cuda.grid(1)]
    cuda.syncthreads()
    d = 32
    while d > 0:
        if t < d:  # splits
            s[t] += s[t + d]
            cuda.syncthreads()  # waits
        d //= 2
    if t == 0:
        out[cuda.blockIdx.x] = s[0]


@cuda.jit
def half_written(out):
    s = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    if t < 32:
        s[t] = t
    cuda.syncthreads()
    out[t] = s[t]  # reads


@cuda.jit
def lost_updates(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[0] += x[i]  # updates


@cuda.jit
def shuffle_in_branch(x, out):
    i = cuda.grid(1)
    v = x[i]
    if i % 32 < 16:
        v += cuda.shfl_down_sync(0xFFFFFFFF, v, 8)  # shuffles
    out[i] = v


@cuda.jit
def spin_forever(lock):
    while cuda.atomic.cas(lock, 0, 0, 1) != 0:  # spins
        pass


@cuda.jit
def returns_early(x, out):
    t = cuda.threadIdx.x
    if t >= x.size:
        return
    s = cuda.shared.array(64, float32)
    s[t] = x[t]
    cuda.syncthreads()  # missed
    out[t] = s[x.size - 1 - t]


@cuda.jit
def transpose_unpadded(src, dst):
    tile = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    for k in range(0, TILE, 8):
        tile[ty + k, tx] = src[row + k, col]
    cuda.syncthreads()
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    for k in range(0, TILE, 8):
        dst[row + k, col] = tile[tx, ty + k]


@cuda.jit
def transpose_padded(src, dst):
    tile = cuda.shared.array((TILE, PITCH), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = src[ty, tx]
    cuda.syncthreads()
    dst[ty, tx] = tile[tx, ty]


@cuda.jit
def copy_strided(x, out, stride):
    i = cuda.grid(1) * stride
    if i < x.size:
        out[i] = x[i]


@cuda.jit
def histogram(x, bins):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(bins, x[i], 1)


@cuda.jit
def last_block_adds(x, parts, done, out):
    s = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    s[t] = x[cuda.grid(1)]
    cuda.syncthreads()
    if t == 0:
        acc = float32(0)
        for k in range(64):
            acc += s[k]
        parts[cuda.blockIdx.x] = acc
        cuda.threadfence()
        if cuda.atomic.add(done, 0, 1) == cuda.gridDim.x - 1:
            total = float32(0)
            for k in range(cuda.gridDim.x):
                total += parts[k]
            out[0] = total


@cuda.jit
def bits_of_floats(src, dst):
    words = cuda.shared.array(0, int32)
    numbers = cuda.shared.array(0, float32)
    t = cuda.threadIdx.x
    numbers[t] = src[t]
    cuda.syncthreads()
    dst[t] = words[cuda.blockDim.x - 1 - t]


@cuda.jit
def locked_add(lock, total):
    done = False
    while not done:
        if cuda.atomic.cas(lock, 0, 0, 1) == 0:
            cuda.threadfence()
            total[0] += 1
            cuda.threadfence()
            cuda.atomic.exch(lock, 0, 0)
            done = True


@cuda.jit
def block_sum(x, out):
    s = cuda.shared.array(256, float32)
    t = cuda.threadIdx.x
    s[t] = x[cuda.grid(1)]
    cuda.syncthreads()
    d = 128
    while d > 0:
        if t < d:
            s[t] += s[t + d]
        cuda.syncthreads()
        d //= 2
    if t == 0:
        out[cuda.blockIdx.x] = s[0]
