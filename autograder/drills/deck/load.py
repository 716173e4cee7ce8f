"""Reads the cards: one YAML file a topic line, in `cards/`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import yaml

from autograder.drills.deck.model import Card, CardError
from autograder.drills.deck.schema import card_of
from autograder.drills.deck.topics import all_topics
from autograder.drills.deck.yaml_file import SafeLoader, content_of

FOLDER = Path(__file__).parents[1] / "cards"


class _Reader(SafeLoader):
    """YAML that refuses a key written twice, which would lose the first."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep=deep) for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.constructor.ConstructorError(None, None, f"{key!r} is there twice", node.start_mark)
        return super().construct_mapping(node, deep)


def read_file(path: Path) -> list[Card]:
    """The cards of one file. Raises: CardError, naming file, card and field."""
    try:
        document = content_of(path, _Reader)
    except yaml.YAMLError as error:
        raise CardError(path.name, "", "", f"this is no YAML: {error}") from error
    if not isinstance(document, dict) or set(document) != {"topic", "cards"}:
        raise CardError(path.name, "", "topic", "a file has two fields, `topic` and `cards`.")
    if document["topic"] not in all_topics():
        raise CardError(path.name, "", "topic", f"{document['topic']!r} is no line of the topic list.")
    return [card_of(entry, document["topic"], path.name) for entry in document["cards"] or []]


@cache
def all_cards() -> Mapping[str, Card]:
    """Every card by its id, in the order of the course: those of the files, and one for each of its exercises."""
    from autograder.drills.deck.catalogue import cards_of_the_course

    found: dict[str, Card] = {}
    order = list(all_topics())
    files = [read_file(path) for path in sorted(FOLDER.glob("*.yaml"))] + [cards_of_the_course()]
    for card in sorted((card for cards in files for card in cards), key=lambda card: order.index(card.topic)):
        if card.id in found:
            raise CardError(card.file, card.id, "id", f"{found[card.id].file} has a card of this id, too.")
        found[card.id] = card
    return found


class UnknownCardError(KeyError):
    """A card that is not, or no longer, among the files."""


def find_card(name: str) -> Card:
    """The card of this id. Raises: UnknownCardError."""
    if name not in all_cards():
        raise UnknownCardError(f"there is no card {name!r}.")
    return all_cards()[name]
