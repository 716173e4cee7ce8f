"""Find the bug: the line of the cause counts whole, as the line of the symptom does, in whatever order it is typed."""

from __future__ import annotations

import random

import pytest

from autograder.drills import kinds
from autograder.drills.deck.classes import CLASSES
from autograder.drills.deck.load import all_cards, find_card
from autograder.drills.deck.model import AnswerError, CardError
from autograder.drills.kinds import bug
from autograder.drills.kinds.blame import cause_lines, changed_lines

CAUSES = [
    ("a10.overshoot", "if i <= out.size", "out_of_bounds"),
    ("a2.invert_limits", " or ", "out_of_bounds"),
    ("a2.saxpy_step", "for i in range", "race"),
    ("b9.ragged", "if i < out.size", "out_of_bounds"),
    ("d4.first_turn", "d = cuda.blockDim.x", "out_of_bounds"),
    ("d8.no_halo", "cuda.shared.array", "out_of_bounds"),
    ("b15.return_early", "return", "barrier_divergence"),
    ("b15.leave", "if other >= best", "barrier_divergence"),
    ("b13.queue_race", "head[0] = queue.size", "race"),
]
OWN = [card for card in all_cards().values() if card.kind == "bug" and card.file]


def asked(name: str):
    return kinds.pose(find_card(name), "en", random.Random(1))


def letter(kind: str) -> str:
    return chr(ord("a") + list(CLASSES).index(kind))


def line_of(question, text: str) -> int:
    return next(question.first_line + at for at, line in enumerate(question.code.splitlines()) if text in line)


@pytest.mark.parametrize(("name", "text", "kind"), CAUSES)
def test_the_line_that_the_cards_own_why_blames_counts_whole(name, text, kind):
    question = asked(name)
    symptom = bug.verdict_of(question).lines[0]

    assert kinds.mark(question, f"{line_of(question, text)} {letter(kind)}").right
    assert kinds.mark(question, f"{symptom} {letter(kind)}").right
    assert 0.5 == kinds.mark(question, f"{question.first_line} {letter(kind)}").score


@pytest.mark.parametrize("card", [pytest.param(card, id=card.id) for card in OWN])
def test_most_lines_of_a_bug_do_not_count(card):
    question = kinds.pose(card, "en", random.Random(1))
    verdict = bug.verdict_of(question)
    numbers = range(question.first_line, question.first_line + len(question.code.splitlines()))
    right = [line for line in numbers if kinds.mark(question, f"{line} {letter(verdict.kind)}").right]

    assert not verdict.lines or len(right) <= len(numbers) / 2, right


TYPED = (
    "37 b", "37b", "b 37", "37, b", "line 37 b", "b, line 37", "Line 37: b.", "L37 b", "(37, b)", "class b at line 37",
    "第37行 b", "第 37 行，类别 b", "36, 37 b", "37 index out of bounds", "out of bounds, line 37", "37 索引越界",
)  # fmt: skip


@pytest.mark.parametrize("typed", TYPED)
def test_line_and_class_are_read_in_any_order(typed):
    lines, cls = bug.read_place(typed)

    assert 37 in lines and "out_of_bounds" == cls


@pytest.mark.parametrize("typed", ["37", "", "37 z", "a b 37", "36 37 38 b", "all of them"])
def test_an_answer_without_a_class_or_with_a_list_of_lines_is_asked_for_again(typed):
    with pytest.raises(AnswerError):
        bug.read_place(typed)


def test_the_cause_of_a_drawn_answer_is_where_it_differs_from_a_right_one():
    right = ["i = cuda.grid(1)\nif i < out.size:\n    out[i] = a[i]\n    cuda.syncthreads()\n"]

    assert {1} == changed_lines(
        ["i = cuda.grid(1)", "if i <= out.size:", "    out[i] = a[i]", "    cuda.syncthreads()"], right
    )
    assert {2} == changed_lines(["i = cuda.grid(1)", "if i < out.size:", "    out[i] = a[i]"], right)
    assert set() == changed_lines(["something", "else", "entirely"], right)


def test_a_cause_that_is_no_line_of_the_source_is_told():
    card = find_card("a10.overshoot")
    with pytest.raises(CardError, match="no line of the source"):
        cause_lines(card, "i = 1\n", 1)
