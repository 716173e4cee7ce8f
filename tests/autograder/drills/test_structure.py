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
    ("cpp", "float* p = nullptr; cudaMalloc((void**)&p, n);", "float *p; cudaMalloc(&p, n);"),
    ("cpp", "if (!(i < n)) x[i] = 0;", "if (i >= n) x[i] = 0;"),
    ("cpp", "y = x * (float)0.1;", "y = x * 0.1f;"),
    ("cpp", "y = static_cast<float>(0.1) * x;", "y = x * .1f;"),
    ("cpp", "while (d >= 1) d /= 2;", "while (d > 0) { d = d / 2; }"),
    ("cpp", "__global__ void f(float* x, int n) { int i = threadIdx.x; if (i >= n) return; x[i] = 1; out[i] = 2; }",
     "__global__ void f(float* x, int n) { int k = threadIdx.x; if (k < n) { x[k] = 1; out[k] = 2; } }"),
    ("cpp", "dim3 grid(n), block(256);\nf<<<grid, block>>>(x);", "f<<<n, 256, 0, nullptr>>>(x);"),
    ("cpp", "size_t bytes = n * sizeof(float);\nf(x, bytes);", "f(x, 4 * n);"),
    ("cpp", "v += f(v, 4); v += f(v, 2); v += f(v, 1);", "int d = 4;\ndo { v += f(v, d); d >>= 1; } while (d);"),
    ("cpp", "float t = x[0];\nout[0] = t;", "out[0] = x[0];"),
    ("cpp", "#define TILE 32\n__shared__ float t[TILE][TILE + 1];", "__shared__ float t[32][33];"),
    ("cpp", "float m; if (v > s) m = v; else m = s; x[0] = m;", "x[0] = fmaxf(s, v);"),
    ("cpp", "while (true) { int k = f(x); if (k >= n) break; s(k); }",
     "int k = f(x); while (k < n) { s(k); k = f(x); }"),
    ("python", "a = x + 1\nb = v + 2\nf(a, b)", "f(1 + x, v + 2)"),
    ("python", "a = x\nb = v\nout[0] = a\nout[1] = b", "b, a = v, x\nout[0] = a\nout[1] = b"),
    ("python", "for d in (2, 1):\n    v += f(v, d)", "d = 2\nwhile d > 0:\n    v += f(v, d)\n    d //= 2"),
    ("python", "i = cuda.grid(1)", "k = cuda.blockDim.x * cuda.blockIdx.x + cuda.threadIdx.x"),
    ("python", "buffer = cuda.shared.array(256, float32)", "tile = cuda.shared.array(shape=256, dtype=np.float32)"),
    ("python", "start = cuda.grid(1)\nfor i in range(start, n, cuda.gridsize(1)): x[i] = 0",
     "step = cuda.gridsize(1)\nfor k in range(cuda.grid(1), n, step): x[k] = 0"),
    ("python", "def f(x, n):\n    i = cuda.grid(1)\n    if i >= n:\n        return\n    x[i] = 1",
     "def f(x, n):\n    if cuda.grid(1) < n:\n        x[cuda.grid(1)] = 1"),
    ("python", "lane = cuda.threadIdx.x % cuda.warpsize", "l = cuda.threadIdx.x % 32"),
    ("python", "v = cuda.shfl_down_sync(-1, v, 8)", "v = cuda.shfl_down_sync(0xFFFFFFFF, v, 8)"),
    ("python", "if not i < n: x[i] = 0", "if i >= n: x[i] = 0"),
    ("python", "if i < n: x[i] += 1", "if n > i:\n    x[i] = x[i] + 1"),
    ("python", "def f(x):\n    '''Says so.'''\n    return x", "def f(x):\n    return x"),
]  # fmt: skip
DIFFERENT = [
    ("cpp", "scale<<<g, 256>>>(x, n);", "scale<<<256, g>>>(x, n);"),
    ("cpp", "if (i < n) a[i] = 0;", "if (i <= n) a[i] = 0;"),
    ("cpp", "y = x * 0.1f;", "y = x * 0.1;"),
    ("cpp", "__shared__ float s[32];", "float s[32];"),
    ("cpp", "a = b - c;", "a = c - b;"),
    ("cpp", "x[0] = 1; y[0] = x[0];", "y[0] = x[0]; x[0] = 1;"),
    ("cpp", "float t = x[0]; x[0] = 2; y[0] = t;", "x[0] = 2; y[0] = x[0];"),
    ("cpp", "double t = 0.1; y[0] = x[0] * t;", "y[0] = x[0] * 0.1f;"),
    ("cpp", "int t = x[0] * 0.5f; y[0] = t;", "y[0] = x[0] * 0.5f;"),
    ("cpp", "f(v, d); g(v);", "g(v); f(v, d);"),
    ("cpp", "__global__ void f(float* x) { }", "__global__ void f(const float* __restrict__ x) { }"),
    ("cpp", "for (int d = 4; d > 1; d /= 2) f(d);", "for (int d = 4; d > 0; d /= 2) f(d);"),
    ("python", "a, b = b, a", "b, a = b, a"),
    ("cpp", "if (i >= n) return; x[i] = 1;", "if (i > n) return; x[i] = 1;"),
    ("cpp", "if (i >= n) return; x[i] = 1;", "if (i >= n) x[i] = 1;"),
    ("cpp", "while (d >= 2) d /= 2;", "while (d > 0) d /= 2;"),
    ("cpp", "y = x * (float)0.1;", "y = x * 0.1;"),
    ("python", "i = cuda.grid(1)\nx[i] = 0", "i = cuda.gridsize(1)\nx[i] = 0"),
    ("python", "old = cuda.atomic.add(c, 0, 1)\nx[old] = 1\ny[old] = 1",
     "x[cuda.atomic.add(c, 0, 1)] = 1\ny[cuda.atomic.add(c, 0, 1)] = 1"),
    ("python", "i = cuda.grid(1)\nif i < n: return\nx[i] = 0", "i = cuda.grid(1)\nif i < n: x[i] = 0"),
    ("python", "for i in range(cuda.grid(1), n, cuda.gridsize(1)): pass", "for i in range(cuda.grid(1), n): pass"),
    ("python", "x = a - b", "x = b - a"),
    ("python", "cuda.syncthreads()", "cuda.syncwarp()"),
]  # fmt: skip


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


@pytest.mark.parametrize(
    "odd",
    [
        "float2 v = reinterpret_cast<const float2*>()[i];",
        "for (int d = 16; d; d >>- 1) f(d);",
        "x[] = 1;",
        "(float)();",
    ],
)
def test_code_that_means_nothing_is_another_code_or_cannot_be_read(odd):
    try:
        assert not same("cpp", odd, "x[0] = 1;")
    except StructureError as error:
        assert "line" in str(error)
