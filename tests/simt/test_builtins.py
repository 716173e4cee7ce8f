"""Python's built-in functions in kernels."""

from __future__ import annotations

import numpy as np
import pytest

import simt
from simt.errors import UnsupportedError

NAMES = "bool int8 int32 int64 uint8 uint64 float16 float32 float64 complex64 complex128".split()
KINDS = {int: "int64", float: "float64", bool: "bool", complex: "complex128", np.int32: "int32", np.float32: "float32"}


@pytest.mark.parametrize("kind", KINDS)
def test_isinstance_knows_exactly_one_type(kind):
    def ask(values, out):
        out[0] = isinstance(values[0], kind)
        out[1] = isinstance(values[0], (tuple, kind))
        out[2] = isinstance((values[0],), kind) or isinstance(values, kind) or not isinstance((1, 2), tuple)

    for name in NAMES:
        out = np.ones(3, bool)
        simt.launch(ask, 1, 1, np.zeros(1, name), out)
        assert [name == KINDS[kind]] * 2 + [False] == out.tolist(), name


def test_isinstance_refuses_what_no_kernel_has():
    def ask(out):
        out[0] = isinstance(out[0], list)

    with pytest.raises(UnsupportedError, match="line .*no list"):
        simt.launch(ask, 1, 1, np.zeros(1, bool))
