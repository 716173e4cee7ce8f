"""What is no Python is told by the line where it begins, with what to write."""

import pytest

from autograder.answer.program import Program, ProgramError

TOLD = {  # what stands in the kernel: the line told, and the words
    "if (i < n) {\n        out[i] = a[i];\n    }": (4, "Python has no braces"),
    "if (i >= n) return;": (4, "a colon is missing"),
    "if i < n and j < m && k:": (4, "Write and."),
    "if i < n || j < m:": (4, "Write or."),
    "if (!done):": (4, "Write not."),
    "i++": (4, "Write i += 1"),
    "int i = 0": (4, "Leave the type out"),
    "for (int i = 0; i < n; i++)": (4, "Write for i in range(start, stop, step):"),
    "if i < n:\n        pass\n    else if i > n:\n        pass": (6, "Write elif."),
    "x = a > 0 ? 1 : 2": (4, "Write a if condition else b."),
    "k<<<4, 256>>>(a)": (4, "Launch with brackets"),
    "__shared__ tile[32]": (4, "cuda.shared.array(shape, dtype)"),
    "if i = n:\n        pass": (4, "Write ==."),
    "a(i) = 3": (4, "Elements are taken with square ones: a[i]."),
    "if i < n\n        pass": (4, "End the line with a colon."),
    "if i < n:\n    pass": (5, "Indent this line"),
    "// the guard\n    if i < n:\n        pass": (4, "A comment begins with #."),
    "x = (1, 2": (4, "Close it"),
    "def = 3": (4, "invalid syntax"),
    "s = {\n        'a': 1,\n    }\n    i++": (7, "Write i += 1"),
}


@pytest.mark.parametrize("body", TOLD)
def test_what_is_no_python_is_told_where_it_begins(body):
    line, says = TOLD[body]
    source = f"from numba import cuda\n@cuda.jit\ndef k(a, n):\n    {body}\n"

    with pytest.raises(ProgramError) as told:
        Program(source, "k").load()

    assert f"Line {line} is not Python: " in str(told.value) and says in str(told.value)


def test_a_line_of_python_is_not_taken_for_c():
    source = "# a && b\nx = {\n    'a': '&& ||',  # i++\n}\ny = 'a ? b : c'\nz = (1,\n"

    with pytest.raises(ProgramError, match="Line 6 is not Python: '[(]' was never closed"):
        Program(source, "k").load()
