"""Cards that ask for the one statement that is right: read as people answer, and not to be guessed by looks."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from autograder.drills import kinds
from autograder.drills.deck.load import all_cards
from autograder.drills.deck.model import LANGUAGES, AnswerError

PICKS = [card for card in all_cards().values() if card.kind == "pick"]
LEAST, MOST = 0.1, 0.4  # of the cards, whose right option has one place among the lengths of its four


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


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_right_option_is_not_told_by_its_length(language):
    """Whoever always takes the longest option, or the second, or the shortest, does little better than by chance."""
    places = Counter()
    for card in PICKS:
        options = sorted(card.data["options"], key=lambda each: -len(each[language]))
        places[next(place for place, option in enumerate(options) if option.get("right"))] += 1

    assert range(4) == range(len(places))
    assert [] == [place for place, count in places.items() if not LEAST < count / len(PICKS) < MOST]
