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
}
DATA = {
    "a bin of what was loaded": "i = cuda.grid(1)\nb = int(x[i] * float32(256))\nh[b] = 1",
    "a place between pixels": "col = cuda.grid(1)\nc = int(float32(col) * scale)\nx[c] = 0",
    "a thread of its block": "t = cuda.threadIdx.x\nx[int(float32(t))] = 0",
    "a value, and no place": "i = cuda.grid(1)\nx[i] = float32(i)",
    "a float64": "i = int(float(cuda.grid(1)))",
}


def found(body):
    tree = ast.parse("def kernel(x, h, where, scale):\n" + "".join(f"    {line}\n" for line in body.splitlines()))
    return list(float_indices(tree.body[0]))


@pytest.mark.parametrize("body", THROUGH_FLOAT.values(), ids=THROUGH_FLOAT)
def test_a_place_that_goes_through_float32_is_told_with_its_line(body):
    (finding,) = found(body)

    assert (1 + len(body.splitlines()),) == finding.lines
    assert "16,777,216" in finding.says


@pytest.mark.parametrize("body", DATA.values(), ids=DATA)
def test_a_float_that_is_no_place_is_left_alone(body):
    assert [] == found(body)
