"""No text keeps the judge busy out of proportion: with four times as much of it, the work is about four times as much.

Counted in calls, so that no machine and no neighbour changes the result.
"""

import time

import pytest

from autograder import exercises
from autograder.answer.program import Program
from autograder.classroom.alike import likeness
from autograder.classroom.pages import highlight
from autograder.contract import Case
from autograder.running.conclusion import conclude
from autograder.running.session import Session
from autograder.running.trial_result import Trial
from simt.events import Finding
from tests.redteam.long_kernels import LONG
from tests.redteam.work import growth

MOST = 6.0  # times the work for four times the text
N = 40
KINDS = {
    "out_of_bounds": {"index": (40,), "shape": (31,), "space": "global"},
    "race": {"scope": "grid", "hazard": "RAW", "space": "global", "accesses": ((0, 0, "store"), (0, 0, "load"))},
    "uninitialised_read": {"space": "global"},
}


def blamed(source: str, kind: str):
    """A trial of `vector_add` in which every line of its kernel has a finding of this kind, ready to be concluded."""
    program = Program(source, "vector_add")
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
        took = []
        for _ in range(5):
            before = time.process_time()
            highlight.lines(TEXTS[text] * n)
            took.append(time.process_time() - before)
        return min(took)

    n = highlight.MOST_CHARACTERS // len(TEXTS[text])

    assert seconds(n) < 2 * MOST * max(seconds(n // 4), 1e-3)  # a lexer that begins anew everywhere took a thousandfold


def test_such_a_text_keeps_its_lines():
    assert ["", "x", "", ""] == highlight.lines("\nx\n\n\n")
    assert [" " for _ in range(9)] == highlight.lines(" \n" * 9)


@pytest.mark.parametrize("text", LONG)
def test_the_grams_of_an_answer_cost_work_in_proportion_to_it(text):
    assert growth(lambda n: lambda: likeness.grams(LONG[text](n)), N) < MOST
