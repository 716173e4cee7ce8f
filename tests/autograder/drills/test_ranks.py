"""Cards that ask for an order draw what is ranked, so that the order is worked out and not remembered."""

from __future__ import annotations

import random
import re

import pytest

from autograder.drills import kinds
from autograder.drills.deck.load import all_cards
from autograder.drills.deck.schema import card_of
from autograder.drills.kinds import rank
from autograder.drills.values.draws import draw

RANKS = [card for card in all_cards().values() if card.kind == "rank"]
DRAWS = 24
LEAST_ANSWERS = 4
LEAST_THAT_CHANGE = 20  # may only grow


def answer_in_words(question) -> tuple[str, ...]:
    """What stands under the letters of the right answer, in its order: the answer that one could remember."""
    texts = re.split(r"^# [a-e]\n", question.code, flags=re.MULTILINE)[1:]
    plain = [re.sub(r"kernel_[a-e]\b", "kernel", text) for text in texts]
    return tuple(plain[question.choices.index(letter)] for letter in question.values["order"])


@pytest.mark.parametrize("card", [pytest.param(card, id=card.id) for card in RANKS])
def test_what_is_ranked_is_another_thing_each_time(card):
    """A learner who remembers one answer cannot give it again."""
    seen: set[tuple[str, ...]] = set()
    for seed in range(DRAWS):
        seen.add(answer_in_words(kinds.pose(card, "en", random.Random(seed))))
        if len(seen) == LEAST_ANSWERS:
            return

    assert len(seen) >= LEAST_ANSWERS, f"draw values, or list more items and `choose` fewer of them: {seen}"


def test_many_of_them_have_another_order_with_other_values():
    def order(card, seed: int) -> tuple[int, ...]:
        values = draw(card, random.Random(seed))
        numbers = [rank.number_of(card, item, values) for item in card.data["items"]]
        return tuple(sorted(range(len(numbers)), key=numbers.__getitem__))

    drawn = [card for card in RANKS if "draw" in card.data and "measure" not in card.data]
    changing = [card.id for card in drawn if len({order(card, seed) for seed in range(DRAWS)}) > 1]

    assert len(changing) >= LEAST_THAT_CHANGE, len(changing)


def test_items_that_are_not_shown_are_no_choice_and_steps_show_no_numbers():
    said = [{"value": place, "en": f"step {place}", "zh": f"第 {place} 步"} for place in range(1, 6)]
    text = {"en": {"ask": "Order?", "why": "So."}, "zh": {"ask": "次序？", "why": "如此。"}}
    card = card_of({"id": "b7.new", "kind": "rank", "source": "a guide", "items": said, "choose": 3, **text}, "B7", "x")
    question = kinds.pose(card, "en", random.Random(3))

    assert 3 == len(question.choices) == question.code.count("step")
    assert not re.search(r"\d", kinds.mark(question, question.values["order"]).truth)
