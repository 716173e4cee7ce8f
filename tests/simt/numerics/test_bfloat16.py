"""bfloat16: two of them give one, rounded once; with other types they give what numba's compiler says."""

import numpy as np
import pytest

from simt.cuda_api import cuda
from simt.errors import SimtError
from simt.source.recognise import dtype_of
from simt.values.bfloat16 import NUMBA_NAME, common, is_bfloat16
from simt.values.numba_rules import arith_dtype, operand_dtype, unify_dtype

ml_dtypes = pytest.importorskip("ml_dtypes")
BF16 = np.dtype(ml_dtypes.bfloat16)

TYPES = {  # operation and other operand -> type of the result, as numba-cuda 0.30.4 infers it for a bfloat16
    ("+", BF16): BF16,
    ("-", BF16): BF16,
    ("*", BF16): BF16,
    ("/", BF16): BF16,
    ("//", BF16): np.dtype("f4"),
    ("%", BF16): np.dtype("f4"),
    ("**", BF16): np.dtype("f4"),
    ("**", np.dtype("i8")): np.dtype("f4"),
    ("*", np.dtype("f4")): np.dtype("f4"),
    ("*", np.dtype("f8")): np.dtype("f8"),
    ("*", np.dtype("i8")): np.dtype("f8"),
    ("*", np.dtype("i4")): np.dtype("f8"),
}


@pytest.mark.parametrize(("operation", "other"), TYPES)
def test_operations_have_numba_s_types(operation, other):
    assert TYPES[operation, other] == operand_dtype(operation, BF16, other)


def test_records_are_none_of_them():
    record = np.dtype([("x", "f4")])
    assert is_bfloat16(BF16) and not is_bfloat16(record) and not is_bfloat16(np.dtype("V2"))
    assert common(record, np.dtype("f4")) is None and unify_dtype(BF16, BF16) == arith_dtype(BF16, BF16) == BF16


def test_numba_s_type_is_known_by_its_name():
    numba_type = type("Bfloat16", (), {"name": NUMBA_NAME, "__module__": "numba.cuda.types"})()
    assert BF16 == dtype_of(numba_type)


def test_sums_and_products_are_rounded_at_each_step():
    @cuda.jit
    def kernel(x, y, out):
        i = cuda.grid(1)
        if i < x.size:
            total = x[i] * x[i] + x[i]
            y[i] = total
            y[i] += x[i]
            out[i] = total * 2

    x = np.linspace(0, 9, 50).astype(BF16)
    y, out = np.zeros(50, BF16), np.zeros(50)
    kernel[2, 32](x, y, out)

    total = x * x + x
    assert (total + x).tolist() == y.tolist() and (2 * total.astype(float)).tolist() == out.tolist()


def test_functions_of_math_and_conversions():
    import math

    @cuda.jit
    def kernel(x, out):
        out[0] = math.sqrt(x[0])
        out[1] = math.fabs(x[1])
        out[2] = int(round(x[0]))
        out[3] = abs(x[1]) + max(x[0], x[1])
        out[4] = -x[0]
        out[5] = math.isnan(x[0])

    x, out = np.array([2.5, -1.3], BF16), np.zeros(6)
    kernel[1, 1](x, out)
    root, size = np.sqrt(x[:1].astype("f4")).astype(BF16).astype(float)[0], float(-x[1])
    assert [root, size, 2, size + 2.5, -2.5, 0] == out.tolist()


def test_a_condition_is_refused_and_print_shows_a_number(capsys):
    @cuda.jit
    def condition(x):
        if x[0]:
            x[1] = 0

    @cuda.jit
    def show(x):
        print(x[0])

    x = np.array([2.5, 1], BF16)
    with pytest.raises(SimtError, match="A bfloat16 stands where a condition belongs"):
        condition[1, 1](x)
    show[1, 1](x)
    assert "2.500000\n" == capsys.readouterr().out
