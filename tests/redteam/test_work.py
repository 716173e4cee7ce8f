"""No text keeps the judge busy out of proportion: with four times as much of it, the work is about four times as much.

Counted in calls, so that no machine and no neighbour changes the result.
"""

import contextlib
import itertools
import time

import pytest

from autograder import exercises
from autograder.answer.program import Program
from autograder.classroom.alike import likeness
from autograder.classroom.pages import highlight
from autograder.classroom.reading import answers
from autograder.classroom.reading import scope as scopes
from autograder.classroom.reading.extract import extract
from autograder.classroom.reading.scope import NotAllowed, Scope
from autograder.contract import Case
from autograder.running.conclusion import conclude
from autograder.running.session import Session
from autograder.running.trial_result import Trial
from simt.events import Finding
from tests.redteam.long_kernels import LONG
from tests.redteam.work import growth, steps_of

MOST = 6.0  # times the work for four times the text
N = 40
SERIAL = itertools.count()  # in each text, so that none was ever read before
KINDS = {
    "out_of_bounds": {"index": (40,), "shape": (31,), "space": "global"},
    "race": {"scope": "grid", "hazard": "RAW", "space": "global", "accesses": ((0, 0, "store"), (0, 0, "load"))},
    "uninitialised_read": {"space": "global"},
}


def blamed(source: str, kind: str):
    """A trial of `vector_add` in which every line of its kernel has a finding of this kind, ready to be concluded."""
    program = Program(f"{source}# {next(SERIAL)}\n", "vector_add")
    lines = range(4, source.count("\n") + 1)
    findings = [Finding(kind, f"at line {line}", (line, line + 1), array="a", detail=KINDS[kind]) for line in lines]

    def function(a, b, out):
        pass

    session = Session(
        exercises.find("vector_add.vector_add"), function, lambda *_, **__: None, Trial("simt"), program, 0
    )
    session.findings, session.case_of = findings, {id(one): Case({"n": 31}) for one in findings}
    return lambda: conclude(session)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", LONG)
def test_a_finding_on_every_line_costs_work_in_proportion_to_the_lines(text, kind):
    assert growth(lambda n: blamed(LONG[text](n), kind), N) < MOST


TEXTS = {
    "blanks": " \n",
    "empty_lines": "\n",
    "quotes": '"""',
    "one_quote": "'",
    "backslashes": "\\",
    "prefixes": "rb",
    "brackets": "(",
    "signs": "@a.",
    "beginnings": "f'",
    "spaces": "   ",
}


@pytest.mark.parametrize("text", TEXTS)
def test_words_of_a_page_are_told_apart_in_time_proportional_to_the_text(text):
    def seconds(n: int) -> float:
        before = time.process_time()
        highlight.lines(TEXTS[text] * n)
        return time.process_time() - before

    n = highlight.MOST_CHARACTERS // len(TEXTS[text])
    whole = quarter = float("inf")
    for measured in range(1, 21):  # the least of each: a neighbour makes some of them longer, and none shorter
        whole, quarter = min(whole, seconds(n)), min(quarter, seconds(n // 4))
        if measured >= 3 and whole < 12 * max(quarter, 1e-3):  # a lexer that begins anew everywhere took a thousandfold
            return
    pytest.fail(f"{whole} s for four times of what took {quarter} s")


def test_such_a_text_keeps_its_lines():
    assert ["", "x", "", ""] == highlight.lines("\nx\n\n\n")
    assert [" " for _ in range(9)] == highlight.lines(" \n" * 9)


@pytest.mark.parametrize("text", LONG)
def test_the_grams_of_an_answer_cost_work_in_proportion_to_it(text):
    assert growth(lambda n: lambda: likeness.grams(f"{LONG[text](n)}# {next(SERIAL)}\n"), N) < MOST


def read(before: str):
    """Take vector_add out of a cell with these lines in front."""
    text = before + "@cuda.jit\ndef vector_add(a, b, out):\n    i = cuda.grid(1)\n    out[i] = a[i] + b[i] + L\n"

    def work():
        scope = Scope.of_trusted(["import numpy as np\nfrom numba import cuda\n"])
        with contextlib.suppress(NotAllowed):
            extract(text, frozenset({"vector_add"}), scope)

    return work


LINES = {
    "lists_of_a_table": "T = np.ones(65536)\n" + "L = np.array([{}])\n".format(", ".join(["T"] * 900)) * 100,
    "tables": "L = np.ones(65536) + np.ones(65536)\n" * 3000,
    "tenfold": "L = (1, 1, 1, 1, 1, 1, 1, 1, 1, 1)\n" + "L = (L, L, L, L, L, L, L, L, L, L)\n" * 40,
    "tables_of_one": "T = np.arange(65536)\nL = T\n" + "L = L + T\n" * 3000,
}


@pytest.mark.parametrize("lines", LINES)
def test_constants_that_are_made_of_each_other_are_read_up_to_a_number_of_elements(lines, monkeypatch):
    monkeypatch.setattr(scopes, "MAX_READ", 400_000)
    few = steps_of(read(LINES[lines]))

    monkeypatch.setattr(scopes, "MAX_READ", 100_000)

    assert steps_of(read(LINES[lines])) <= few < 6_000_000


def test_names_that_are_nowhere_are_looked_for_once_in_a_notebook_and_in_so_much_of_it():
    parsed = []
    cells = [{"cell_type": "code", "source": f"x{n} = 1\n" + "# " + "y" * 50_000} for n in range(20)]
    elsewhere = answers._Elsewhere({"cells": cells})

    for name in ("p", "q", "r"):
        parsed.append(steps_of(lambda name=name: elsewhere.refuse(frozenset({name}), "")))

    assert parsed[1] < parsed[0] and answers.MOST_ELSEWHERE // 50_000 >= len(elsewhere._cells)
