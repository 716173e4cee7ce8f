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
    "by names": "b = cuda.blockIdx.x\nw = cuda.blockDim.x\nt = cuda.threadIdx.x\n"
    "i = int(float32(b) * float32(w) + float32(t))",
    "a guard": "i = float32(cuda.grid(1))\nx[cuda.grid(1)] = 1 if i < float32(x.size) else 0",
    "by libdevice": "f = cuda.libdevice.int2float_rn(cuda.grid(1)) / float32(n_cols)\n"
    "x[cuda.libdevice.float2int_rz(f)] = 0",
}
IN_HELPERS = {  # helper, body of the kernel, the line that is told
    "made there": ("def place():\n    return int(float32(cuda.blockIdx.x) * float32(256))", "x[place()] = 0", 2),
    "of what is handed over": (
        "def place(b, w, t):\n    f = float32(b) * float32(w)\n    return int(f + float32(t))",
        "i = place(cuda.blockIdx.x, cuda.blockDim.x, cuda.threadIdx.x)\nx[i] = 0",
        3,
    ),
    "made a float there": ("def as_float(i):\n    return float32(i)", "f = as_float(cuda.grid(1))\nx[int(f)] = 0", 5),
    "made whole there": ("def whole(f):\n    return int(f)", "x[whole(float32(cuda.grid(1)))] = 0", 2),
    "a row there": (
        "def row_of(i, n):\n    return int(float32(i) / float32(n))",
        "row = row_of(cuda.grid(1), n_cols)\nx[row] = 0",
        2,
    ),
    "in the index of a helper": (
        "def element(x, row):\n    return x[row]",
        "row = int(float32(cuda.grid(1)) / float32(n_cols))\nh[0] = element(x, row)",
        4,
    ),
    "over two helpers": (
        "def f(i):\n    return g(i) + float32(1)\n\ndef g(i):\n    return float32(i)",
        "x[int(f(cuda.grid(1)))] = 0",
        7,
    ),
}
DATA_IN_HELPERS = {
    "a bin": ("def bin_of(v):\n    return int(v * float32(256))", "i = cuda.grid(1)\nx[bin_of(x[i])] = 0"),
    "what a helper loads": ("def load(x, i):\n    return x[i]", "x[int(float32(load(x, cuda.grid(1))))] = 0"),
    "handed a place once and data another time": (
        "def narrow(v):\n    return float32(v)",
        "i = cuda.grid(1)\nv = x[i]\nx[i] = narrow(i)\nx[int(narrow(v))] = 0",
    ),
    "a share": (
        "def share(i, n):\n    return float32(i) / float32(n)",
        "i = cuda.grid(1)\nx[i] = int(share(i, x.size))",
    ),
    "one that calls itself": ("def f(n):\n    return 1 if n < 2 else n * f(n - 1)", "x[int(f(cuda.grid(1)))] = 0"),
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


def found(body, helpers=""):
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    *others, kernel = ast.parse(f"{helpers}\ndef kernel(x, h, where, scale, n_cols):\n{lines}".lstrip()).body
    return list(float_indices(kernel, {one.name: one for one in others}))


@pytest.mark.parametrize("body", THROUGH_FLOAT.values(), ids=THROUGH_FLOAT)
def test_a_place_that_goes_through_float32_is_told_with_its_line(body):
    (finding,) = found(body)

    assert 1 + len(body.splitlines()) == finding.lines[-1]
    assert "16,777,216" in finding.says


def test_a_place_in_sixteen_bits_is_told_and_a_share_of_one_is_not():
    (finding,) = found("    i = int16(cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x)\n    x[i] = 0")

    assert (2,) == finding.lines
    assert "int16, which ends at 32,767" in finding.says
    assert [] == found("    i = int16(cuda.grid(1) % 64)\n    x[i] = 0")
    assert [] == found("    i = cuda.grid(1)\n    x[i] = int16(i)")


@pytest.mark.parametrize("body", DATA.values(), ids=DATA)
def test_a_float_that_is_no_place_is_left_alone(body):
    assert [] == found(body)


@pytest.mark.parametrize("name", IN_HELPERS)
def test_a_place_is_followed_into_helpers_and_back(name):
    helpers, body, line = IN_HELPERS[name]
    (finding,) = found(body, helpers)

    assert (line,) == finding.lines


@pytest.mark.parametrize("name", DATA_IN_HELPERS)
def test_data_in_helpers_is_left_alone(name):
    helpers, body = DATA_IN_HELPERS[name]

    assert [] == found(body, helpers)
