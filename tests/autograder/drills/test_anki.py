"""The Anki package goes into a real collection, and a second export keeps what Anki has learnt."""

from __future__ import annotations

import html
import random
import re
import time
from itertools import pairwise

import pytest

from autograder.drills import kinds
from autograder.drills.deck.load import all_cards
from autograder.drills.faces.anki import _fields, write_package
from autograder.drills.faces.lanes_svg import picture_of

genanki = pytest.importorskip("genanki", reason="genanki is not installed: python tools/set_up.py --drills")
TOPICS = ("B6", "B7")
CARDS = [card for card in all_cards().values() if card.file and card.topic in TOPICS]


@pytest.fixture
def collection(tmp_path):
    """An empty collection of Anki's own library."""
    found = pytest.importorskip("anki.collection", reason="anki is not installed: python tools/set_up.py --dev")
    opened = found.Collection(str(tmp_path / "collection.anki2"))
    yield opened
    opened.close()


def bring_in(collection, path) -> None:
    """What Anki's File, Import does."""
    from anki.import_export_pb2 import ImportAnkiPackageOptions, ImportAnkiPackageRequest

    options = ImportAnkiPackageOptions(with_scheduling=True, merge_notetypes=True)
    collection.import_anki_package(ImportAnkiPackageRequest(package_path=str(path), options=options))


def test_a_package_goes_into_anki_and_a_new_export_keeps_the_schedule(collection, tmp_path):
    assert len(CARDS) == write_package(CARDS, "en", tmp_path / "first.apkg")
    bring_in(collection, tmp_path / "first.apkg")
    notes = collection.find_notes("")
    card = collection.get_card(collection.find_cards("B7")[0])
    card.type, card.queue, card.ivl, card.due, card.reps = 2, 2, 30, 30, 5
    collection.update_card(card)
    note = card.note()

    write_package(CARDS, "both", tmp_path / "second.apkg", at=time.time() + 60)
    bring_in(collection, tmp_path / "second.apkg")

    assert len(CARDS) == len(notes) == collection.note_count()
    assert 5 == collection.get_card(card.id).reps
    assert 30 == collection.get_card(card.id).ivl
    assert collection.get_note(note.id)["Question"] != note["Question"], "the text was updated"
    assert {f"Warpbook::{topic}" for topic in TOPICS} <= {deck.name.split(" ")[0] for deck in decks(collection)}


@pytest.mark.parametrize(("language", "said"), [("en", "Warps"), ("zh", "线程束"), ("both", "Warps / 线程束")])
def test_a_deck_is_named_in_the_language_of_its_cards(language, said, collection, tmp_path):
    card = next(card for card in all_cards().values() if card.topic == "A5" and card.file)
    write_package([card], language, tmp_path / "deck.apkg")
    bring_in(collection, tmp_path / "deck.apkg")

    assert f"Warpbook::A5 {said}" in {deck.name for deck in decks(collection)}


def decks(collection):
    return collection.decks.all_names_and_ids()


def test_every_picture_is_an_svg_that_is_in_the_package_and_named_by_a_note(collection, tmp_path):
    write_package(CARDS, "zh", tmp_path / "cards.apkg")
    bring_in(collection, tmp_path / "cards.apkg")
    pictures = [collection.get_note(each)["Picture"] for each in collection.find_notes("Picture:_*")]
    named = [re.fullmatch(r'<img src="([\w.-]+\.svg)">', each)[1] for each in pictures]

    assert len(named) > 3
    assert all(collection.media.have(name) for name in named)


def test_a_drawn_card_has_the_same_values_in_every_export(tmp_path):
    card = next(card for card in CARDS if card.id == "b7.stride")
    asked = {kinds.pose(card, "en", random.Random(card.id)).code for _ in range(3)}

    assert 1 == len(asked)


def test_a_picture_shows_as_many_sectors_as_the_answer_says():
    card = all_cards()["b7.stride"]
    question = kinds.pose(card, "en", random.Random(1))

    assert f"32 lanes touch {question.values['truth']} sectors" in picture_of(question)


def test_a_bug_has_numbered_lines_the_classes_to_choose_from_and_no_call_of_a_notebook():
    question = kinds.pose(all_cards()["b8.unpadded"], "en", random.Random(1))
    fields = _fields(question, "")

    assert re.search(rf"^ *{question.first_line}  @cuda.jit", fields[4])
    assert all(html.escape(choice) in fields[3] for choice in question.choices)
    assert "TILE = 32" in fields[3] and "PITCH = 33" in fields[3]
    assert "q." not in fields[5]


def test_a_picture_can_be_read_at_night():
    assert '<rect width="100%" height="100%" fill="#fff"/>' in picture_of(
        kinds.pose(all_cards()["b7.stride"], "en", random.Random(1))
    )


def test_a_picture_is_titled_in_the_learners_language_and_its_digits_can_be_read_on_a_phone():
    """390 pixels wide; labels that would run into each other are left out."""
    picture = picture_of(kinds.pose(all_cards()["b7.stride"], "zh", random.Random("b7.stride")))
    width = float(re.search(r'viewBox="0 0 (\d+)', picture)[1])
    sizes = {float(size) for size in re.findall(r'font-size="(\d+)"', picture)}
    below = [(float(x), len(label)) for x, label in re.findall(r'x="([\d.]+)" y="148"[^>]*>(\d+)<', picture)]

    assert "个 lane 触及" in picture and " lanes touch" not in picture
    assert min(sizes) * 390 / width >= 9
    assert all(right - left > 9 * max(one, two) for (left, one), (right, two) in pairwise(below))
