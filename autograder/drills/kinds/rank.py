"""Rank these: kernels in the order of what they move, or things in the order of a number worked out."""

from __future__ import annotations

import random
import re
from typing import Any

from autograder.drills.deck.model import AnswerError, Card, Mark, Question
from autograder.drills.kinds.letters import named_letters
from autograder.drills.values import snippet
from autograder.drills.values.draws import draw, filled, shown, worked_out

SECONDS = 60
TEXT = {"ask": str, "why": str}
DATA = {"items": list}
OPTIONAL = {
    "draw": dict, "let": dict, "where": str, "launch": list, "arguments": dict, "measure": str, "what": str,
    "choose": int,  # how many of the items are shown, others each time
}  # fmt: skip
LETTERS = "abcde"


def pose(card: Card, language: str, rng: random.Random) -> Question:
    """The items, or as many as the card chooses, in a fresh order, under letters; a kernel's number is its trace's."""
    values = draw(card, rng)
    items = list(card.data["items"])
    rng.shuffle(items)
    items = items[: card.data.get("choose", len(items))]
    numbers = [number_of(card, item, values) for item in items]
    letters = LETTERS[: len(items)]
    order = "".join(letter for _, letter in sorted(zip(numbers, letters, strict=True)))
    shown_items = [
        f"# {letter}\n{_item_text(card, item, values, language, letter)}"
        for letter, item in zip(letters, items, strict=True)
    ]
    return Question(
        card,
        language,
        filled(card, "ask", card.says("ask", language), values),
        "order",
        code="\n".join(shown_items),
        choices=tuple(letters),
        values={**values, "order": order, "numbers": tuple(numbers)},
    )


def number_of(card: Card, item: dict[str, Any], values) -> float:
    """What an item is ranked by: the measure of its kernel's trace, or its own expression."""
    if "kernel" not in item:
        return worked_out(card, "items.value", item["value"], values)
    ran = snippet.run(card, snippet.source_of(card, item["kernel"], values, "items.kernel"), values, "items.kernel")
    return worked_out(card, "measure", card.data["measure"], ran.names)


def is_a_sequence(card: Card) -> bool:
    """Whether the items are numbered from 1: places in an order, which say nothing beside a letter."""
    return [item.get("value") for item in card.data["items"]] == list(range(1, len(card.data["items"]) + 1))


def _item_text(card: Card, item: dict[str, Any], values, language: str, letter: str) -> str:
    """What is shown of an item; a kernel by its letter, since its name says what it is an example of."""
    if "kernel" in item:
        source = snippet.source_of(card, item["kernel"], values, "items.kernel")
        return snippet.KERNEL.sub(lambda found: found[0].replace(f"def {found[1]}", f"def kernel_{letter}"), source)
    said = [item[each] for each in (("en", "zh") if language == "both" else (language,))]
    return filled(card, "items", " / ".join(said), values) + "\n"


def mark(question: Question, answer: str) -> Mark:
    """answer: the letters from the least to the most, as in "bca" or "b < c < a"; half for the least alone."""
    order = question.values["order"]
    given = named_letters(answer, "".join(question.choices))
    if re.search("[>≥]", re.sub("[-=]>", "", answer)):  # from the most down
        given = "" if re.search("[<≤]", answer) else given[::-1]
    if sorted(given) != sorted(order):
        raise AnswerError(order[::-1] if order == "".join(sorted(order)) else "".join(sorted(order)))
    score = 1.0 if given == order else 0.5 if given[0] == order[0] else 0.0
    by_letter = dict(zip(question.choices, question.values["numbers"], strict=True))
    truth = " < ".join(
        letter if is_a_sequence(question.card) else f"{letter} ({shown(by_letter[letter])})" for letter in order
    )
    why = filled(question.card, "why", question.card.says("why", question.language), question.values)
    return Mark(score, truth, why)


def solve(question: Question) -> str:
    """The order that was found."""
    return question.values["order"]
