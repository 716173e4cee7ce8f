"""Kernels of n lines, each line with something to find: what keeps a judge busy that looks at each from all sides."""

from __future__ import annotations

HEAD = "@cuda.jit\ndef vector_add(a, b, out):\n    i = cuda.grid(1)\n    x = b[0]\n"
TAIL = "    out[i] = x\n"


def _kernel(line: str, n: int) -> str:
    return HEAD + "".join(line.format(k=k, after=k + 1) for k in range(n)) + TAIL


LONG = {
    "one_sum": lambda n: _kernel("    x += a[i]\n", n),
    "products": lambda n: _kernel("    x = x * a[i] + b[{k} * i]\n", n),
    "guards": lambda n: _kernel("    if i < a.size + {k}:\n        x += a[i]\n", n),
    "early_returns": lambda n: _kernel("    if i > a.size + {k}:\n        return\n    x += a[i]\n", n),
    "loops": lambda n: _kernel("    for k{k} in range(a.size):\n        x += a[i + k{k}]\n", n),
    "names": lambda n: _kernel("    y{after} = y{k} + a[y{k}]\n", n).replace("y0 +", "i +"),
    "names_backwards": lambda n: (
        _kernel("", 0).replace(TAIL, "    while x < 1:\n")
        + "".join(f"        y{k} = y{k + 1} + a[y{k}]\n" for k in range(n))
        + f"        y{n} = i\n"
        + TAIL
    ),
    "places": lambda n: _kernel("    p{k} = cuda.blockIdx.x * cuda.blockDim.x + {k}\n    x += a[p{k}]\n", n),
    "stores": lambda n: _kernel("    out[i + {k}] = x\n", n),
    "atomics": lambda n: _kernel("    o{k} = cuda.atomic.add(out, {k}, 1)\n    out[o{k}] = x\n", n),
    "lengths": lambda n: _kernel("    n{k} = a.size\n    if i < n{k}:\n        x += a[i]\n", n),
    "wide": lambda n: HEAD + "    x = " + " + ".join("(a[i] + b[i])" for _ in range(n)) + "\n" + TAIL,
}
