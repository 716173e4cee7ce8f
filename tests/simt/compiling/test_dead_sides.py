"""What a constant of the program rules out is never typed, as in numba: a factory's kernel may name None there."""

import linecache
from importlib.util import find_spec
from types import ModuleType

import numpy as np
import pytest

from simt.cuda_api import cuda
from simt.errors import SimtError

NAMES = {"cuda": cuda, "absent": None, "OFF": False, "ON": np.bool_(True), "MODE": "fast", "LIMIT": 3}
COMPILED = {  # a body: what is in x[0] then, which was 1
    "if OFF:\n absent(x, i)": 1,
    "if OFF:\n x[i] = nobody.knows(this)": 1,
    "if OFF:\n a, b = absent\nelse:\n x[i] = 2": 2,
    "if not OFF:\n x[i] = 3\nelse:\n absent[i] = 3": 3,
    "if ON:\n x[i] = 4\nelse:\n x[i] = absent(i)": 4,
    "if absent is not None:\n x[i] = absent[i]": 1,
    "if absent is None or absent[i] > 0:\n x[i] = 5": 5,
    "if absent is not None and absent(i):\n x[i] = 6": 1,
    "if OFF and x[i] > 0:\n absent(i)": 1,
    "if x[i] > 0 and OFF:\n absent(i)": 1,
    "if x[i] > 0 and MODE == 'fast':\n x[i] = 7\nelif MODE == 'slow':\n x[i] = absent(i)": 7,
    "if LIMIT > 4:\n absent(x, i)\nelif LIMIT > 2:\n x[i] = 8\nelse:\n absent(i)": 8,
    "x[i] = 9 if LIMIT == 3 else absent(i)": 9,
    "x[i] = absent(i) if OFF else 10": 10,
    "if LIMIT - 3:\n absent(x, i)": 1,
    "if OFF is True:\n absent(x, i)\nelse:\n x[i] = 11": 11,
    "if MODE in 'slow':\n absent(x, i)\nelse:\n x[i] = 12": 12,
    "while OFF:\n x[i] = absent(i)": 1,
    "for j in range(2):\n if OFF:\n  absent(j)\n x[i] += j": 2,
}
REFUSED = [
    "if x[i] > 0:\n absent(x, i)",  # by no constant
    "flags = OFF, 1\nif flags[1]:\n absent(x, i)",
    "if LIMIT + 1 == 3:\n absent(x, i)",  # looks no further than at two names or literals
    "if settings.off:\n absent(x, i)",  # of a module: numba looks at names alone
]


def kernel_of(body: str):
    """A module's kernel of (x,), where `settings` is a module."""
    settings = ModuleType("settings")
    settings.off = False
    lines = ["def kernel(x):", " i = cuda.grid(1)", *(f" {line}" for line in body.split("\n"))]
    text, name = "\n".join(lines) + "\n", f"<dead side {body}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    names = {**NAMES, "settings": settings}
    exec(compile(text, name, "exec"), names)
    return names["kernel"]


@pytest.mark.parametrize("body", COMPILED)
def test_a_side_that_a_constant_rules_out_is_not_looked_at(body):
    x = np.ones(1)
    cuda.jit(kernel_of(body))[1, 1](x)
    assert COMPILED[body] == x[0]


@pytest.mark.parametrize("body", REFUSED)
def test_a_side_that_only_the_run_rules_out_is_held_to_numbas_types(body):
    with pytest.raises(SimtError, match="NoneType"):
        cuda.jit(kernel_of(body))[1, 1](np.zeros(1))


@pytest.mark.skipif(find_spec("numba_cuda") is None, reason="needs numba-cuda, whose compiler is asked")
@pytest.mark.parametrize("body", [*COMPILED, *REFUSED])
def test_numba_says_the_same(body):
    from numba import cuda as numbas
    from numba import float64, void

    kernel = kernel_of(body)
    kernel.__globals__["cuda"] = numbas
    try:
        numbas.compile(kernel, void(float64[:]), cc=(8, 0))
    except Exception:
        assert body in REFUSED
    else:
        assert body in COMPILED


def test_closures_of_one_text_are_compiled_each_with_its_own_constants():
    def make(scale, used):
        @cuda.jit
        def kernel(x):
            if used:
                x[0] = scale(x[0])

        return kernel

    twice = cuda.jit(lambda value: 2 * value, device=True)
    results = []
    for scale, used in ((None, False), (twice, True), (None, False)):
        x = np.full(1, 3.0)
        make(scale, used)[1, 1](x)
        results.append(x[0])
    assert [3, 6, 3] == results


def test_no_code_of_the_program_is_run_to_find_a_constant():
    class Hostile:
        def __bool__(self):
            raise RuntimeError

        __eq__ = __bool__

    kernel = kernel_of("if flag is None or flag == 1 or flag:\n absent(i)")
    kernel.__globals__["flag"] = Hostile()
    with pytest.raises(SimtError, match="Hostile"):
        cuda.jit(kernel)[1, 1](np.ones(1))
