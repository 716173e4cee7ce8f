"""Whole numbers in order, as people write the place of an element: "3, 17", "row 3, column 17", "dst[3][17]"."""

from __future__ import annotations

import re

from autograder.drills.deck.model import AnswerError
from autograder.drills.quantities.reading import read_quantity
from autograder.drills.quantities.sentences import is_an_essay
from autograder.drills.quantities.words import in_signs

NONE = re.compile(
    r"(?:it )?(?:touches |accesses |reads |writes )?(?:none|no|nothing|-|无|没有|什么也不访问|不访问)\.?", re.I
)
BETWEEN_NUMBERS = re.compile(r"[;、，\s]+|,(?!\d{3}(?!\d))|\band\b|和", re.IGNORECASE)
INSIDE = re.compile(r"\w+\s*\(([^()]*)\)")  # as in src[3], whose brackets are parentheses by now
SHORT = {"r": "row", "c": "column", "col": "column", "cols": "column", "blk": "block", "t": "thread", "tid": "thread"}
IN_ENGLISH = {"行": "row", "列": "column", "线程块": "block", "线程": "thread", "线程束": "warp"}
LABELLED = re.compile(r"(?:^|[\s,;(])([a-z]+)(?:idx|\.x)?\s*[=:]?\s*(\d+)", re.IGNORECASE)
LABEL_BEHIND = re.compile(r"第?\s*(\d+)\s*(?:个|号)?\s*([\u4e00-\u9fff]+?)(?=第|\d|[,，、\s]|$)")


def read_numbers(answer: str, count: int, asked: str = "") -> tuple[int, ...]:
    """`count` whole numbers; () for "none". Those that are named come in the order in which the question names them.

    Raises: AnswerError, with an example.
    """
    text = in_signs(answer).strip()
    if NONE.fullmatch(text):
        return ()
    example = ", ".join(str(number) for number in range(3, 3 + max(count, 1)))
    if is_an_essay(answer, asked):
        raise AnswerError(example)
    if count > 1 and (named := _by_name(text, count, asked)):
        return named
    text = re.sub(r"\)\s*\(", ", ", text)
    inside = INSIDE.findall(text)
    text = ", ".join(inside) if inside else text.strip("(){} ")
    parts = [part for part in BETWEEN_NUMBERS.split(text) if part] if count != 1 else [text]
    if len(parts) != count and re.fullmatch(r"\d+(\s*/\s*\d+)+", text):
        parts = text.split("/")
    try:
        numbers = [read_quantity(part, "", asked) for part in parts]
    except AnswerError:
        raise AnswerError(example) from None
    if not numbers or (count and len(numbers) != count) or any(each != int(each) for each in numbers):
        raise AnswerError(example)
    return tuple(int(each) for each in numbers)


def _by_name(text: str, count: int, asked: str) -> tuple[int, ...]:
    """The numbers by their names, as in "warp 2, lane 1"; () where one has none that the question knows."""
    found = [(SHORT.get(label.lower(), label.lower()), number) for label, number in LABELLED.findall(text)]
    found = found or [(label, number) for number, label in LABEL_BEHIND.findall(text)]
    if len(found) != count or len(re.findall(r"\d+", text)) != count:
        return ()
    if not any(label in asked for label, _ in found):
        found = [(IN_ENGLISH.get(label, label), number) for label, number in found]
    places = {label: place_in(asked, label) for label, _ in found}
    if len(places) != count or min(places.values()) < 0:
        return ()
    return tuple(int(number) for _, number in sorted(found, key=lambda pair: places[pair[0]]))


def place_in(asked: str, label: str) -> int:
    """Where the question names it last, which is where it asks for it; -1 where it does not."""
    pattern = rf"\b{re.escape(label)}\b" if label.isascii() else rf"{re.escape(label)}(?![块束])"
    return max((found.start() for found in re.finditer(pattern, asked, re.IGNORECASE)), default=-1)
