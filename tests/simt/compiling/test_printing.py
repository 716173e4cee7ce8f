"""print in a kernel: the GPU's format."""

from __future__ import annotations

import numpy as np
import pytest

import simt
from simt.compiling.printing import PrintWarning
from simt.cuda_api import cuda
from simt.errors import UnsupportedError


def test_print_formats_as_the_gpu_does(capsys):
    def show(values, pair):
        i = cuda.threadIdx.x
        print("100%", i, values[i], np.float32(0.1), values[i] > 2, pair, (i,), cuda.threadIdx)
        if i == 1:
            print()

    simt.launch(show, 1, 2, np.array([1.5, np.inf]), (1, (2.0, 3)))
    assert [
        "100% 0 1.500000 0.100000 False (1, (2.000000, 3)) (0,) (0, 0, 0)",
        "100% 1 inf 0.100000 True (1, (2.000000, 3)) (1,) (1, 0, 0)",
        "",
    ] == capsys.readouterr().out.splitlines()


def test_more_than_32_items_print_their_format_instead(capsys):
    def show(r):
        # fmt: off
        print(
            r[0], r[0], r[0], r[0], r[0], r[0], r[0], r[0], r[0], r[0], r[0],
            r[0], r[0], r[0], r[0], r[0], r[0], r[0], r[0], r[0], r[0], r[0],
            r[0], r[0], r[0], r[0], r[0], r[0], r[0], r[0], r[0], r[0], r[0],
        )
        # fmt: on

    with pytest.warns(PrintWarning, match="more than 32 items"):
        simt.launch(show, 1, 1, np.zeros(1, np.uint8))
    assert " ".join(["%llu"] * 33) == capsys.readouterr().out.strip()


@pytest.mark.parametrize("values", [np.zeros(3), np.complex64(1)])
def test_what_numba_cannot_print_is_refused(values):
    def show(values):
        print(values)

    with pytest.raises(UnsupportedError, match="line .*cannot show"):
        simt.launch(show, 1, 1, values)
