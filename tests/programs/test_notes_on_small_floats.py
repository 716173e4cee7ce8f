"""Sums that stand still in a float32 or float16, and what a float16 cannot hold in the middle."""

import textwrap

import pytest

from tests.programs.test_notes import told

COUNT = """
    @cuda.jit
    def count(x, out):
        {start}
        for k in range(x.size):
            {step}
        {end}
    out = np.{held}
    count[1, {threads}](np.{given}, out)
    """
FULL, ONES = "full(1, 2**24, np.float32)", "ones(8, np.float32)"
STILL = {
    "a float32 variable": ("s = out[0]", "s += x[k]", "out[0] = s", FULL, ONES),
    "written out": ("s = out[0]", "s = s + x[k]", "out[0] = s", FULL, ONES),
    "taken away": ("s = -out[0]", "s -= x[k]", "out[0] = s", FULL, ONES),
    "an element": ("", "out[0] += 1", "", FULL, ONES),
    "an element written out": ("", "out[0] = out[0] + 1", "", FULL, ONES),
    "a half": ("s = out[0]", "s += x[k]", "out[0] = s", "full(1, 256, np.float16)", "full(99, 0.1, np.float16)"),
    "an atomic": ("", "", "cuda.atomic.add(out, 0, 1)", FULL, ONES),
    "an atomic on its way": ("", "", "cuda.atomic.add(out, 0, 1)", "full(1, 2**24 - 4, np.float32)", ONES),
}
MOVES = {
    "an integer": ("s = out[0]", "s += 1", "out[0] = s", "full(1, 2**24)", ONES),
    "a float64": ("s = 2.0**24", "s += x[k]", "out[0] = s", FULL, ONES),
    "few": ("s = out[0]", "s += x[k]", "out[0] = s", "zeros(1, np.float32)", ONES),
    "zeros": ("", "out[0] += 0", "", FULL, ONES),
    "by two": ("", "out[0] += 2", "", FULL, ONES),
    "small parts of float32": ("s = out[0]", "s += x[k] * float32(1e-9)", "out[0] = s", "ones(1, np.float32)", ONES),
    "steps of a root that was found": (
        "s = float32(1.5)",
        "s -= (s * s - 2) / (2 * s)",
        "out[0] = s",
        "zeros(1, np.float32)",
        ONES,
    ),
    "compensated": (
        "s, c = out[0], float32(0)",
        "y = x[k] - c; t = s + y; c = (t - s) - y; s = t",
        "out[0] = s",
        FULL,
        ONES,
    ),
    "atomics below": ("", "", "cuda.atomic.add(out, 0, 1)", "full(1, 2**24 - 9, np.float32)", ONES),
    "atomics that move": ("", "", "cuda.atomic.add(out, 0, 2)", FULL, ONES),
    "a half of few": ("s = out[0]", "s += x[k]", "out[0] = s", "ones(1, np.float16)", "full(9, 0.1, np.float16)"),
}


@pytest.mark.parametrize("name", STILL)
def test_a_sum_that_stands_still_is_told_with_its_line(name):
    start, step, end, held, given = STILL[name]
    threads = 8 if "atomic" in name else 1
    program = COUNT.format(start=start or "pass", step=step or "pass", end=end, held=held, given=given, threads=threads)
    (report,) = told(program, "stands_still")
    assert report.note and "stays" in report.finding.message


@pytest.mark.parametrize("name", MOVES)
def test_a_sum_that_moves_is_not(name):
    start, step, end, held, given = MOVES[name]
    program = COUNT.format(
        start=start or "pass",
        step=step or "pass",
        end=end,
        held=held,
        given=given,
        threads=8 if "atomics" in name else 1,
    )
    assert [] == told(program, "stands_still")


HALVES = """
    @cuda.jit
    def square(x, out):
        i = cuda.grid(1)
        {body}
    square[1, 4](np.full(4, {value}, np.float16), np.zeros(4, np.float32))
    """


@pytest.mark.parametrize("body", ["out[i] = (x[i] * x[i]) / x[i]", "s = x[i]\n        s *= x[i]\n        out[i] = s"])
def test_a_float16_that_is_past_the_largest_in_the_middle_is_told(body):
    (report,) = told(HALVES.format(body=body, value=1000), "narrowed")
    assert "65,504" in report.finding.message
    assert [] == told(HALVES.format(body=body, value=100), "narrowed")


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("y = np.float32(x[i]) * np.float32(x[i])\n        out[i] = y", "1000"),
        ("out[i] = x[i] + x[i]", "np.inf"),
        ("y = x[i] * x[i]\n        out[i] = 0 if math.isinf(y) else y", "1000"),
    ],
)
def test_a_float16_that_is_looked_at_or_was_infinite_before_is_not(body, value):
    assert [] == told("import math\n" + textwrap.dedent(HALVES.format(body=body, value=value)), "narrowed")
