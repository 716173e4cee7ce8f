"""The translation computes what a C++ compiler's program computes, to the last bit."""

from __future__ import annotations

import json

import numpy as np
import pytest

pytest.importorskip("tree_sitter_cuda")

import simt
from autograder.answer.program import Piece, Program
from autograder.contract import Argument
from autograder.drills import cpp
from autograder.drills.kinds.write import HEADER
from tests.autograder.drills.cpp.corners import OUTSIDE, RECORD, ROWS, functions

RECORDED = json.loads(RECORD.read_text())
DTYPES = ("int32", "int32", "uint32", "int8", "uint8", "int64", "float32")
SPELLED = ("int", "int", "unsigned", "signed char", "unsigned char", "long long", "float")
AT_ONCE = 20  # functions in a kernel


def given(numbers: list[float]) -> list[np.ndarray]:
    """The values of every row, one array each, and room for what comes out."""
    columns = [np.array(column, dtype) for column, dtype in zip(zip(*ROWS, strict=True), DTYPES, strict=True)]
    return [*columns, np.zeros(len(ROWS) * len(numbers), np.float64)]


def kernel(chosen: list[str]) -> str:
    """A kernel that calls each of the functions for every row."""
    parameters = ", ".join(f"const {kind}* p{k}" for k, kind in enumerate(SPELLED))
    row = ", ".join(f"p{k}[i]" for k in range(len(SPELLED)))
    names = [text.partition("(")[0].split()[-1] for text in chosen]
    calls = "\n".join(f"    out[{k} * n + i] = {name}({row});" for k, name in enumerate(names))
    head = f"__global__ void corners({parameters}, double* out, int n, int m) {{\n    int i = threadIdx.x;\n"
    return "\n".join([OUTSIDE, *(f"__device__ {text}" for text in chosen), head + calls, "}\n"])


@pytest.mark.parametrize("first", range(0, len(functions()), AT_ONCE))
def test_every_function_gives_what_was_recorded(first):
    chosen = functions()[first : first + AT_ONCE]
    arguments = [Argument(f"p{k}", "in", dtype, "(n,)") for k, dtype in enumerate(DTYPES)]
    arguments.append(Argument("out", "out", "float64", "(m,)"))
    translated = cpp.translate(kernel(chosen), "corners", arguments)
    setup = (Piece(HEADER, "imports.py"), Piece(cpp.HELPERS, "helpers.py"))
    values = given(chosen)

    with Program(translated.source, "corners", "corners.py", setup=setup).loaded() as (_, function):
        simt.trace(function, 1, len(ROWS), *values)

    found = values[-1].reshape(len(chosen), len(ROWS))
    wrong = {
        text: (row, recorded, got)
        for text, line in zip(chosen, found.tolist(), strict=True)
        for row, recorded, got in zip(ROWS, RECORDED[text], line, strict=True)
        if recorded != got
    }
    assert {} == wrong


def test_what_was_recorded_is_what_is_asked():
    assert list(RECORDED) == functions()
