"""The seven ways in which INT8 goes wrong, in the kernels: exact with scales that are powers of two, for every mistake
below something else comes out.

The oracle is the NumPy reference, which `tests/minitrt/reference/test_int8_pitfalls.py` holds against fractions.
"""

from __future__ import annotations

import importlib.util
import sys

import numpy as np
import pytest

import tests.minitrt.meanings  # noqa: F401 - gives the intrinsics their meaning
from minitrt.api.enums import DataType
from minitrt.graph.ir import Op, Value
from minitrt.reference import run_op
from minitrt.tactics import tensor_conv
from minitrt.tactics.contract import Device
from minitrt.tactics.plain import products, rows
from tests.minitrt.interpreted import run

GPU = Device("NVIDIA A10", (8, 6), 72, 101376)
I8, F = DataType.INT8, DataType.FLOAT
rng = np.random.default_rng(12)
WINDOW = dict(kernel=[3, 3], stride=[1, 1], pads_before=[1, 1], pads_after=[1, 1], dilations=[1, 1])
POINT = dict(kernel=[1, 1], stride=[1, 1], pads_before=[0, 0], pads_after=[0, 0], dilations=[1, 1])


def ints(*shape: int) -> np.ndarray:
    return rng.integers(-128, 128, shape).astype(np.int8)


def conv(x, w, scales, bias=None, residual=None, activation=None, window=POINT) -> tuple[Op, list]:
    """(operation, its inputs); scales: of x, w, y and the residual."""
    size = x.shape[2:]
    out = (x.shape[0], w.shape[0], *size)
    values = [
        Value("x", I8, x.shape, scale=scales[0]),
        Value("w", I8, w.shape, scale=scales[1], data=w),
        Value("b", F, bias.shape, data=bias) if bias is not None else None,
        Value("r", I8, out, scale=scales[3]) if residual is not None else None,
    ]
    attrs = {**window, "groups": 1, "activation": activation}
    return Op("conv", "conv", values, [Value("y", I8, out, scale=scales[2])], attrs), [x, w, bias, residual]


def pool(x: np.ndarray, **attrs) -> tuple[Op, list]:
    out = Value("y", I8, x.shape, scale=1.0)
    return Op("pool", "pool", [Value("x", I8, x.shape, scale=1.0)], [out], {**WINDOW, **attrs}), [x]


ONES = np.ones((16, 16, 1, 1), np.int8)
UNIT = np.eye(16, dtype=np.int8).reshape(16, 16, 1, 1)
LARGEST = np.full((1, 1104, 1, 2), 127, np.int8)
CLIP = {"type": "clip", "alpha": 1.0, "beta": 40.0}
CASES = {
    "1 ties": conv(np.arange(-128, 128).astype(np.int8).reshape(1, 16, 4, 4), UNIT, (1.0, 0.5, 1.0)),
    "2 padding is zero": conv(np.full((1, 3, 3, 4), 100, np.int8), np.ones((16, 3, 3, 3), np.int8), (1.0, 1.0, 32.0),
                              window=WINDOW),
    "3 both ends": conv(np.full((1, 16, 1, 2), -128, np.int8) * np.array([1, -1], np.int8), ONES, (1.0, 1.0, 0.125)),
    "3 just inside": conv(np.full((1, 16, 2, 2), -128, np.int8), UNIT, (1.0, 1.0, 1.0)),
    "4 sums beyond 2^24": conv(LARGEST, np.full((16, 1104, 1, 1), 127, np.int8), (1.0, 1.0, 1.0),
                               bias=np.full(16, -(1104 * 127 * 127.0), np.float32)),
    "5 a scale a channel": conv(ints(1, 16, 2, 3), ints(20, 16, 1, 1),
                                (2.0**-3, 2.0 ** -(np.arange(20) % 9).astype(np.float32), 0.5)),
    "5 a dead channel": conv(ints(1, 16, 2, 2), UNIT * (np.arange(16) != 5).reshape(16, 1, 1, 1).astype(np.int8),
                             (1.0, np.ones(16, np.float32), 1.0), bias=np.arange(16, dtype=np.float32)),
    "6 a residual of another scale": conv(ints(1, 16, 3, 2), ints(24, 16, 1, 1), (2.0**-4, 2.0**-3, 1.0, 0.125),
                                          residual=ints(1, 24, 3, 2)),
    "6 limits come last": conv(ints(1, 16, 3, 2), ints(18, 16, 1, 1), (2.0**-4, 2.0**-3, 1.0, 2.0),
                               residual=ints(1, 18, 3, 2), activation=CLIP),
    "7 a maximum at the border": pool(np.full((1, 16, 3, 3), -128, np.int8), mode="max"),
    "7 an average at the border": pool(np.full((1, 16, 4, 4), 50, np.int8), mode="average", count_include_pad=False),
    "7 an average that counts padding": pool(ints(1, 16, 4, 4), mode="average", count_include_pad=True),
}  # fmt: skip


