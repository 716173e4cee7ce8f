"""Cards that ask for an order draw their values, so that the order is worked out and not remembered."""

from __future__ import annotations

import random

from autograder.drills.deck.load import all_cards
from autograder.drills.kinds import rank
from autograder.drills.values.draws import draw

RANKS = [card for card in all_cards().values() if card.kind == "rank"]
STEPS = {"e2.rank", "f4.binaries"}  # one thing after the other, in whatever program
MEASURED = {"c1.rank", "e1.rank", "e7.rank", "e20.rank"}  # on one GPU
PUBLISHED = {"c8.rank", "f6.who_issues"}
PROGRAMS = {  # whose kernels are the question
    "a6.reuse", "b5.rank", "b7.rank_walks", "b10.rank", "b14.rank", "c2.rank", "c7.rank", "d3.rank", "d7.rank",
    "e10.rank",
}  # fmt: skip
DRAWS = 20
LEAST_THAT_CHANGE = 17  # may only grow


def test_cards_that_draw_nothing_are_those_that_have_nothing_to_draw():
    """The list may only grow shorter."""
    assert STEPS | MEASURED | PUBLISHED | PROGRAMS >= {card.id for card in RANKS if "draw" not in card.data}


def test_many_of_them_have_another_order_with_other_values():
    def order(card, seed: int) -> tuple[int, ...]:
        values = draw(card, random.Random(seed))
        numbers = [rank.number_of(card, item, values) for item in card.data["items"]]
        return tuple(sorted(range(len(numbers)), key=numbers.__getitem__))

    drawn = [card for card in RANKS if "draw" in card.data and "measure" not in card.data]
    changing = [card.id for card in drawn if len({order(card, seed) for seed in range(DRAWS)}) > 1]

    assert len(changing) >= LEAST_THAT_CHANGE
