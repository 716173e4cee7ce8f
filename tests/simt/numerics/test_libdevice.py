"""numba.cuda.libdevice: types as it declares them, and values."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from simt.numerics.libdevice import INTRINSICS

MISSING = set("erfcinv erfcx erfinv j0 j1 jn y0 y1 yn normcdfinv".split())


def call(name, *values):
    with np.errstate(all="ignore"):
        return INTRINSICS[f"libdevice.{name}"](None, None, None, *values)


@pytest.fixture(scope="module")
def declared():
    """Name -> (type of the result, types of what it is given, types of what it gives back besides)."""
    functions = pytest.importorskip("numba.cuda.libdevicefuncs").functions
    return {
        name.removeprefix("__nv_"): (
            str(result), [str(one.ty) for one in given if not one.is_ptr], [str(one.ty) for one in given if one.is_ptr]
        )
        for name, (result, given) in functions.items()
    }  # fmt: skip


def test_every_function_is_there_but_those_that_are_known_to_lack(declared):
    here = {path.split(".")[1] for path in INTRINSICS}
    directed = {f"fma{end}_{mode}" for end in ("", "f") for mode in ("rd", "ru", "rz")}
    assert MISSING | {name + "f" for name in MISSING} | directed == set(declared) - here
    assert set() == here - set(declared)


def test_results_have_the_declared_types(declared):
    different = []
    for name, (result, given, besides) in declared.items():
        if f"libdevice.{name}" in INTRINSICS:
            found = call(name, *(np.dtype(one).type(1) for one in given))
            found = [one.dtype.name for one in (found if isinstance(found, tuple) else [found])]
            expected = [one for one in [result, *besides] if one not in ("none", "void")]
            if expected != found:
                different.append((name, expected, found))
    assert [] == different


def test_lanes_give_what_scalars_give(declared):
    for name, (_, given, _) in declared.items():
        if f"libdevice.{name}" in INTRINSICS:
            scalars = [np.dtype(one).type(2) for one in given]
            alone, together = call(name, *scalars), call(name, *(np.full(3, one) for one in scalars))
            for one, many in zip(*(r if isinstance(r, tuple) else (r,) for r in (alone, together)), strict=True):
                assert (3,) == many.shape and np.array_equal(many, np.full(3, one), equal_nan=True), name


@pytest.mark.parametrize("letter, dtype", [("d", np.float64), ("f", np.float32)])
def test_directed_rounding_is_next_to_the_exact_result(letter, dtype):
    rng = np.random.default_rng(1)
    a, b = (rng.standard_normal(200).astype(dtype) for _ in range(2))
    exact = {"add": Fraction.__add__, "mul": Fraction.__mul__, "div": Fraction.__truediv__}
    for name, operation in exact.items():
        down, up, zero = (call(f"{letter}{name}_{mode}", a, b) for mode in ("rd", "ru", "rz"))
        for k in range(len(a)):
            value = operation(Fraction(a[k].item()), Fraction(b[k].item()))
            assert Fraction(down[k].item()) <= value <= Fraction(up[k].item())
            assert down[k] == up[k] or np.nextafter(down[k], dtype(math.inf)) == up[k]
            assert zero[k] == (down[k] if value > 0 else up[k])
    down, up = call(f"{letter}sqrt_rd", np.abs(a)), call(f"{letter}sqrt_ru", np.abs(a))
    assert all(Fraction(d.item()) ** 2 <= Fraction(x.item()) for d, x in zip(down, np.abs(a), strict=True))
    assert all(Fraction(u.item()) ** 2 >= Fraction(x.item()) for u, x in zip(up, np.abs(a), strict=True))


def test_directed_rounding_at_the_ends_of_the_range():
    largest, tiny = np.finfo(np.float64).max, np.float64(5e-324)
    assert (largest, math.inf) == (call("dmul_rz", largest, np.float64(2)), call("dmul_ru", largest, np.float64(2)))
    assert (tiny, 0) == (call("dmul_ru", tiny, tiny), call("dmul_rd", tiny, tiny))
    assert math.inf == call("ddiv_rd", np.float64(1), np.float64(0))
    assert np.isnan(call("dadd_rd", np.float64(math.nan), tiny))


@pytest.mark.parametrize(
    "name, values, expected",
    [
        ("float2int_rn", (2.5,), 2),
        ("float2int_ru", (2.1,), 3),
        ("float2int_rz", (-2.9,), -2),
        ("float2int_rd", (1e10,), 2**31 - 1),
        ("double2uint_rn", (-1.0,), 0),
        ("double2ll_rz", (math.nan,), 0),
        ("ll2float_rz", (2**40 + 1,), 2.0**40),
        ("ll2float_ru", (2**40 + 1,), 2.0**40 + 2**17),
        ("int2float_rd", (2**24 + 1,), 2.0**24),
        ("byte_perm", (0x33221100, 0x77665544, 0x7531), 0x77553311),
        ("hadd", (-3, 2), -1),
        ("rhadd", (3, 2), 3),
        ("mul24", (0xFFFFFF, 2), -2),
        ("mul64hi", (-(2**62), 8), -2),
        ("umul64hi", (2**63, 6), 3),
        ("usad", (3, 5, 1), 3),
        ("ilogb", (0.3,), -2),
        ("logb", (0.3,), -2.0),
        ("ldexp", (1.5, 3), 12.0),
        ("powi", (2.0, -2), 0.25),
        ("llround", (2.5,), 3),
        ("llrint", (2.5,), 2),
        ("remquo", (7.0, 2.0), (-1.0, 4)),
        ("hiloint2double", (0x3FF80000, 0), 1.5),
        ("double2hiint", (1.5,), 0x3FF80000),
        ("half2float", (0x3C00,), 1.0),
        ("isinfd", (math.inf,), 1),
        ("popcll", (-1,), 64),
        ("brev", (1,), -(2**31)),
    ],
)
def test_values(name, values, expected):
    result = call(name, *(np.int64(v) if isinstance(v, int) and v < 2**63 else np.asarray(v)[()] for v in values))
    assert expected == (tuple(one.item() for one in result) if isinstance(result, tuple) else result.item())


def test_the_normal_distribution():
    np.testing.assert_allclose(call("normcdf", np.array([-1.0, 0.0, 2.0])), [0.158655254, 0.5, 0.977249868], rtol=1e-8)
