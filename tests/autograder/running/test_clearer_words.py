"""What a newcomer reads where a kernel does not compile: the line, the real cause, and what was written."""

import pytest

from autograder import exercises
from autograder.answer.program import Program
from autograder.judge import check
from tests.autograder.answers import program
from tests.autograder.sample import ADD, HOST_ADD

LINES = {
    "print(a)": "`print` in a kernel cannot show a whole array.",
    "print(i, end=' ')": "`print` takes no end in a kernel.",
    "if i < out.shape: out[i] = 0": "`<` needs a number on each side, and it stands between int64 and tuple here.",
    "x = a[i, 0]": "`a[i, 0]` uses 2 indices",
    "x = a @ b": "`a @ b` multiplies whole matrices",
    "out[:] = [x + y for x, y in zip(a, b)]": "The kernel builds a comprehension",
    "out[i] = sum([a[i], b[i]])": "The kernel builds a list, `[a[i], b[i]]`",
    "del i": "`del i` does not run on a GPU.",
    "for k in range(a): out[k] = 0": "what it is given here is an array",
    "j = cuda.threadIdx.x()": "`cuda.threadIdx.x` is a number and no function.",
    "d = cuda.to_device(a)": "`cuda.to_device` belongs to the host",
}


@pytest.mark.parametrize("line", LINES)
def test_what_does_not_compile_is_told_by_what_was_written(line):
    answer = program(f"@cuda.jit\ndef add(a, b, out):\n    i = cuda.grid(1)\n    {line}\n", "add")
    cause = check(ADD, answer, device="simt", isolate=False).causes[0]

    assert [line] == [answer.source.splitlines()[number - 1].strip() for number in cause.lines]
    assert LINES[line] in cause.says
    assert cause.remedy and "Simplify this line" not in cause.remedy


def test_a_function_of_the_host_that_was_made_a_kernel_is_told_to_take_the_decorator_off():
    answer = program("@cuda.jit\ndef host_add(a, b):\n    return a + b\n", "host_add")
    cause = check(HOST_ADD, answer, device="simt", isolate=False).causes[0]

    assert "host_add is to be a function of the host" in cause.says and "Take @cuda.jit off" in cause.remedy


def test_a_list_of_lists_of_different_lengths_is_no_error_of_the_answer_but_no_array_either():
    cleaning = exercises.find("engine_graph.clean_graph")
    source = "def clean_graph(layers, output):\n    return [[0, 1], [2]], [0]\n"

    outcome = check(cleaning, Program(source, "clean_graph"), device="simt", isolate=False)

    assert ("Wrong", "wrong_return") == (type(outcome).__name__, outcome.misconception)
    assert "lists of different lengths for stands_for" in " ".join(str(outcome).split())
