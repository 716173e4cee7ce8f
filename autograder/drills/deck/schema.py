"""What a card's file must hold. Every complaint names the file, the card and the field, and says what to write."""

from __future__ import annotations

import re
from typing import Any

from autograder.drills.deck.model import LANGUAGES, Card, CardError
from autograder.drills.deck.topics import all_topics
from autograder.drills.deck.units import is_known
from autograder.drills.kinds import KINDS
from autograder.drills.kinds.say import POINTS
from autograder.drills.structure import CODE_LANGUAGES
from autograder.words import count_text

OPTIONS = (3, 5)
COMMON = {"id", "kind", "source", "also", *LANGUAGES}
CHINESE = re.compile(r"[\u4e00-\u9fff]")
NAMED = {
    str: "text",
    list: "a list",
    dict: "a mapping",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
}


def card_of(entry: Any, topic: str, file: str) -> Card:
    """The card of one entry of a file. Raises: CardError."""
    if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
        raise CardError(file, "", "id", "every card is a mapping with an id, as in `id: b7.stride`.")
    name = entry["id"]

    def wrong(where: str, problem: str) -> CardError:
        return CardError(file, name, where, problem)

    if not re.fullmatch(rf"{topic.lower()}\.[a-z0-9_]+", name):
        raise wrong("id", f"write {topic.lower()}.a_few_words: ids begin with their topic and never change.")
    kind = entry.get("kind")
    if kind not in KINDS:
        raise wrong("kind", f"{kind!r} is not one of {', '.join(KINDS)}.")
    if not isinstance(entry.get("source"), str) or len(entry["source"]) < 5:
        raise wrong("source", "name the document and its section, or the recorded measurement.")
    also = tuple(entry.get("also", ()))
    for other in also:
        if other not in all_topics():
            raise wrong("also", f"{other!r} is no line of the topic list.")
    module = KINDS[kind]
    data = {key: value for key, value in entry.items() if key not in COMMON}
    _check_data(data, module, wrong)
    text = {language: _text(entry.get(language), language, module, wrong) for language in LANGUAGES}
    if kind == "say":
        _check_points(text, wrong)
    if kind == "translate":
        _check_translation(data, wrong)
    if not is_known(data.get("unit", "") or "s"):
        raise wrong("unit", f"{data['unit']!r} has no Chinese; add it to units.yaml.")
    if kind == "rank":
        _check_items(data["items"], data.get("choose"), wrong)
    if kind == "pick":
        _check_options(data["options"], wrong)
    if data.get("written_in", CODE_LANGUAGES[0]) not in CODE_LANGUAGES:
        raise wrong("written_in", f"code is written in {' or '.join(CODE_LANGUAGES)}.")
    return Card(name, kind, topic, text, data, entry["source"], also, file)


def _check_data(data: dict, module, wrong) -> None:
    for key in module.DATA:
        if key not in data:
            raise wrong(key, f"it is missing; a card of this kind has {', '.join(module.DATA)}.")
    for key, value in data.items():
        expected = module.DATA.get(key) or module.OPTIONAL.get(key)
        if expected is None:
            known = ", ".join([*COMMON, *module.DATA, *module.OPTIONAL])
            raise wrong(key, f"no such field; there are {known}.")
        allowed = (str, int) if expected is str else (float, int) if expected is float else expected
        if not isinstance(value, allowed):
            raise wrong(key, f"{value!r} should be {NAMED[expected]}.")


def _text(entry: Any, language: str, module, wrong) -> dict[str, Any]:
    if not isinstance(entry, dict):
        raise wrong(language, "it is missing: every card is asked in English and in Chinese.")
    for key, expected in module.TEXT.items():
        value = entry.get(key)
        if not isinstance(value, expected) or not value:
            raise wrong(f"{language}.{key}", f"write {NAMED[expected]}.")
        for said in value if isinstance(value, list) else [value]:
            if not isinstance(said, str):
                raise wrong(f"{language}.{key}", f"{said!r} is no text; put it in quotes.")
            if language == "en" and CHINESE.search(said):
                raise wrong(f"{language}.{key}", "there is Chinese in the English text.")
        if language == "zh" and not CHINESE.search(str(value)):
            raise wrong(f"{language}.{key}", "there is no Chinese in the Chinese text.")
    for key in set(entry) - set(module.TEXT):
        raise wrong(f"{language}.{key}", f"no such field; there are {', '.join(module.TEXT)}.")
    return entry


def _check_points(text: dict[str, dict], wrong) -> None:
    counts = {language: len(text[language]["points"]) for language in LANGUAGES}
    low, high = POINTS
    if len(set(counts.values())) > 1:
        raise wrong("points", f"the languages have different numbers of key points: {counts}.")
    if not low <= counts["en"] <= high:
        raise wrong("en.points", f"{counts['en']} key points; write {low} to {high}.")


def _check_translation(data: dict, wrong) -> None:
    if {data["from"], data["to"]} != set(CODE_LANGUAGES):
        raise wrong("from", f"translate between {' and '.join(CODE_LANGUAGES)}.")


def _check_items(items: list, chosen: int | None, wrong) -> None:
    for item in items:
        if not isinstance(item, dict) or set(item) not in ({"kernel"}, {"value", *LANGUAGES}):
            raise wrong(
                "items", f"{item!r} is neither a kernel nor a value with en and zh (a text with commas: quotes)."
            )
    low, high = OPTIONS
    if not low <= (len(items) if chosen is None else chosen) <= high or chosen is not None and chosen >= len(items):
        raise wrong("choose", f"{low} to {high} items are shown; with `choose`, fewer than the {len(items)} there are.")


def _check_options(options: list, wrong) -> None:
    """Three to five, in both languages, one of them right."""
    low, high = OPTIONS
    for option in options:
        if not isinstance(option, dict) or set(option) - {"right"} != set(LANGUAGES):
            raise wrong(
                "options", f"{option!r} needs en and zh (a text with commas: quotes), and `right: true` on one."
            )
        if CHINESE.search(option["en"]) or not isinstance(option["zh"], str):
            raise wrong("options", f"{option!r} is not in the languages that it names.")
    if not low <= len(options) <= high:
        raise wrong("options", f"{count_text(len(options), 'option')}; write {low} to {high}.")
    if sum(option.get("right") is True for option in options) != 1:
        raise wrong("options", "exactly one of them has `right: true`.")
