"""Hint ladders for mistakes that look the same in every kernel; a unit's own ladder goes first."""

from __future__ import annotations

from autograder.contract import Hint

RETURNS_VALUE = Hint(
    "returns_value",
    (
        "Who would receive the value that a thread returns?",
        "Thousands of threads run the kernel at once, so there is no single result to hand back. "
        "A kernel leaves its results in arrays that the caller passed in.",
        "Replace the `return ...` line by an assignment to one element of the output array.",
        "out[i] = ...   # instead of: return ...",
    ),
)
NOT_COMPILED = Hint(
    "not_compiled",
    (
        "The message names a line. Which part of that line is more than numbers, array elements and `cuda.` functions?",
        "A kernel is compiled before it runs, for one type per variable. "
        "Python objects that grow or change type (lists, dicts, strings, most of NumPy) have no machine "
        "form on the GPU.",
        "Rewrite the named line with plain numbers and single elements, such as `a[i]`.",
        "i = cuda.grid(1)\nif i < out.size:\n    out[i] = ...   # numbers and elements only",
    ),
)
FLOAT64_ARITHMETIC = Hint(
    "float64_arithmetic",
    (
        "Every array here is float32. Which number on the named line is not?",
        "A bare `1` is an int64 and a bare `0.1` is a float64. Mixed with a float32, either one turns the "
        "whole "
        "expression into float64, twice as wide and on most GPUs many times slower.",
        "Wrap the constant on that line: `float32(1)`. Or rearrange the formula so that it needs no constant.",
        "value = float32(1) - weight   # float32 from start to end",
    ),
)
INPUT_CHANGED = Hint(
    "input_changed",
    (
        "Print the inputs after your kernel ran. Are they still what you passed in?",
        "An input array may be used again by the caller, or by another kernel, so this exercise promises "
        "to leave it alone.",
        "Find the line with an input on its left-hand side, and write to the output there.",
        "out[i] = ...   # only `out` stands on the left of an equals sign",
    ),
)
INFINITE_LOOP = Hint(
    "infinite_loop",
    (
        "Pick one thread and follow its loop by hand for three turns. What changes?",
        "A loop ends when its condition turns false, so something in the condition must move on every turn.",
        "Look at the last line inside the loop: it should bring the index closer to its end.",
        "while i < out.size:\n    ...\n    i += step   # step must be at least 1",
    ),
)

COMMON = (RETURNS_VALUE, NOT_COMPILED, FLOAT64_ARITHMETIC, INPUT_CHANGED, INFINITE_LOOP)
