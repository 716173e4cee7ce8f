"""Every fact of a card can be looked up: sections, files, units and recorded figures are there."""

from __future__ import annotations

import json
import re

import pytest
import yaml

from autograder.drills.deck.load import all_cards
from autograder.drills.deck.sources import FILE, Part, SourceError, all_documents, parts_of
from autograder.exercises import of_unit
from tools.parts.units import ROOT

CARDS = [card for card in all_cards().values() if card.file]
RECORD = "benchmarks/results/drills-h200.json"
FIGURES = json.loads((ROOT / RECORD).read_text())["figures"]


def missing(part: Part) -> list[str]:
    """What of a part cannot be found."""
    if part.kind == "document":
        return [section for section in part.sections if section not in all_documents()[part.name]]
    if part.kind == "file":
        return _missing_of_file(part)
    if part.kind == "course":
        return _missing_of_unit(part)
    return []


def _missing_of_file(part: Part) -> list[str]:
    path = ROOT / part.name
    if not path.exists():
        return [part.name]
    if path.suffix not in (".md", ".json"):
        return []
    text = path.read_text(encoding="utf-8")
    items = [item for item in part.sections if f"\n## {item}. " not in text]
    words = [word for word in part.details if part.name.endswith(("glossary.md", ".json")) and word not in text]
    return items + words


def _missing_of_unit(part: Part) -> list[str]:
    if not (ROOT / "solutions" / part.name).is_dir():
        return [part.name]
    names = {exercise.function for exercise in of_unit(part.name)}
    return [word for word in part.details if re.fullmatch(r"[a-z0-9_]+", word) and word not in names]


@pytest.mark.parametrize("card", [pytest.param(card, id=card.id) for card in CARDS])
def test_what_a_card_names_as_its_source_exists(card):
    assert [] == [(part.name, word) for part in parts_of(card.source) for word in missing(part)]


def test_the_list_of_documents_holds_what_cards_name_and_says_where_it_was_seen():
    """An entry from memory, that no card needs, would let the next card name it unseen."""
    parts = [part for card in CARDS for part in parts_of(card.source) if part.kind == "document"]
    named = {(part.name, section) for part in parts for section in part.sections}
    listed = {(name, section) for name, sections in all_documents().items() for section in sections}

    assert set() == listed - named
    assert set(all_documents()) == {part.name for part in parts}
    assert all(re.search(r"\d|https://", str(entry["seen"])) for entry in yaml.safe_load(FILE.read_text()).values())


def test_a_source_that_nobody_can_look_up_is_refused():
    for source in ("measured on some GPU", "common knowledge", "NVIDIA Guide to Everything", "the course, chapter 3"):
        with pytest.raises(SourceError):
            parts_of(source)
    assert ["Fast Kernels"] == missing(parts_of('CUDA C++ Programming Guide, "Fast Kernels"')[0])
    assert ["99"] == missing(parts_of("docs/pitfalls.md, item 99")[0])
    assert ["99_future"] == missing(parts_of("the course, 99_future")[0])


def said(card) -> str:
    """Everything that a card says in English, and what its languages share, without thousands' commas."""
    text = " ".join(str(each) for each in (card.text["en"].values(), card.data))
    return re.sub(r"(?<=\d),(?=\d{3})", "", text)


@pytest.mark.parametrize("card", [pytest.param(card, id=card.id) for card in CARDS if RECORD in card.source])
def test_a_recorded_figure_that_a_card_names_is_in_what_it_says(card):
    """A figure that was recorded anew shows up here, card by card."""
    (record,) = [part for part in parts_of(card.source) if part.name == RECORD]
    absent = [name for name in record.details if not _is_said(FIGURES[name]["value"], said(card))]

    assert record.details
    assert [] == absent


def _is_said(value, text: str) -> bool:
    """One of the values, rounded or not, or a value that lies in a recorded range."""
    if isinstance(value, list):
        low, high = value
        return any(low <= float(number) <= high for number in re.findall(r"\d+(?:\.\d+)?", text))
    written = {f"{value:g}", f"{value:.0f}", f"{value:.3g}", f"{round(value, -1):g}", str(value)}
    return any(re.search(rf"(?<![\d.]){re.escape(each)}(?!\d)", text) for each in written)
