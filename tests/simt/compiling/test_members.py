"""Members of an IntEnum, ffs and folded constants: what numba makes an integer of, and what it refuses."""

import cmath
import enum
import linecache
import math
from importlib.util import find_spec

import numpy as np
import pytest

from simt.cuda_api import cuda, types
from simt.errors import SimtError


class Fruit(enum.IntEnum):
    FIG, PLUM = 1, 7


RUN = {  # an expression that is stored in x[0]: what is in an int32 there then
    "Fruit.FIG": 1, "Fruit.PLUM / 2": 3, "-Fruit.FIG": -1, "abs(Fruit.FIG)": 1, "Fruit.FIG + Fruit.PLUM": 8,
    "Fruit.FIG == 1": 1, "math.sqrt(Fruit.FIG)": 1, "math.floor(Fruit.PLUM)": 7, "cuda.popc(Fruit.PLUM)": 3,
    "cuda.ffs(Fruit.PLUM)": 1, "pow(Fruit.PLUM, 2)": 49, "2 ** Fruit.PLUM": 128, "Fruit.FIG & 3": 1, "~Fruit.FIG": -2,
    "not Fruit.FIG": 0, "int32(Fruit.PLUM)": 7, "divmod(Fruit.PLUM, 2)[0]": 3, "math.ldexp(1.0, Fruit.FIG)": 2,
    "Fruit.FIG if x[0] > 0 else 2": 2, "x[0] + Fruit.PLUM": 7, "cuda.popc(1.5)": 11, "(1 << 64) - (1 << 64) + 3": 3,
    "cuda.clz(1.5)": 31,
}  # fmt: skip
REFUSED = (
    "1.5 + Fruit.FIG", "Fruit.FIG * 2.0", "Fruit.FIG < 2.5", "Fruit.FIG ** 2.0", "max(Fruit.FIG, 2)",
    "min(Fruit.FIG, Fruit.PLUM)", "cmath.exp(Fruit.FIG).real", "cmath.phase(Fruit.FIG)", "math.atan2(Fruit.FIG, 1.0)",
    "math.pow(Fruit.FIG, 2.0)", "np.sin(Fruit.FIG)", "float(Fruit.FIG)", "complex(Fruit.FIG, 1).real",
    "np.maximum(x[0], Fruit.FIG)",
    "bool(Fruit.FIG)", "round(Fruit.FIG)", "np.float32(Fruit.FIG)", "cuda.selp(True, Fruit.FIG, Fruit.PLUM)",
    "x[Fruit.FIG]",
    "cuda.fma(Fruit.FIG, 1.0, 1.0)", "cuda.ffs(1.5)", "cuda.ffs(np.float32(2))", "2 ** 64", "-2 ** 64", "1 << 64",
    "max(2 ** 64, 1)", "(2 ** 64) * 3",
)  # fmt: skip
IN_A_FLOAT = ("Fruit.FIG", "x[0] + Fruit.FIG", "Fruit.FIG == x[0]")  # refused where x holds float64


def kernel_of(expression: str, **names):
    text, name = f"def kernel(x):\n    x[0] = {expression}\n", f"<members {expression}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {"cuda": cuda, "np": np, "math": math, "cmath": cmath, "Fruit": Fruit, "int32": types.int32, **names}
    exec(compile(text, name, "exec"), space)
    return space["kernel"]


@pytest.mark.parametrize("expression", RUN)
def test_a_member_is_an_integer_wherever_numba_takes_it_for_one(expression):
    x = np.zeros(2, np.int32)
    cuda.jit(kernel_of(expression))[1, 1](x)
    assert RUN[expression] == x[0]


@pytest.mark.parametrize("expression", REFUSED)
def test_what_numba_refuses_of_it_is_refused(expression):
    with pytest.raises(SimtError) as told:
        cuda.jit(kernel_of(expression))[1, 1](np.zeros(2, np.int32))
    assert "the interpreter cannot run this" not in str(told.value)


@pytest.mark.parametrize("expression", IN_A_FLOAT)
def test_a_member_becomes_no_float(expression):
    with pytest.raises(SimtError, match=r"Fruit.FIG.value"):
        cuda.jit(kernel_of(expression))[1, 1](np.zeros(2))


@pytest.mark.release
@pytest.mark.skipif(find_spec("numba_cuda") is None, reason="needs numba-cuda, whose compiler is asked")
@pytest.mark.parametrize("expression", [*RUN, *REFUSED, *IN_A_FLOAT])
def test_numba_says_the_same(expression):
    import numba
    from numba import cuda as numbas

    element = numba.float64 if expression in IN_A_FLOAT and expression not in RUN else numba.int32
    kernel = kernel_of(expression, cuda=numbas, int32=numba.int32)
    try:
        numbas.compile(kernel, numba.void(element[:]), cc=(8, 0))
    except Exception:
        assert expression not in RUN
    else:
        assert expression in RUN
