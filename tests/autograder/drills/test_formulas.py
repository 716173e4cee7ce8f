"""Formulas of cards that no kernel can measure, held to something that was worked out in another way."""

from __future__ import annotations

import random

import numpy as np
import pytest

from autograder.drills import kinds
from autograder.drills.deck.load import all_cards, find_card
from tests.autograder.drills.second_ways import HELD

DRAWS = 5
THIS_FILE = "tests/autograder/drills/test_formulas.py"


def questions(name: str):
    """A few questions of a card, with their values."""
    return [kinds.pose(find_card(name), "en", random.Random(number)).values for number in range(DRAWS)]


def tolerance_of(name: str) -> float:
    """What the card allows a learner, or what a simulation in steps may be off."""
    return max(2e-3, find_card(name).data.get("tolerance", 0))


@pytest.mark.parametrize("name", sorted(HELD))
def test_a_formula_agrees_with_a_second_way_to_the_same_number(name):
    for values in questions(name):
        assert HELD[name](values) == pytest.approx(values["truth"], rel=tolerance_of(name)), values


def test_every_card_that_says_it_is_held_here_is_and_no_other():
    said = {card.id for card in all_cards().values() if card.data.get("held_by") == THIS_FILE}

    assert said == set(HELD)


def test_numpy_rounds_halves_to_the_even_one_as_the_cards_say():
    assert [0, 2, 2, 4, -2] == [int(each) for each in np.rint([0.5, 1.5, 2.5, 3.5, -2.5])]
