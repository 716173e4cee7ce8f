"""Indices outside arrays, elements that nobody wrote, elements of the turn before, and inputs that are written."""

import numpy as np

from simt.cuda_api import cuda
from simt.cuda_api.cuda import float32, int32
from tests.golden.findings.example import Catalogue, floats, zeros

EXAMPLES = Catalogue()
RECORD = np.dtype([("mass", np.float32), ("charge", np.int32)], align=True)


@EXAMPLES.kernel(2, 64, floats(100), zeros(100))
def no_guard(src, out):
    i = cuda.grid(1)
    out[i] = src[i]


@EXAMPLES.kernel(1, (8, 8), floats(6, 8), zeros(8, 6))
def guard_of_the_wrong_axis(src, out):
    x, y = cuda.grid(2)
    if x < src.shape[0] and y < src.shape[1]:
        out[x, y] = src[x, y]


@EXAMPLES.kernel(1, 32, floats(32), zeros(32))
def neighbour_on_the_left(src, out):
    i = cuda.grid(1)
    out[i] = src[i - 1]


@EXAMPLES.kernel(1, 32, floats(32), zeros(32))
def counted_from_the_end(src, out):
    i = cuda.grid(1)
    out[i] = src[-1 - i]


@EXAMPLES.kernel(1, 4, floats(4, 4), zeros(4))
def end_of_a_row(table, out):
    row = table[cuda.threadIdx.x]
    out[cuda.threadIdx.x] = row[cuda.threadIdx.x + 2]


@EXAMPLES.kernel(1, 4, floats(4, 4), zeros(4))
def past_the_last_row(table, out):
    i = cuda.threadIdx.x
    out[i] = table[i + 1][0]


@EXAMPLES.kernel(1, 32, zeros(8, dtype=np.int32))
def too_few_bins(bins):
    cuda.atomic.add(bins, cuda.grid(1), 1)


@EXAMPLES.kernel(1, 32, zeros(32))
def shared_array_too_small(out):
    tile = cuda.shared.array(16, float32)
    t = cuda.threadIdx.x
    tile[t] = t
    cuda.syncthreads()
    out[t] = tile[t % 16]


@EXAMPLES.kernel(1, 32, zeros(32))
def dynamic_shared_without_bytes(out):
    tile = cuda.shared.array(0, float32)
    tile[cuda.threadIdx.x] = 1
    out[cuda.threadIdx.x] = tile[cuda.threadIdx.x]


@EXAMPLES.kernel(1, 1, zeros(2))
def beyond_a_local_array(out):
    parts = cuda.local.array(4, float32)
    for k in range(5):
        parts[k] = k
    out[0] = parts[0]


def index_of(thread):
    return thread + 30


@EXAMPLES.kernel(1, 4, floats(32), zeros(4), uses=(index_of,))
def index_that_is_not_on_the_line(src, out):
    out[cuda.threadIdx.x] = src[
        # of a neighbour
        index_of(cuda.threadIdx.x)
    ]


@EXAMPLES.kernel(2, 4, floats(8), zeros(8))
def index_too_long_to_quote(src, out):
    out[cuda.grid(1)] = src[(cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x) * 2 - 8]


@EXAMPLES.kernel(1, 32, floats(32), zeros(32), strict=True)
def no_guard_and_nobody_listens(src, out):
    i = cuda.grid(1)
    out[i] = src[i + 1]


@EXAMPLES.kernel(1, 4, floats(0), zeros(4), strict=True)
def empty_array_and_nobody_listens(src, out):
    out[cuda.grid(1)] = src[cuda.grid(1)]


@EXAMPLES.kernel(1, (4, 4), floats(4, 3), strict=True)
def column_outside_and_nobody_listens(table):
    x, y = cuda.grid(2)
    table[y, x] = 0


@EXAMPLES.kernel(1, 32, zeros(32))
def nobody_fills_the_tile(out):
    tile = cuda.shared.array(32, float32)
    out[cuda.threadIdx.x] = tile[cuda.threadIdx.x]


@EXAMPLES.kernel(1, 32, floats(20), zeros(1))
def guard_leaves_a_part_of_the_tile(src, out):
    tile = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    if t < src.size:
        tile[t] = src[t]
    cuda.syncthreads()
    if t == 0:
        total = 0.0
        for k in range(32):
            total += tile[k]
        out[0] = total


@EXAMPLES.kernel(1, 16, floats(20), zeros(16))
def guard_leaves_a_part_of_the_next_tile(src, out):
    tile = cuda.shared.array(16, float32)
    t = cuda.threadIdx.x
    total = 0.0
    for k in range(2):
        if k * 16 + t < src.size:
            tile[t] = src[k * 16 + t]
        cuda.syncthreads()
        for j in range(16):
            total += tile[j]
        cuda.syncthreads()
    out[t] = total


@EXAMPLES.kernel(1, 4, zeros(4))
def local_array_without_values(out):
    parts = cuda.local.array(2, float32)
    parts[0] = 1
    out[cuda.threadIdx.x] = parts[0] + parts[1]


@EXAMPLES.kernel(1, 32, zeros(1, dtype=np.int32), initialised=())
def counter_without_a_first_value(count):
    cuda.atomic.add(count, 0, 1)


@EXAMPLES.kernel(1, 32, floats(32), zeros(1), initialised=("src",))
def largest_without_a_first_value(src, best):
    cuda.atomic.max(best, 0, src[cuda.threadIdx.x])


@EXAMPLES.kernel(1, 32, zeros(32), initialised=())
def output_that_is_read_first(out):
    out[cuda.threadIdx.x] += 1


@EXAMPLES.kernel(1, 32, zeros(32), np.arange(32, dtype=np.uint64))
def index_of_mixed_signs(out, places):
    i = cuda.grid(1)
    k = -1
    if i > 0:
        k = places[i]
    out[k] = 1


@EXAMPLES.kernel(1, 32, zeros(4, 4))
def row_for_an_element(out):
    i = cuda.grid(1)
    out[i] = 0


@EXAMPLES.kernel(1, 32, zeros(32, dtype=RECORD), zeros(32), initialised=("out",))
def field_without_a_value(particles, out):
    t = cuda.threadIdx.x
    particles[t].mass = 1
    out[t] = particles[t].mass + particles[31 - t].charge


@EXAMPLES.kernel(1, 32, floats(32), zeros(32), read_only=("src",))
def input_doubled_in_place(src, out):
    t = cuda.threadIdx.x
    src[t] *= 2
    out[t] = src[t]


@EXAMPLES.kernel(1, 32, zeros(4, dtype=np.int32), read_only=("limits",))
def input_updated_atomically(limits):
    counted = cuda.shared.array(1, int32)
    counted[0] = 0
    cuda.atomic.add(limits, cuda.threadIdx.x % 4, 1)


@EXAMPLES.kernel((5, 3), (16, 16), zeros(48, 80))
def axes_exchanged(img):
    x, y = cuda.grid(2)
    if x < img.shape[1] and y < img.shape[0]:
        img[x, y] = 1


@EXAMPLES.kernel(1, 32, floats(32), dynamic_shared_bytes=128)
def dynamic_shared_with_too_few_bytes(src):
    t = cuda.threadIdx.x
    halves = cuda.shared.array(0, float32)
    halves[cuda.blockDim.x + t] = src[t]
