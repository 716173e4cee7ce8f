"""The deck asks what interviews ask, about as often as they do."""

from __future__ import annotations

import pytest

from autograder.drills.deck import asked
from autograder.drills.deck.load import all_cards

FOUND = asked.subjects(all_cards().values())
SMALL = 2.0  # percent of sessions: of what is asked less often, one card more would leave the band


@pytest.mark.parametrize("subject", [pytest.param(each, id=each.name) for each in FOUND])
def test_a_subject_has_its_share_of_cards(subject):
    """At least half of its share; at most twice, unless the course itself is about it."""
    ratio = subject.ratio(FOUND)

    assert ratio >= asked.LEAST, f"{len(subject.cards)} cards: write more of {subject.name}"
    assert ratio <= asked.MOST or subject.ours or subject.sessions < SMALL, f"{len(subject.cards)} cards"


def test_what_interviews_ask_most_is_asked_in_several_kinds():
    kinds = {each.name: {all_cards()[name].kind for name in each.cards} for each in FOUND if each.sessions >= 5}

    assert {} == {name: found for name, found in kinds.items() if len(found) < 3}


def test_a_deck_without_a_subject_is_noticed():
    without = [card for card in all_cards().values() if "flash" not in card.id]
    flash = next(each for each in asked.subjects(without) if each.name == "FlashAttention")

    assert flash.ratio(asked.subjects(without)) < asked.LEAST
