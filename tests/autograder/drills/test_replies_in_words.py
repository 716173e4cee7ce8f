"""Numbers, letters and "I don't know" as people write them, kept beside the cards; a commit tries a part of them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import yaml

from autograder.drills import kinds, replies
from autograder.drills.deck.load import all_cards, find_card
from autograder.drills.deck.model import AnswerError
from autograder.drills.faces.words import yes_or_no
from autograder.drills.kinds import bug
from autograder.drills.quantities import read_quantity
from tests.part import a_part

FOLDER = Path(replies.__file__).parent
NUMBERS, COUNTED, LETTERS = (
    yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8")) for name in ("numbers", "counted", "letters")
)
LEAST = {"right": 1_400, "wrong": 300}


def cards(*wanted: str, every: int = 4) -> list:
    return a_part([c for c in all_cards().values() if c.kind in wanted and c.file], every, lambda card: card.id)


def right(question, typed: str) -> bool:
    try:
        return kinds.mark(question, typed).right
    except AnswerError:
        return False


@pytest.mark.parametrize("entry", NUMBERS, ids=lambda entry: f"{entry['means']:.6g} {entry['unit']}")
def test_a_number_means_the_same_in_any_words(entry):
    def means(typed: str) -> float | None:
        try:
            return read_quantity(typed, entry["unit"], entry["asked"])
        except AnswerError:
            return None

    assert [] == [typed for typed in entry["right"] if means(typed) != pytest.approx(entry["means"], rel=1e-9)]
    assert [] == [typed for typed in entry["wrong"] if means(typed) == pytest.approx(entry["means"], rel=1e-9)]


@pytest.mark.parametrize("name", COUNTED)
def test_words_of_the_question_may_come_back_in_the_reply(name):
    card, language, entry = *f"{name} en".split()[:2], COUNTED[name]
    question = kinds.pose(find_card(card), language, random.Random(entry.get("seed", 1)))

    assert entry["truth"] == kinds.solve(question), "the card draws other numbers now: write its replies anew"
    assert [] == [typed for typed in entry["right"] if not right(question, typed)]
    assert [] == [typed for typed in entry["wrong"] if right(question, typed)]


def test_there_are_enough_of_them():
    for outcome, least in LEAST.items():
        assert sum(len(entry[outcome]) for entry in (*NUMBERS, *COUNTED.values())) >= least


@pytest.mark.parametrize("card", cards("pick"))
@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_option_is_named_in_any_words(card, language):
    question = kinds.pose(card, language, random.Random(1))
    letter, said = question.values["right"], question.values["options"]
    place = "abcde".index(letter)
    other = "b" if letter != "b" else "c"
    values = {"r": letter, "R": letter.upper(), "words": said[place], "n": place + 1, "other": other}

    assert [] == [t for t in LETTERS["pick"]["right"] if not right(question, t.format(**values))]
    assert [] == [t for t in LETTERS["pick"]["wrong"] if right(question, t.format(**values))]


@pytest.mark.parametrize("card", cards("rank"))
def test_an_order_is_written_in_any_way_and_its_signs_are_read(card):
    order = kinds.solve(kinds.pose(card, "en", random.Random(1)))
    back = order[::-1]
    values = {
        "order": order, "ORDER": order.upper(), "spaced": " ".join(order), "commas": ", ".join(order),
        "rising": " < ".join(order), "falling": " > ".join(back), "reversed": back, "short": order[:-1],
        "wrong_way": " > ".join(order), "rising_wrong": " < ".join(back),
    }  # fmt: skip
    question = kinds.pose(card, "en", random.Random(1))

    assert [] == [t for t in LETTERS["rank"]["right"] if not right(question, t.format(**values))]
    assert [] == [t for t in LETTERS["rank"]["wrong"] if right(question, t.format(**values))]


@pytest.mark.parametrize("card", cards("bug"))
def test_a_line_and_a_class_are_named_in_any_words(card):
    question = kinds.pose(card, "en", random.Random(1))
    verdict, letter = bug.verdict_of(question), kinds.solve(question)[-1]
    if not verdict.lines:
        return
    name = question.choices["abcdefghijklmnop".index(letter)]
    other = "a" if letter != "a" else "b"
    values = {"line": verdict.lines[0], "r": letter, "R": letter.upper(), "name": name, "other": other}

    assert [] == [t for t in LETTERS["bug"]["right"] if not right(question, t.format(**values))]
    assert [] == [t for t in LETTERS["bug"]["wrong"] if right(question, t.format(**values))]


def test_one_line_or_two_and_a_class_are_read_out_of_any_words_and_a_range_of_guesses_is_refused():
    def read(typed: str):
        try:
            return bug.read_place(typed)
        except AnswerError:
            return None

    wanted = {typed: (set(each["lines"]), "out_of_bounds") for each in LETTERS["places"] for typed in each["read"]}

    assert wanted == {typed: read(typed) for typed in wanted}
    assert [] == [typed for typed in LETTERS["no_place"] if read(typed)]


@pytest.mark.parametrize("card", cards("count", "envelope", "touch", "rank", "pick", "translate", "write", every=12))
def test_who_does_not_know_is_told(card):
    question = kinds.pose(card, "en", random.Random(1))

    for typed in LETTERS["unanswered"]:
        mark = kinds.mark(question, typed)
        assert mark.score == 0 and mark.truth and not mark.unsure


@pytest.mark.parametrize("card", cards("count", "envelope", "touch"))
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_question_sent_back_is_no_answer(card, language):
    question = kinds.pose(card, language, random.Random(1))
    essay = f"{question.ask} " + "It depends on the launch and on the GPU. " * 5

    for typed in (question.ask, essay):
        with pytest.raises(AnswerError):
            kinds.mark(question, typed)


def test_yes_and_no_may_be_followed_by_a_reason():
    said = {"y": True, "Yes, because it is atomic": True, "是的": True, "yep.": True, "no, never": False, "N": False}
    said |= {"不会": False, "not always": False, "": None, "maybe": None, "no-one": False, "yesterday": None}

    assert said == {typed: yes_or_no(typed) for typed in said}
