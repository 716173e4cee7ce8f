"""What a kernel's extensions make of its arguments reaches the kernel, and what they leave to do is done."""

import numpy as np

from simt import cuda_api
from simt.cuda_api import cuda


class Boxed:
    def __init__(self, array):
        self.array = array


class Unboxes:
    """Takes the array out, hands it over as an input, and counts launches."""

    def __init__(self):
        self.done = 0

    def prepare_args(self, kind, value, stream, retr):
        retr.append(self.count)
        return kind, cuda.In(value.array) if isinstance(value, Boxed) else value

    def count(self):
        self.done += 1


def adds(x, out):
    i = cuda.grid(1)
    x[i] += 1
    out[i] = x[i]


def test_an_object_that_an_extension_knows_is_an_argument():
    unboxes = Unboxes()
    kernel = cuda_api.jit(extensions=[unboxes])(adds)
    x, out = np.arange(4.0), np.zeros(4)
    kernel[1, 4](Boxed(x), out)
    assert [[0, 1, 2, 3], [1, 2, 3, 4]] == [x.tolist(), out.tolist()]  # an input is not copied back
    assert 2 == unboxes.done


def test_the_last_extension_is_asked_first():
    class Doubles:
        def prepare_args(self, kind, value, stream, retr):
            return kind, value * 2 if isinstance(value, float) else value

    class Adds:
        def prepare_args(self, kind, value, stream, retr):
            return kind, value + 1 if isinstance(value, float) else value

    def kernel(v, out):
        out[0] = v

    out = np.zeros(1)
    cuda_api.jit(extensions=[Doubles(), Adds()])(kernel)[1, 1](3.0, out)
    assert 8 == out[0]
