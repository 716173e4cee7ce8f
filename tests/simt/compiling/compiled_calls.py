"""Which calls numba-cuda compiles, of all that a kernel of one line can call in Python, its mathematics and NumPy.

python -m tests.simt.compiling.compiled_calls     write tests/golden/compiled_calls.json anew: a quarter of an hour
"""

from __future__ import annotations

import argparse
import builtins
import cmath
import functools
import itertools
import json
import linecache
import math
import operator
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

RECORD = Path(__file__).parents[2] / "golden/compiled_calls.json"
MODULES = {
    "": builtins, "math.": math, "cmath.": cmath, "operator.": operator, "np.": np, "np.linalg.": np.linalg,
    "np.random.": np.random, "np.fft.": np.fft, "random.": random, "itertools.": itertools, "functools.": functools,
}  # fmt: skip
OWNERS = {"x.": np.ndarray, "f.": np.float32, "'ab'.": str, "(1, 2).": tuple}  # of methods
FORMS = (  # x: a float32 array, m: a matrix, n: an integer, f: a float32
    "", "x", "n", "f", "(1, 2)", "x, x", "f, f", "n, n", "x, n", "x, f", "m", "m, m", "x, x, x", "f, f, f", "n, n, n",
    "x, f, f", "n, 'real'", "x, 'ab'", "n, int32", "lambda v: v, x", "x, (2, 2)", "m, 0", "(1, 2), (3, 4)",
)  # fmt: skip


def names() -> Iterator[str]:
    """What can be written before the parenthesis."""
    for prefix, owner in {**MODULES, **OWNERS}.items():
        for name in sorted(dir(owner)):
            value = getattr(owner, name, None)
            is_error = isinstance(value, type) and issubclass(value, BaseException)
            if not name.startswith("_") and callable(value) and not is_error:
                yield f"{prefix}{name}"


def kernel_of(call: str) -> Callable:
    """A kernel k(x, m, n) of this one call. Raises: SyntaxError."""
    text, cell = f"def kernel(x, m, n):\n    f = x[0]\n    v = {call}\n", f"<call {call}>"
    linecache.cache[cell] = (len(text), None, text.splitlines(True), cell)
    space = {prefix.rstrip(".").partition(".")[0]: module for prefix, module in MODULES.items() if prefix}
    space |= {"np": np, "int32": np.int32}
    exec(compile(text, cell, "exec"), space)
    return space["kernel"]


def is_compiled(call: str) -> bool:
    """Whether numba-cuda types and lowers it."""
    from numba import float32, int64

    from autograder.lint.compiler import lower

    try:
        lower(kernel_of(call), (float32[::1], float32[:, ::1], int64), "sm_75")
    except Exception:  # numba raises its own classes and, from inside, any of Python's
        return False
    return True


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    calls = [f"{name}({form})" for name in names() for form in FORMS]
    RECORD.write_text(json.dumps([call for call in calls if is_compiled(call)], indent=0) + "\n")


if __name__ == "__main__":
    main()
