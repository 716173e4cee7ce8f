"""Wrong answers from outside whose verdicts once gave advice for another mistake, described as in `answers`."""

MISLED = {
    "a barrier of a given helper, in a branch": (
        "atomics.last_block_sum",
        """@cuda.jit
def last_block_sum(src, partial, finished, total):
    t = cuda.threadIdx.x
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = block_sum(acc)
    is_last = False
    if t == 0:
        partial[cuda.blockIdx.x] = acc
        cuda.threadfence()
        is_last = cuda.atomic.add(finished, 0, 1) == cuda.gridDim.x - 1
    cuda.syncthreads()
    if is_last:
        acc = float32(0)
        for b in range(t, partial.size, THREADS):
            acc += partial[b]
        acc = block_sum(acc)
        if t == 0:
            total[0] = acc
            finished[0] = 0
""",
        18,
        "at line 6 of `block_sum`, because of `is_last` at line 14",
    ),
    "a copy up after the launch that reads it": (
        "vector_add.add_on_device",
        """def add_on_device(a, b):
    d_a = cuda.to_device(a)
    d_b = cuda.device_array_like(b)
    d_out = cuda.device_array_like(a)
    vector_add[blocks_for(a.size, THREADS), THREADS](d_a, d_b, d_out)
    d_b.copy_to_device(b)
    return d_out.copy_to_host()
""",
        5,
        "Before line 5, copy the values up",
    ),
    "a place that is taken apart the wrong way": (
        "indexing.pad",
        """@cuda.jit
def pad(src, margin, dst):
    col, row = cuda.grid(2)
    i = row * cuda.gridsize(2)[0] + col
    n = dst.shape[1]
    if i < dst.size:
        r = i // n
        c = i // n
        dst[r, c] = 0
""",
        9,
        "line 8 takes it apart the wrong way: `c = i // n`",
    ),
    "dynamic shared memory of no bytes": (
        "atomics.histogram_shared",
        """@cuda.jit
def histogram_shared(src, hist):
    s = cuda.shared.array(0, int32)
    t = cuda.threadIdx.x
    s[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        cuda.atomic.add(s, src[i], 1)
    cuda.syncthreads()
    cuda.atomic.add(hist, t, s[t])
""",
        5,
        "this launch gives it 0 bytes",
    ),
    "a search that never ends": (
        "atomics.count_keys",
        """@cuda.jit
def put_in(keys, table, counts):
    i = cuda.grid(1)
    if i < keys.size:
        place = place_of(keys[i], table.size)
        while True:
            seen = cuda.atomic.cas(table, place, EMPTY, keys[i])
            if seen == EMPTY or seen == keys[i]:
                break
            place = (place + 1) & (table.size - 1)
        cuda.atomic.add(counts, place, 1)


@cuda.jit
def look_up(asked, table, counts, found):
    i = cuda.grid(1)
    if i < asked.size:
        place = place_of(asked[i], table.size)
        while table[place] != asked[i]:
            place = (place + 1) & (table.size - 1)
        found[i] = counts[place]


def count_keys(keys, asked, table, counts, found):
    put_in[max(1, -(-keys.size // THREADS)), THREADS](keys, table, counts)
    look_up[max(1, -(-asked.size // THREADS)), THREADS](asked, table, counts, found)
""",
        19,
        "after 64 iterations all variables and all memory",
    ),
    "a stream first": (
        "streams.one_stream",
        """def one_stream(x, out):
    stream = cuda.stream()
    d_x = cuda.to_device(x, stream)
    d_out = cuda.device_array_like(d_x)
    scale[stream, blocks_for(x.size), THREADS](d_x, d_out)
    d_out.copy_to_host(out, stream)
    stream.synchronize()
""",
        0,
        "The order is kernel[blocks, threads, stream]",
    ),
    "an output that is rebound": (
        "streams.one_stream",
        """def one_stream(x, out):
    stream = cuda.stream()
    d_x = cuda.to_device(x, stream=stream)
    d_out = cuda.device_array_like(d_x)
    scale[blocks_for(x.size), THREADS, stream](d_x, d_out)
    out = d_out.copy_to_host(stream=stream)
    stream.synchronize()
""",
        0,
        "only gives the name to another array",
    ),
    "an input that is never read": (
        "vector_add.vector_add",
        """@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + a[i]
""",
        0,
        "`a` is the wrong variable",
    ),
    "a view of an input that is sorted": (
        "memory_kinds.median_of_nine",
        """@cuda.jit
def median_of_nine(x, out):
    i = cuda.grid(1)
    if i < out.size:
        s = x[i:i + 9]
        for end in range(8, 3, -1):
            for k in range(end):
                if s[k] > s[k + 1]:
                    s[k], s[k + 1] = s[k + 1], s[k]
        out[i] = s[4]
""",
        9,
        "An input was changed, line 9",
    ),
    "a guard about another array": (
        "indexing.fade",
        """@cuda.jit
def fade(volume, weight, out):
    x, y, z = cuda.grid(3)
    if z < out.shape[0] and y < out.shape[1] and x < out.shape[2]:
        out[z, y, x] = volume[z, y, x] * weight[y]
""",
        5,
        "the wrong variable is an index of weight",
    ),
    "map in a kernel": (
        "vector_add.vector_add",
        """@cuda.jit
def vector_add(a, b, out):
    out[:] = map(lambda x, y: x + y, a, b)
""",
        3,
        "A thread works on one element",
    ),
    "a quotient of what may be nothing": (
        "performance.read_profile",
        """def read_profile(load_requests, load_sectors, shared_wavefronts, shared_conflicts, warp_instructions, lanes):
    sectors = load_sectors / load_requests if load_requests else 0.0
    return sectors, shared_conflicts / (shared_wavefronts + 0), lanes / max(warp_instructions, 1)
""",
        3,
        "`shared_wavefronts + 0` is 0 here",
    ),
}