def wrong(name: str) -> list[str]:
    """The tactics that do not give exactly what the reference gives."""
    operation, inputs = CASES[name]
    expected = run_op(operation, inputs)[0]
    tactics = [*tensor_conv.candidates(operation, GPU)[:1], *products.candidates(operation, GPU)[:1]]
    tactics += rows.candidates(operation, GPU)[:1] if operation.kind == "pool" else []
    given = [None if v is None or v.is_constant else a for v, a in zip(operation.inputs, inputs, strict=True)]
    assert tactics
    return [tactic.name for tactic in tactics if not np.array_equal(run(operation, tactic, given)[0], expected)]


@pytest.mark.parametrize("name", CASES)
def test_the_kernels_are_exact(name):
    assert [] == wrong(name)


PLAIN, TENSOR = "minitrt.kernels.plain.", "minitrt.kernels.tensor_conv."
MUTANTS = {  # the mistake -> where, what stands there, what is written instead, which case sees it
    "rounds by truncation": (PLAIN + "elements", "(clipped + SHIFT) - SHIFT", "clipped", "1 ties"),
    "never gives -128": (PLAIN + "elements", "float32(-128.0)", "float32(-127.0)", "3 just inside"),
    "reads beyond the border": (PLAIN + "products", "row >= 0 and row < in_h and column >= 0 and", "column >= 0 and",
                                "2 padding is zero"),
    "sums in float32": (PLAIN + "products", "int32(x[i])), int32(0)", "float32(x[i])), float32(0)",
                        "4 sums beyond 2^24"),
    "one scale for all channels": (PLAIN + "products", "multiplier[k]", "multiplier[0]", "5 a scale a channel"),
    "forgets the residual's scale": (PLAIN + "products", "read(r, i, ONE) * residual_multiplier", "read(r, i, ONE)",
                                     "6 a residual of another scale"),
    "limits before the residual": (PLAIN + "products", "v = read(r, i, ONE) * residual_multiplier + v",
                                   "v = read(r, i, ONE) * residual_multiplier + min(max(v, low), high)",
                                   "6 limits come last"),
    "a maximum begins at zero": (PLAIN + "windows", "-INFINITY if MAX", "float32(0) if MAX",
                                 "7 a maximum at the border"),
    "counts padding always": (PLAIN + "windows", "declared if padded else inside", "declared",
                              "7 an average at the border"),
    "tensor cores, one scale": (TENSOR + "epilogue", "* scales[n]", "* scales[0]", "5 a scale a channel"),
    "tensor cores, bytes in disorder": (TENSOR + "epilogue", "v[4 * n + 1] += float32(B1", "v[4 * n + 1] += float32(B2",
                                        "6 a residual of another scale"),
    "tensor cores, a row too many": (TENSOR + "gathering", "h >= 0 and h < window[2]", "h >= 0 and h <= window[2]",
                                     "2 padding is zero"),
    "tensor cores, padding that is not zero": (TENSOR + "epilogue", "u if channel + n < out_channels else ZERO", "u",
                                               "6 limits come last"),
    "tensor cores, last step left out": (TENSOR + "kernel", "for step in range(-AHEAD, steps):",
                                         "for step in range(-AHEAD, steps - 1):", "4 sums beyond 2^24"),
}  # fmt: skip


def mutated(name: str, old: str, new: str, folder, monkeypatch) -> None:
    """Let everything that imports module `name` from now on get one whose source differs."""
    source = importlib.util.find_spec(name).origin
    text = open(source, encoding="utf-8").read()
    assert text.count(old) >= 1, f"{name} has no {old!r} any more: write the mistake anew"
    path = folder / "mutant.py"
    path.write_text(text.replace(old, new), encoding="utf-8")
    family = [module for module in sys.modules if module.startswith((PLAIN, TENSOR)) or module == TENSOR[:-1]]
    for module in family:
        parent, _, leaf = module.rpartition(".")
        monkeypatch.setattr(sys.modules[parent], leaf, sys.modules[module])  # as it is, and again after the test
    for module in family:  # whatever took something from it is imported anew, too
        if module not in (TENSOR + "products", TENSOR + "tile"):  # whose intrinsics have their meaning
            monkeypatch.delitem(sys.modules, module)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)


@pytest.mark.parametrize(
    ("module", "text", "case"),
    [
        (PLAIN + "elements", "(clipped + SHIFT)", "1 ties"),
        (TENSOR + "epilogue", "* scales[n]", "6 limits come last"),
        (TENSOR + "gathering", "h >= 0", "2 padding is zero"),
        (PLAIN + "windows", "-INFINITY", "7 a maximum at the border"),
    ],
)
def test_a_module_that_is_imported_anew_without_a_mistake_is_still_exact(module, text, case, tmp_path, monkeypatch):
    mutated(module, text, text, tmp_path, monkeypatch)

    assert [] == wrong(case)


@pytest.mark.parametrize("mistake", MUTANTS)
def test_a_kernel_with_this_mistake_is_seen(mistake, tmp_path, monkeypatch):
    module, old, new, case = MUTANTS[mistake]
    mutated(module, old, new, tmp_path, monkeypatch)
    try:
        found = wrong(case)
    except Exception as error:  # the interpreter may stop a kernel that leaves its arrays
        found = [type(error).__name__]

    assert found
