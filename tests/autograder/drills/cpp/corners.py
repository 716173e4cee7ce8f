"""Small functions of C++ over odd values, and what a C++ compiler's program gives for them: the arithmetic is C's.

    python -m tests.autograder.drills.cpp.corners    compile them with g++ and write tests/golden/cpp/corners.json

Left out are what C++ leaves undefined: division by zero, shifts past the width, conversions that do not fit.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
from pathlib import Path

from autograder.machine.scratch import ScratchFolder

RECORD = Path(__file__).parents[3] / "golden" / "cpp" / "corners.json"
PARAMETERS = "int a, int b, unsigned u, signed char c, unsigned char d, long long l, float f"
ROWS = [  # of values of a, b, u, c, d, l, f
    (0, 0, 0, 0, 0, 0, 0.0), (1, -1, 1, -1, 255, -1, 0.5), (-7, 2, 7, 127, 128, 1 << 33, -2.75),
    (7, -2, 4294967295, -128, 1, -(1 << 33), 3.5), (2147483647, 3, 2147483648, 5, 200, 12345678901, 1e6),
    (-2147483647, 31, 2147483647, -5, 100, -12345678901, -1e6), (-1, -3, 3, 64, 64, 255, 0.1),
    (1000003, -1000003, 65535, -65, 17, -256, -0.1), (46341, 46341, 3000000000, 33, 99, 7, 123.456),
    (-8, 5, 12, -33, 254, -7, 16777216.0), (13, 17, 5, 1, 2, 3, -0.0), (-100, 7, 100, -100, 156, 1, 7.0),
]  # fmt: skip
BODIES = [
    "union { float f; unsigned u; } w; w.f = f; w.u ^= 0x80000000u; return (int)w.f;",
    "union { int i; float f; } w = {0x3f800000}; w.f += 1; return w.i;",
    "int x = 0, y = 1; a > b ? (x = a & 255) : (y = b & 15); return x * 3 + y;",
    "int k = 0; if (a > 0 && (k = b) > 0) return k; return k + 1;",
    "int t = 5; int r = (a > 3 || t++ < 9) ? t : -t; return r;",
    "int t = 3; int r = a > 3 ? t++ : --t; return r * 10 + t;",
    "int s = 0; for (int i = 0; i < 10; i++) { if (i % 3 == 0) continue; s += i; } return s;",
    "int n = (b & 7) + 1, s = 0; do { s = s * 3 + n; } while (--n > 0); return s;",
    "int x = a & 15; int y = x++ + 2; return y * 100 + x;",
    "int x = a & 15; int y = ++x + 2; return y * 100 + x;",
    "int t[4] = {1, 2}; int i = 0; t[i++] = 7; t[i++] += 5; return t[0] * 1000 + t[1] * 100 + t[2] * 10 + i;",
    "int t[4] = {}; int i = 1; t[i] = i++; return t[1] * 10 + t[2] + 100 * i;",
    "int x, y; x = y = a; x -= 5; return x - y;",
    "signed char k = c; k += 100; k *= 3; return k;",
    "unsigned char k = d; k = k + 200; k <<= 1; k -= 3; return k;",
    "int k = a; k /= (b & 3) + 2; k %= 7; k ^= b; k |= 4; return k;",
    "unsigned k = u; k >>= 3; k += a; k &= 0xfffff; return k;",
    "int x = 1; { int x = 2; x += 5; } for (int x = 0; x < 3; x++) {} return x;",
    "int s = 0; for (int i = 0, j = 10; i < j; i++, j--) s += i * j; return s;",
    "int n = a & 31, k = 0; while (n) { k += n & 1; n >>= 1; } return k;",
    "int n = 5, s = 0; while (n-- > 0) s = s * 2 + n; return s * 10 + n;",
    "int s = 0; for (;;) { if (++s > 6) break; } return s;",
    "const int k = 3; constexpr unsigned m = k - 5; return m / k;",
    "int t[6]; for (int i = 0; i < 6; i++) t[i] = i * i; int* p = t + 2; p++; p[1] += 1; return *p + p[1] + *(p - 1);",
    "int x; if (a > 0) x = 1; else if (a < 0) x = -1; else x = 0; return x;",
    "bool flag = a; flag = flag && !(b > 2); int k = flag + 1; return k * 2 + (flag ? 10 : 20);",
    "if (int k = a & 3; k > 1) return k; return -1;",
    "float s = 0; for (int i = 1; i <= 4; ++i) s += f / i; return s;",
    "auto x = a + 0u; auto y = f * 2; auto z = c + c; return (x > 5) + y + z;",
    "size_t n = 3; int i = -1; return i < n ? 1 : 0;",
    "int lambda = 3, in = 4, is = 5; return lambda * 100 + in * 10 + is;",
    "long long big = 1LL << 40; big /= -3; return (int)(big >> 8);",
    "int s = 0; for (unsigned i = 3; i + 1 > 0 && s < 9; --i) s += i < 4 ? 1 : 5; return s;",
    "switch (a & 3) { case 0: return 10; case 1: case 2: b &= 255; break; default: b |= 7; } return b;",
    "int s = 0; for (int i = 0; i < 6; i++) { switch (i % 3) { case 0: continue; case 1: s += i; break; "
    "default: { s -= 1; break; } } s += 100; } return s;",
    "switch (d) { default: return -1; case 255: c = 3; break; case 1: { int k = 4; c = k; break; } } return c;",
    "struct P { float x; int k; }; P p = {1.5f, a & 15}; P q{}; q = p; q.k += 2; return q.x * q.k + p.k;",
    "struct { int x, y; } p; p.x = a & 7; p.y = p.x++; return p.x * 10 + p.y;",
    "float4 v = make_float4(f, 2, 3, 4); float4 w = v; w.x = v.y; v.y += w.z; return v.x + v.y * 10 + w.x * 100 + w.w;",
    "int4 v = make_int4(a & 255, b & 255, 1, 2); v = make_int4(v.y, v.x, v.w, v.z); return v.x * 7 - v.y + v.w;",
    "float t[8] = {0, 1, 2, 3, 4, 5, 6, 7}; float4 v = reinterpret_cast<float4*>(t)[1]; return v.x + v.w * 10;",
    "int t[4] = {1, 2, 3, 4}; int2* p = (int2*)(t + 2); p[0].y += 5; int2 v = *p; return v.x * 100 + v.y;",
    "uchar4 v = {d, 300 & 255, 3}; v.x += 200; return v.x + v.y + v.z + v.w;",
    "auto sq = [](int x) { return x * x; }; return sq(a & 7) + sq(3);",
    "int k = 2; auto add = [&](int x) { k += x; return k; }; int first = add(3); return first * 10 + add(a & 3);",
    "auto half = [](float x) { float y = x / 2; return y; }; return half(f) + half(3);",
    "return twice(a & 15) + twice(f);",
    "return twice(c) + twice(d) + twice<long long>(a);",
    "return rest<7>(a) * 100 + rest<3>(b);",
    "int t[3]; fill<3>(t, a & 15); return t[0] + t[2] * 2;",
    "return table[a & 3] * 10 + table[3] + grid[1][b & 1];",
]
OUTSIDE = """
template <typename T> __device__ T twice(T v) { return v + v; }
template <int N> __device__ int rest(int k) { return k % N; }
template <int N, typename T = int> __device__ void fill(T* p, T v) { for (int i = 0; i < N; ++i) p[i] = v + i; }
__constant__ int table[4] = {3, -1, 4};
constexpr short grid[2][2] = {{1, 2}, {30, 40}};
"""
OF_CUDA = """
#define __device__
#define __constant__ const
struct float4 { float x, y, z, w; };
struct int4 { int x, y, z, w; };
struct int2 { int x, y; };
struct uchar4 { unsigned char x, y, z, w; };
float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
"""
LEAVES = ["a", "b", "u", "c", "d", "l", "3", "7u", "-5", "0x10", "2LL", "true"]
WHOLE = [
    "(A + B)", "(A - B)", "(A * B)", "(A & B)", "(A | B)", "(A ^ B)", "(A / ((B & 7) + 2))", "(A % ((B & 7) + 2))",
    "(A / -(int)((B & 7) + 2))", "(A % -(int)((B & 7) + 2))", "(A << (B & 15))", "(A >> (B & 15))",
    "(A < B)", "(A == B)",
    "(A > B ? A : B)", "(- A)", "(~A)", "(!A)", "(A && B)", "(A || B >= 3)", "(int8_t)(A)", "(unsigned)(A)",
    "(uint8_t)(A - B)", "(long long)(A)", "static_cast<int>(A)",
]  # fmt: skip
REAL = ["(A + B)", "(A * B)", "(A - B)", "(A / 4)", "(A < B ? A : B)", "(float)(A)", "(- A)"]
FLOATS = ["f", "2.5f", "0.1", "3", "a", "c"]


def generated(count: int = 110) -> list[str]:
    """Expressions, always the same."""
    rng = random.Random(20)

    def whole(depth: int) -> str:
        if depth == 0:
            return rng.choice(LEAVES)
        one, other = whole(depth - 1), whole(rng.randrange(depth))
        form = rng.choice(WHOLE)
        return form.replace("A", one).replace("B", other)

    def real(depth: int) -> str:
        if depth == 0:
            return rng.choice(FLOATS)
        one, other = real(depth - 1), real(rng.randrange(depth))
        form = rng.choice(REAL)
        return form.replace("A", one).replace("B", other)

    return [whole(rng.randint(1, 3)) for _ in range(count)] + [
        f"({real(rng.randint(1, 3))})" for _ in range(count // 4)
    ]


def functions() -> list[str]:
    """All of them, as definitions without what stands before."""
    bodies = [*BODIES, *(f"return {text};" for text in generated())]
    return [f"double f_{number}({PARAMETERS}) {{ {body} }}" for number, body in enumerate(bodies)]


def record() -> None:
    """Compile, run and write."""
    rows = ", ".join(f"f_{{0}}({a}, {b}, {u}u, {c}, {d}, {line}LL, {f!r}f)" for a, b, u, c, d, line, f in ROWS)
    calls = "\n".join(
        f'{{ double r[] = {{{rows.replace("{0}", str(k))}}}; for (double x : r) printf("%.17g ", x); puts(""); }}'
        for k in range(len(functions()))
    )
    text = (
        "#include <cstdio>\n#include <cstdint>\n#include <cstddef>\n"
        + OF_CUDA
        + OUTSIDE
        + "\n".join(f"static {each}" for each in functions())
    )
    with ScratchFolder("corners") as folder:
        source, program = Path(folder, "corners.cpp"), Path(folder, "corners")
        source.write_text(f"{text}\nint main() {{\n{calls}\n}}\n")
        compiler = ["g++", "-std=c++17", "-O0", "-w", "-fwrapv", "-ffp-contract=off", str(source), "-o", str(program)]
        subprocess.run(compiler, check=True)
        said = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
    found = [[float(each) for each in line.split()] for line in said.splitlines()]
    pairs = dict(zip(functions(), found, strict=True))
    RECORD.write_text(json.dumps(pairs, indent=0) + "\n")


if __name__ == "__main__":
    argparse.ArgumentParser(description="Write what a C++ compiler's program gives, into the golden file.").parse_args()
    record()
