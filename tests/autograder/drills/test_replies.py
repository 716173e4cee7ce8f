"""Replies as people write them, kept beside the cards: every right one is accepted, and no wrong one is.

A commit tries a part of them, `make check-cards` all.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import yaml

from autograder.drills import kinds, replies, translated
from autograder.drills.deck.load import all_cards, find_card
from autograder.drills.deck.model import AnswerError
from autograder.drills.kinds import bug
from tests.part import a_part

FOLDER = Path(replies.__file__).parent
WRITTEN = yaml.safe_load((FOLDER / "translate.yaml").read_text(encoding="utf-8"))
LEAST_RIGHT, LEAST_WRONG = 3, 2
LEAST_TOLD = 0.9
EVERY_WRONG = [(name, typed) for name, entry in WRITTEN.items() for typed in entry["wrong"]]
NUMBERS = [card for card in all_cards().values() if card.kind in ("count", "envelope")]
BUGS = [card for card in all_cards().values() if card.kind == "bug" and card.file]
IN_ANOTHER_UNIT = {
    "us": ("{:.12g} ms", 1e-3), "ms": ("{:.12g} us", 1e3), "s": ("{:.12g} ms", 1e3), "bytes": ("{:.12g} KiB", 2**-10),
    "KiB": ("{:.12g} bytes", 2**10), "MiB": ("{:.12g} KiB", 2**10), "GiB": ("{:.12g} MiB", 2**10),
    "GB/s": ("{:.12g} TB/s", 1e-3), "Mbit/s": ("{:.12g} Gbit/s", 1e-3), "percent": ("{:.12g}%", 1),
    "times": ("{:.12g}x", 1),
}  # fmt: skip


def marked(name: str, typed: str):
    return kinds.mark(kinds.pose(find_card(name), "en", random.Random(0)), typed)


def cases(outcome: str) -> list:
    """Card and reply, one of each card in a commit."""
    return [
        pytest.param(name, typed, id=f"{name}-{number}", marks=[pytest.mark.release] if number else [])
        for name, entry in WRITTEN.items()
        for number, typed in enumerate(entry[outcome])
    ]


@pytest.mark.parametrize(("name", "typed"), cases("right"))
def test_a_right_reply_is_right_however_it_is_written(name, typed):
    assert marked(name, typed).right


@pytest.mark.parametrize(("name", "typed"), cases("wrong"))
def test_a_wrong_reply_is_not_accepted(name, typed):
    assert not marked(name, typed).right


def test_every_card_of_code_has_replies_and_none_that_its_accepted_forms_say_word_for_word():
    asked = {card.id for card in all_cards().values() if card.kind == "translate"}
    few = {name for name, e in WRITTEN.items() if len(e["right"]) < LEAST_RIGHT or len(e["wrong"]) < LEAST_WRONG}
    repeated = [
        name
        for name, e in WRITTEN.items()
        for form in find_card(name).data["accept"]
        if form.strip() in map(str.strip, e["right"])
    ]

    assert asked == set(WRITTEN)
    assert set() == few
    assert [] == repeated


@pytest.mark.parametrize("card", a_part(NUMBERS, 3, lambda card: card.id))
def test_a_number_is_right_in_three_ways_and_wrong_in_two(card):
    question = kinds.pose(card, "en", random.Random(1))
    truth, unit = question.values["truth"], card.data.get("unit", "")
    written, factor = IN_ANOTHER_UNIT.get(unit, (f"about {{:.12g}} {unit}", 1))

    for typed in (
        f"{truth!r} {unit}",
        f"2 * {truth / 2!r}",
        f"{truth / 1000!r} x 10^3",
        written.format(truth * factor),
    ):
        assert kinds.mark(question, typed).right, typed
    for typed in (f"{truth * 1.5 + 1}", f"{truth * 3 + 2} {unit}"):
        assert not kinds.mark(question, typed).right, typed
    with pytest.raises(AnswerError):
        kinds.mark(question, f"{truth} {'ms' if 'B' in unit or 'byte' in unit else 'GiB'}")


@pytest.mark.parametrize("card", a_part(BUGS, 3, lambda card: card.id))
def test_a_bug_is_named_in_three_ways_and_missed_in_two(card):
    question = kinds.pose(card, "en", random.Random(1))
    verdict = bug.verdict_of(question)
    letter = kinds.solve(question)[-1]
    line = verdict.lines[0] if verdict.lines else ""
    other = "a" if letter != "a" else "b"

    for typed in (f"line {line} {letter}", f"{letter} {line}", f"{line}, {letter}", f"Line {line}: {letter.upper()}"):
        assert kinds.mark(question, typed).right, typed
    for typed in (f"{question.first_line + 999} {other}", f"{line} {other}"):
        assert not kinds.mark(question, typed).right, typed


def test_a_form_that_is_not_known_is_shown_beside_the_accepted_one_and_never_silently_wrong():
    unknown = "__shared__ float tile[ROWS][33];"

    assert marked("a7.declare", unknown).unsure
    assert not marked("a7.declare", "__shared__ double tile[32][33];").unsure
    assert marked("a7.declare", unknown).settled(True).right
    assert not marked("a7.declare", unknown).settled(False).right
    assert marked("a7.declare", unknown).settled(True).by_learner


@pytest.mark.parametrize("name", WRITTEN)
def test_a_word_and_the_code_said_back_are_no_translation_to_be_compared(name):
    """Who types nothing of the answer is not asked whether it is the same."""
    for typed in ("x", "idk", "yes", "hmm;", find_card(name).data["code"]):
        try:
            mark = marked(name, typed)
        except AnswerError:
            continue
        assert not mark.right and not mark.unsure, typed


def test_what_a_wrong_reply_does_otherwise_is_told_and_hardly_ever_asked_about():
    marks = [marked(name, typed) for name, typed in EVERY_WRONG[::5]]
    untold = [mark for mark in marks if not mark.verdict]

    assert len(untold) <= (1 - LEAST_TOLD) * len(marks)
    assert [] == [mark.verdict for mark in marks if mark.verdict and mark.unsure]


@pytest.mark.parametrize("name", WRITTEN)
def test_nothing_is_told_of_a_right_reply(name):
    """What runs it or looks at its calls finds no difference, whatever compares its form says."""
    card = find_card(name)

    assert [] == [typed for typed in (*WRITTEN[name]["right"], *card.data["accept"]) if translated.told(card, typed)]
