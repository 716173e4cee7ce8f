"""Places that go through float32 are told, however they are written; floats that are data are not."""

import ast

import pytest

from autograder.lint.from_source.float_indices import float_indices

THROUGH_FLOAT = {
    "in one line": "i = int(float32(cuda.grid(1)))",
    "over several lines": "f = float32(cuda.blockIdx.x) * float32(cuda.blockDim.x)\nf += float32(cuda.threadIdx.x)\n"
    "i = int(f)",
    "a size": "last = np.float32(x.size - 1)\nx[int64(last)] = 0",
    "a loop's place, carried along": "at = float32(0)\nfor i in range(cuda.grid(1), x.size, cuda.gridsize(1)):\n"
    "    best, at = x[i], float32(i)\nat = cuda.shfl_down_sync(-1, at, 16)\nwhere[0] = int32(at)",
    "a remainder": "i = cuda.grid(1)\nx[int32(float32(i) % float32(n_cols))] = 0",
    "a quotient": "i = cuda.grid(1)\nx[i - int(float32(i) / float32(n_cols)) * n_cols] = 0",
    "a quotient, cut": "f = float32(cuda.grid(1))\nrow = math.trunc(f / np.float32(n_cols)) * float32(n_cols)\n"
    "x[int(f - row)] = 0",
    "times one over it": "inverse = float32(1) / float32(n_cols)\nx[int(float32(cuda.grid(1)) * inverse)] = 0",
    "a remainder by name": "x[int(math.fmod(float32(cuda.grid(1)), float32(n_cols)))] = 0",
    "a guard": "i = float32(cuda.grid(1))\nx[cuda.grid(1)] = 1 if i < float32(x.size) else 0",
    "by libdevice": "f = cuda.libdevice.int2float_rn(cuda.grid(1)) / float32(n_cols)\n"
    "x[cuda.libdevice.float2int_rz(f)] = 0",
}
DATA = {
    "a bin of what was loaded": "i = cuda.grid(1)\nb = int(x[i] * float32(256))\nh[b] = 1",
    "a place between pixels": "col = cuda.grid(1)\nc = int(float32(col) * scale)\nx[c] = 0",
    "a thread of its block": "t = cuda.threadIdx.x\nx[int(float32(t))] = 0",
    "a value, and no place": "i = cuda.grid(1)\nx[i] = float32(i)",
    "a share of the way": "i = cuda.grid(1)\nx[i] = int(float32(i) / float32(x.size) * float32(255))",
    "a place at another scale": "i = cuda.grid(1)\nx[int(float32(i) / scale)] = 0",
    "a limit for data": "i = cuda.grid(1)\nif x[i] < float32(i) and float32(i) < scale:\n    x[i] = 0",
    "a number beside a remainder": "i = cuda.grid(1)\nx[i % n_cols] = int(float32(i) % float32(n_cols))",
    "a float64": "i = int(float(cuda.grid(1)))",
}


def found(body):
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    tree = ast.parse(f"def kernel(x, h, where, scale, n_cols):\n{lines}")
    return list(float_indices(tree.body[0]))


@pytest.mark.parametrize("body", THROUGH_FLOAT.values(), ids=THROUGH_FLOAT)
def test_a_place_that_goes_through_float32_is_told_with_its_line(body):
    (finding,) = found(body)

    assert 1 + len(body.splitlines()) == finding.lines[-1]
    assert "16,777,216" in finding.says


@pytest.mark.parametrize("body", DATA.values(), ids=DATA)
def test_a_float_that_is_no_place_is_left_alone(body):
    assert [] == found(body)
