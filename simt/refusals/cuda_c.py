"""What CUDA C and other habits call what `numba.cuda` calls otherwise: the name, and what to write for it."""

from __future__ import annotations

POSITIONS = ("threadIdx", "blockIdx", "blockDim", "gridDim")
ATOMICS = {"Add": "add", "Sub": "sub", "Max": "max", "Min": "min", "And": "and_", "Or": "or_", "Xor": "xor"}
ATOMICS |= {"Exch": "exch", "CAS": "cas", "Inc": "inc", "Dec": "dec"}
SHUFFLES = ("shfl", "shfl_up", "shfl_down", "shfl_xor")
MATHEMATICS = ("sqrt", "exp", "log", "sin", "cos", "tan", "fabs", "floor", "ceil", "pow", "tanh", "erf")

WRITTEN = {
    **{name: f"cuda.{name}.x" for name in POSITIONS},
    **{f"atomic_{own}": f"cuda.atomic.{own}(array, index, value)" for own in ATOMICS.values()},
    **{f"atomic{name}": f"cuda.atomic.{own}(array, index, value)" for name, own in ATOMICS.items()},
    **{f"__{name}_sync": f"cuda.{name}_sync(mask, value, lane)" for name in SHUFFLES},
    **{f"{name}_sync": f"cuda.{name}_sync(mask, value, lane)" for name in SHUFFLES},
    **{f"{name}f": f"math.{name}" for name in MATHEMATICS},
    **{name: f"math.{name}" for name in MATHEMATICS},
    "__syncthreads": "cuda.syncthreads()",
    "syncthreads": "cuda.syncthreads()",
    "__syncwarp": "cuda.syncwarp()",
    "syncwarp": "cuda.syncwarp()",
    "__threadfence": "cuda.threadfence()",
    "__shared__": "cuda.shared.array(shape, dtype)",
    "shared": "cuda.shared.array(shape, dtype)",
    "local": "cuda.local.array(shape, dtype)",
    "atomic": "cuda.atomic.add(array, index, value)",
    "grid": "cuda.grid(1)",
    "gridsize": "cuda.gridsize(1)",
    "laneid": "cuda.laneid",
    "warpSize": "cuda.warpsize",
    "warpsize": "cuda.warpsize",
    "rsqrtf": "1 / math.sqrt(x)",
    "fmaxf": "max",
    "fminf": "min",
    "printf": "print",
}
IMPORTS = {
    "math": "import math",
    "np": "import numpy as np",
    "numpy": "import numpy",
    "cuda": "from numba import cuda",
    "numba": "import numba",
    **{name: f"from numba import {name}" for name in ("float32", "float64", "int32", "int64", "uint8", "uint32")},
}


def instead_of(name: str) -> str:
    """One sentence with what to write for an undefined name; "" for a name that nobody's habit explains."""
    if name in IMPORTS:
        return f"Write `{IMPORTS[name]}` above; in a notebook, run that cell."
    return f"In numba it is written `{WRITTEN[name]}`." if name in WRITTEN else ""
