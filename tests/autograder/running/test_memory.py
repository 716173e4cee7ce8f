"""A check leaves nothing of the answer behind: a class of any size is judged in the memory of one submission."""

from __future__ import annotations

import gc
import linecache
import sys
import weakref

import pytest

from autograder.answer.program import Program, ProgramError
from autograder.judge import check
from tests.autograder.answers import HEADER, add_by
from tests.autograder.sample import ADD, HOST_ADD

RIGHT_ON_THE_HOST = "def host_add(a, b):\n    return a + b\n"


def left_behind() -> set[str]:
    """Modules and texts of answers that are still known."""
    return {name for name in (*sys.modules, *linecache.cache) if "warpbook_answer" in name}


@pytest.mark.parametrize(
    ("exercise", "program"),
    [
        (ADD, add_by("a[i] + b[i]")),
        (ADD, add_by("a[i] - b[i]")),
        (ADD, add_by("a[i] + b[i]", guard="i <= out.size")),
        (ADD, Program(HEADER + "def add(a, b, out):\n    1 / 0\n", "add")),
        (ADD, Program(HEADER + "1 / 0\ndef add(a, b, out):\n    out[0] = 1\n", "add")),
        (ADD, Program("def add(a, b, out)\n    out[0] = 1\n", "add")),
        (HOST_ADD, Program(RIGHT_ON_THE_HOST, "host_add")),
        (HOST_ADD, Program("import sys\nsys.exit()\n" + RIGHT_ON_THE_HOST, "host_add")),
    ],
)
def test_after_a_verdict_neither_module_nor_text_of_the_answer_is_known(exercise, program):
    before = left_behind()

    check(exercise, program, device="simt", isolate=False)

    assert before == left_behind()


def test_the_function_itself_and_what_it_was_compiled_to_are_freed(monkeypatch):
    seen = []
    load = Program.load

    def watched(self):
        namespace, kernel = load(self)
        seen.append(weakref.ref(kernel.py_func))
        return namespace, kernel

    monkeypatch.setattr(Program, "load", watched)
    for _ in range(3):
        check(ADD, add_by("a[i] + b[i]"), device="simt", isolate=False)
    gc.collect()

    assert [None, None, None] == [reference() for reference in seen]


def test_a_program_stays_for_as_long_as_its_block_runs():
    before = left_behind()
    with Program("def f():\n    return 7\n", "f").loaded() as (_, function):
        assert 7 == function()
        assert before < left_behind()

    assert before == left_behind()


def test_a_program_without_the_function_asked_for_leaves_nothing_either():
    before = left_behind()
    with pytest.raises(ProgramError, match="defines no function named 'g'"), Program("x = 1\n", "g").loaded():
        pass

    assert before == left_behind()
