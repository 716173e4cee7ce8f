"""Wrong answers from outside whose verdicts once gave advice for another mistake, described as in `unseen_answers`."""

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
        "in `block_sum`, which line 18 calls, because of `is_last` at line 14",
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
}
