"""Translations are matched by structure: what does not matter is free, what matters is not."""

from __future__ import annotations

import pytest

from autograder.drills.structure import StructureError, same

EQUAL = [
    ("cpp", "scale<<<dim3(g), dim3(256)>>>(x, n);", "scale <<< g , 256 >>> ( x , n )"),
    ("cpp", "int i = blockIdx.x * blockDim.x + threadIdx.x;", "size_t k = threadIdx.x + blockDim.x * blockIdx.x;"),
    ("cpp", "if (i < n) { out[i] = x[i]; }", "if (n > i) out[i] = x[i];  // the guard"),
    ("cpp", "#pragma unroll\nfor (int d = 16; d > 0; d /= 2) v += f(~0u, v, d);",
     "for (unsigned o = 16; o > 0; o = o / 2) { v = v + f(0xFFFFFFFF, v, o); }"),
    ("cpp", "for (int i = 0; i < n; ++i) s += x[i];", "for (int k = 0; k < n; k++) { s = s + x[k]; }"),
    ("cpp", "__global__ void f(const float* __restrict__ x, int n) { }", "__global__ void f(float *x, int n) {}"),
    ("cpp", "float* p = nullptr;", "float *p = NULL;"),
    ("python", "i = cuda.grid(1)", "k = cuda.blockDim.x * cuda.blockIdx.x + cuda.threadIdx.x"),
    ("python", "buffer = cuda.shared.array(256, float32)", "tile = cuda.shared.array(shape=256, dtype=np.float32)"),
    ("python", "if i < n: x[i] += 1", "if n > i:\n    x[i] = x[i] + 1"),
    ("python", "def f(x):\n    '''Says so.'''\n    return x", "def f(x):\n    return x"),
]  # fmt: skip
DIFFERENT = [
    ("cpp", "scale<<<g, 256>>>(x, n);", "scale<<<256, g>>>(x, n);"),
    ("cpp", "if (i < n) a[i] = 0;", "if (i <= n) a[i] = 0;"),
    ("cpp", "y = x * 0.1f;", "y = x * 0.1;"),
    ("cpp", "__shared__ float s[32];", "float s[32];"),
    ("cpp", "a = b - c;", "a = c - b;"),
    ("python", "for i in range(cuda.grid(1), n, cuda.gridsize(1)): pass", "for i in range(cuda.grid(1), n): pass"),
    ("python", "x = a - b", "x = b - a"),
    ("python", "cuda.syncthreads()", "cuda.syncwarp()"),
]


@pytest.mark.parametrize(("language", "one", "other"), EQUAL)
def test_what_does_not_matter_is_free(language, one, other):
    assert same(language, one, other, ("x", "n", "out", "s", "v", "f"))


@pytest.mark.parametrize(("language", "one", "other"), DIFFERENT)
def test_what_matters_is_seen(language, one, other):
    assert not same(language, one, other)


@pytest.mark.parametrize(("language", "broken"), [("cpp", "for (int i = 0; i <"), ("python", "def f(:\n")])
def test_what_cannot_be_parsed_is_said_with_its_line(language, broken):
    with pytest.raises(StructureError, match="line 1"):
        same(language, broken, broken)
