"""A cell without its commands, and with every line that is Python."""

import ast

import pytest

from autograder.answer.magics import python_of

BROKEN_BEFORE_OPERATORS = """\
@cuda.jit
def f(a, out):
    '''
    %timeit in a docstring
    !and so on
    '''
    i = cuda.grid(1)
    if (
        i
        != -1
    ) and i < out.size:
        out[i] = (
            a[i]
            % 7
        ) * 2 \\
            % 5
"""


@pytest.mark.parametrize("before", ["", "%%time\n", "%matplotlib inline\n!nvidia-smi | grep 'it's\n", "# 'a (\n!ls\n"])
def test_a_line_that_begins_with_an_operator_stays_whatever_stands_before_it(before):
    cell = python_of(before + BROKEN_BEFORE_OPERATORS)

    assert cell.source.endswith(BROKEN_BEFORE_OPERATORS)
    assert [line.lstrip() for line in before.splitlines() if line[0] != "#"] == [text for _, text in cell.commands]


@pytest.mark.parametrize(
    "command",
    ["%time", "    !ls (", "files = !ls 'x", "t, u = %timeit -o f()", "f?", "np.array??", "?f", '!echo \\\n   "more'],
)
def test_a_command_is_taken_out_and_every_other_line_keeps_its_number(command):
    text = f"x = '''\n'''\nif x:\n    y = 1\n{command}\nz = 2\n"

    cell = python_of(text)

    assert text.count("\n") == ast.parse(cell.source).body[-1].lineno
    assert [5 + place for place in range(command.count("\n") + 1)] == [line for line, _ in cell.commands]


def test_a_block_of_nothing_but_a_command_is_still_a_block():
    assert "def f():\n    pass\n" == python_of("def f():\n    %time g()\n").source


def test_a_cell_that_is_indented_as_a_whole_is_moved_left_as_a_notebook_does():
    assert "x = 1\nif x:\n    y = 2\n" == python_of("  x = 1\n  if x:\n      y = 2\n").source


@pytest.mark.parametrize("text", ["def f(:\n    x\n", "x = (\n% 3\n", "a ? b : c\n", "if (a && !b) {\n"])
def test_what_is_no_python_for_another_reason_stays_as_it_was_typed(text):
    assert text == python_of(text).source
