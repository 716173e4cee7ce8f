"""Fresh values for a card: drawn from what its file allows, then worked out further."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from string import Template
from typing import Any

from autograder.drills.deck.model import Card, CardError
from autograder.drills.values.expressions import ExpressionError, evaluate

RANGE = re.compile(r"^(-?\d+)\.\.(-?\d+)(?: by (\d+))?$")
TRIES = 1000
SPELT_WITH_A_VOWEL = "AEFHILMNORSX"


def draw(card: Card, rng: random.Random) -> dict[str, Any]:
    """Values for `draw` (a list of choices, or "1..64 by 4"), then `let` in order; drawn again until `where` holds.

    Raises: CardError where an expression fails, or no draw satisfies `where`.
    """
    for _ in range(TRIES):
        values = {name: _one(card, name, choices, rng) for name, choices in card.data.get("draw", {}).items()}
        for name, text in card.data.get("let", {}).items():
            values[name] = worked_out(card, f"let.{name}", text, values)
        if worked_out(card, "where", card.data.get("where", "True"), values):
            return values
    raise CardError(card.file, card.id, "where", f"no draw of {TRIES} satisfied it.")


def _one(card: Card, name: str, choices, rng: random.Random):
    if isinstance(choices, list):
        return rng.choice(choices)
    found = RANGE.match(str(choices))
    if not found:
        raise CardError(card.file, card.id, f"draw.{name}", f"{choices!r} is neither a list nor a range like 1..64.")
    low, high, step = int(found[1]), int(found[2]), int(found[3] or 1)
    return rng.randrange(low, high + 1, step)


def worked_out(card: Card, where: str, text, values: Mapping[str, Any]):
    """An expression of a card. Raises: CardError, naming the field."""
    try:
        return evaluate(text, values)
    except ExpressionError as error:
        raise CardError(card.file, card.id, where, str(error)) from error


def filled(card: Card, where: str, text: str, values: Mapping[str, Any]) -> str:
    """The text with $name and ${name} replaced by values, as a reader wants them: 1,048,576 and 0.5.

    $a_name and $A_name are what is called so with its article: an A100, a T4.
    """
    said = {name: shown(value) for name, value in values.items()}
    if isinstance(values.get("name"), str):
        article, _, rest = with_article(said["name"]).partition(" ")
        said |= {"a_name": f"{article} {rest}", "A_name": f"{article.capitalize()} {rest}"}
    try:
        return Template(text).substitute(said)
    except (KeyError, ValueError) as error:
        raise CardError(card.file, card.id, where, f"{text!r} cannot be filled in: {error!r}.") from error


def with_article(name: str) -> str:
    """A name that is spelt out: an A100, an H200, an RTX 4090, a T4."""
    return f"{'an' if name[0] in SPELT_WITH_A_VOWEL else 'a'} {name}"


def filled_code(card: Card, where: str, text: str, values: Mapping[str, Any]) -> str:
    """Source with values put in as Python writes them."""
    try:
        return Template(text).substitute(values)
    except (KeyError, ValueError) as error:
        raise CardError(card.file, card.id, where, f"the source cannot be filled in: {error!r}.") from error


def shown(value) -> str:
    """A value in a sentence."""
    if isinstance(value, bool) or not isinstance(value, int | float | tuple):
        return str(value)
    if isinstance(value, tuple):
        return ", ".join(shown(each) for each in value)
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
