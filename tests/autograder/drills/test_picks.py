"""Cards that ask for the one statement that is right: read as people answer, and not to be guessed by looks."""

from __future__ import annotations

import random

import pytest

from autograder.drills import kinds
from autograder.drills.deck.load import all_cards
from autograder.drills.deck.model import LANGUAGES, AnswerError

PICKS = [card for card in all_cards().values() if card.kind == "pick"]
LONGEST_RIGHT = 0.5  # of the cards, at most


@pytest.mark.parametrize("card", [pytest.param(card, id=card.id) for card in PICKS])
def test_a_pick_is_right_by_its_letter_or_words_however_they_are_written(card):
    question = kinds.pose(card, "en", random.Random(card.id))
    right, options = question.values["right"], question.values["options"]
    words_of_it = options["abcde".index(right)]
    wrong = [letter for letter in "abcde"[: len(options)] if letter != right]

    for typed in (right, f"({right.upper()})", f"{right})", f"the answer is {right}", f"{right}, I think", words_of_it):
        assert kinds.mark(question, typed).right, typed
    for typed in (*wrong, f"option {wrong[0]}.", options["abcde".index(wrong[1])]):
        assert not kinds.mark(question, typed).right, typed
    for typed in ("z", "", "a or b", "both", "all of them do"):
        with pytest.raises(AnswerError):
            kinds.mark(question, typed)


def test_the_right_option_is_not_told_by_its_length():
    """Whoever always takes the longest option does little better than by chance, in either language."""
    picks = [card.data["options"] for card in PICKS]
    for language in LANGUAGES:
        longest = [max(options, key=lambda each: len(each[language])) for options in picks]

        assert sum(bool(option.get("right")) for option in longest) < LONGEST_RIGHT * len(picks)
