"""The mutation gate: outputs that are nearly right, or right by accident, are refused on every kind of case.

Each mutant is a kernel that computes the mutation itself, judged like any submission.
"""

import dataclasses

import pytest

from autograder.judge import check
from autograder.outcome import Passed, Wrong
from tests.autograder.answers import add_by, block_sum_with, program
from tests.autograder.sample import ADD, BLOCK_SUM

pytestmark = pytest.mark.release  # each mutation is judged whole

PLAIN_ADD = dataclasses.replace(ADD, budgets=(), slips=())

MUTANTS = {
    "zeros": add_by("float32(0)"),
    "ones": add_by("float32(1)"),
    "a copy of an input": add_by("a[i]"),
    "one part in a thousand too large": add_by("(a[i] + b[i]) * float32(1.001)"),
    "rounded to float16": add_by("float32(np.float16(a[i] + b[i]))"),
    "the first half only": add_by("a[i] + b[i]", guard="i < (out.size + 1) // 2"),
    "NaN everywhere": add_by("float32(math.nan)"),
    "infinity everywhere": add_by("float32(math.inf)"),
    "one place off": add_by("a[max(i - 1, 0)] + b[max(i - 1, 0)]"),
    "the last element missing": add_by("a[i] + b[i]", guard="i < out.size - 1"),
    "the last block missing": add_by("a[i] + b[i]", guard="i < out.size // 256 * 256"),
    "the first block in every block": add_by("a[i] + b[i]", index="cuda.threadIdx.x"),
    "twice the value": add_by("float32(2) * (a[i] + b[i])"),
    "the wrong sign": add_by("-(a[i] + b[i])"),
    "added to what was there": add_by("out[i] + a[i] + b[i]"),
    "nothing at all": add_by("out[i]", guard="i < 0"),
    "the last bit of one element": add_by("a[i] + b[i] + float32(0.001 if i == 256 else 0)"),
    "an input changed on the way": program(
        "@cuda.jit\ndef add(a, b, out):\n    i = cuda.grid(1)\n    if i < out.size:\n"
        "        out[i] = a[i] + b[i]\n        cuda.syncwarp()\n        a[i] = float32(0)\n",
        "add",
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_wrong(name):
    outcome = check(PLAIN_ADD, MUTANTS[name], device="simt", isolate=False)
    assert Wrong is type(outcome), outcome
    assert outcome.points <= 0.5 * PLAIN_ADD.points


def test_the_program_the_mutants_are_made_from_passes():
    assert Passed is type(check(PLAIN_ADD, add_by("a[i] + b[i]"), device="simt", isolate=False))


SUM_MUTANTS = {
    "no barrier in the loop": ("        cuda.syncthreads()\n        d //= 2", "        d //= 2"),
    "no barrier after the fill": ("float32(0)\n    cuda.syncthreads()", "float32(0)"),
    "float16 terms": ("src[i] if", "float32(np.float16(src[i])) if"),
    "99 % and rescaled": (
        "s[t] = src[i] if i < src.size",
        "s[t] = src[i] * float32(1.001) if i < src.size and t % 100",
    ),
    "the last pair missing": ("while d > 0", "while d > 1"),
    "the tail left uninitialised": ("s[t] = src[i] if i < src.size else float32(0)", "if i < src.size: s[t] = src[i]"),
}


@pytest.mark.parametrize("name", SUM_MUTANTS)
def test_a_mutant_of_a_sum_is_wrong(name):
    outcome = check(BLOCK_SUM, block_sum_with(*SUM_MUTANTS[name]), device="simt", isolate=False)
    assert Wrong is type(outcome), outcome


def test_the_sum_the_mutants_are_made_from_passes():
    outcome = check(BLOCK_SUM, block_sum_with("t == 0", "t == 0"), device="simt", isolate=False)
    assert Passed is type(outcome), outcome
