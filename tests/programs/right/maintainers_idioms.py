"""What libraries do with numba.cuda beyond kernels[...](arrays): each of these was once refused, or blamed."""

from collections import namedtuple

import numpy as np
from numba import complex64, cuda, float32, float64, int32, vectorize

Pair = namedtuple("Pair", "weights scale")
TABLES = (np.arange(4.0), np.arange(4.0) * 2)
PAIR = Pair(np.ones(4), 3)


class Tensor:
    """Stands for an array of another library."""

    def __init__(self, array):
        self.array = array

    @property
    def __cuda_array_interface__(self):
        return self.array.__cuda_array_interface__


@cuda.jit
def double(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = 2 * a[i]


@cuda.jit
def parts(x, out):
    t = cuda.threadIdx.x
    tile = cuda.shared.array(32, complex64)
    tile.real[t] = x[t]
    tile.imag[t] = 1
    cuda.syncthreads()
    own = cuda.local.array(2, float32)
    bits = own.view(int32)
    bits[0] = bits[1] = t
    out[t] = tile[31 - t].real + tile.imag[t] + own[0]


@cuda.jit
def guarded_by_an_assertion(a):
    i = cuda.grid(1)
    assert i < a.size
    a[i] = 1


@cuda.jit
def tables(out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = TABLES[1][i] + PAIR.weights[i] * PAIR.scale


@cuda.jit
def times(t, out):
    i = cuda.grid(1)
    if i < t.size:
        out[i] = 2 if np.isnat(t[i]) else np.isnan(t[i])


@cuda.jit
def hints(a, out):
    i = cuda.grid(1)
    if i < a.size:
        cuda.stcs(out, i, cuda.ldcg(a, i))


@cuda.jit
def one_name(rows, x, out):
    i = cuda.grid(1)
    r = rows
    first = r[0]
    if i < x.size:
        r = x[i] + first[0]
        if x[i] > 2:
            r += 1.0
        out[i] = r


@vectorize([float64(float64, float64)], target="cuda")
def add(a, b):
    return a + b


managed = cuda.managed_array(8, np.float64)
managed[:] = 1
double[1, 8](managed)
cuda.current_context().synchronize()
assert 16 == managed.sum()
double[1, 8](cuda.as_cuda_array(managed))
cuda.current_context().synchronize()
assert 32 == managed.sum()

a, b = np.arange(8.0), np.arange(8.0)
double[1, 8](cuda.In(a))
double[1, 8](cuda.InOut(b))
assert 28 == a.sum() and 56 == b.sum()
hints[1, 8](cuda.In(a), cuda.Out(b))
assert 28 == b.sum()

out = np.zeros(32)
parts[1, 32](np.arange(32.0), out)
assert (32 * np.ones(32)).sum() - np.arange(32).sum() == (out.round()).sum(), out
few = np.zeros(5)
guarded_by_an_assertion[1, 8](few)
assert 5 == few.sum()
four = np.zeros(4)
tables[1, 8](four)
assert [3, 5, 7, 9] == four.tolist()
dates, found = np.array(["2020-01-01", "NaT"], "datetime64[D]"), np.zeros(2)
times[1, 2](dates, found)
assert [0, 2] == found.tolist()
five = np.zeros(5)
one_name[1, 8](np.ones((2, 2)), np.arange(5.0), five)
assert [1, 2, 3, 5, 6] == five.tolist()
device = cuda.to_device(np.arange(4.0))
assert [0, 2, 4, 6] == add(Tensor(device), Tensor(device)).copy_to_host().tolist()
