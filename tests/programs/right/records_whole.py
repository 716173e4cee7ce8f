"""Records handed over whole through shared memory, and a lock that orders what blocks add up."""

import numpy as np
from numba import cuda, float32, from_dtype

BODY = np.dtype([("at", np.float32, (3,)), ("mass", np.float32), ("kind", np.int32)], align=True)
Body = from_dtype(BODY)


@cuda.jit
def turn_round(bodies, out):
    tile = cuda.shared.array(64, Body)
    t = cuda.threadIdx.x
    tile[t] = bodies[t]
    cuda.syncthreads()
    out[t] = tile[63 - t]


@cuda.jit
def weigh(bodies, total):
    t = cuda.threadIdx.x
    acc = float32(0)
    for k in range(3):
        acc += bodies[t].at[k]
    cuda.atomic.add(total, 0, acc * bodies[t].mass)


bodies = np.zeros(64, BODY)
bodies["mass"], bodies["at"] = 2, np.arange(192).reshape(64, 3)
d_out = cuda.device_array(64, BODY)
turn_round[1, 64](bodies, d_out)
total = np.zeros(1, np.float32)
weigh[1, 64](d_out, total)
assert (d_out.copy_to_host() == bodies[::-1]).all() and total[0] == 2 * np.arange(192).sum()
