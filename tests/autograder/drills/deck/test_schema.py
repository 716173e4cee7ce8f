"""A file of cards that is wrong is told so: file, card and field by name, and what to write."""

from __future__ import annotations

import copy

import pytest
import yaml

from autograder.drills.deck.load import read_file
from autograder.drills.deck.model import CardError

GOOD = {
    "id": "b7.new_card",
    "kind": "say",
    "source": "CUDA C++ Programming Guide, somewhere",
    "en": {"ask": "Why?", "points": ["one", "two", "three"], "weak": "no", "then": "And?", "reply": "So."},
    "zh": {"ask": "为什么？", "points": ["一", "二", "三"], "weak": "不", "then": "然后？", "reply": "如此。"},
}


@pytest.fixture
def written(tmp_path):
    def write(*cards, topic="B7"):
        path = tmp_path / "b07_test.yaml"
        path.write_text(yaml.safe_dump({"topic": topic, "cards": list(cards)}, allow_unicode=True), encoding="utf-8")
        return path

    return write


def changed(*path, to=None):
    """The good card with one field changed; None takes it away."""
    card = copy.deepcopy(GOOD)
    inside = card
    for key in path[:-1]:
        inside = inside[key]
    if to is None:
        del inside[path[-1]]
    else:
        inside[path[-1]] = to
    return card


def test_a_good_card_is_read(written):
    (card,) = read_file(written(GOOD))

    assert ("b7.new_card", "B7", "say") == (card.id, card.topic, card.kind)


@pytest.mark.parametrize(
    ("card", "field", "words"),
    [
        (changed("zh"), "zh", "English and in Chinese"),
        (changed("source"), "source", "document"),
        (changed("kind", to="sing"), "kind", "not one of"),
        (changed("id", to="c1.elsewhere"), "id", "begin with their topic"),
        (changed("en", "weak"), "en.weak", "write text"),
        (changed("en", "points", to=["one", "two"]), "points", "different numbers"),
        (changed("also", to=["Z9"]), "also", "no line"),
        (changed("kernel", to="x"), "kernel", "no such field"),
        (changed("zh", "ask", to="Why?"), "zh.ask", "no Chinese"),
        (changed("en", "ask", to="为什么"), "en.ask", "Chinese in the English"),
        (changed("en", "extra", to="x"), "en.extra", "no such field"),
    ],
)
def test_a_wrong_field_is_named_with_its_file_and_card(written, card, field, words):
    with pytest.raises(CardError, match=words) as caught:
        read_file(written(card))

    assert "b07_test.yaml" == caught.value.file
    assert card["id"] == caught.value.card
    assert field == caught.value.field
    assert str(caught.value).startswith(f"b07_test.yaml, card {card['id']}, field {field}: ")


def test_two_points_are_too_few_and_six_too_many(written):
    for count in (2, 6):
        card = changed("en", "points", to=["x"] * count)
        card["zh"]["points"] = ["一"] * count
        with pytest.raises(CardError, match="write 3 to 5"):
            read_file(written(card))


def test_a_key_written_twice_is_refused(tmp_path):
    path = tmp_path / "b07_test.yaml"
    path.write_text("topic: B7\ncards:\n- {id: b7.a, id: b7.b}\n")

    with pytest.raises(CardError, match="'id' is there twice"):
        read_file(path)


def test_a_file_of_no_topic_is_refused(written):
    with pytest.raises(CardError, match="no line of the topic list"):
        read_file(written(GOOD, topic="Q1"))


def test_what_is_ranked_is_a_kernel_or_a_value_in_both_languages(written):
    """A comma without quotes cuts a text of a flow mapping in two."""
    asked = {language: {"ask": text, "why": text} for language, text in (("en", "Rank."), ("zh", "排序。"))}
    cut = {"value": 2, "en": "neighbours", "all of them": None, "zh": "相邻"}
    card = {"id": "b7.rank_new", "kind": "rank", "source": GOOD["source"], "items": [cut], **asked}

    with pytest.raises(CardError, match="neither a kernel nor a value"):
        read_file(written(card))


@pytest.mark.parametrize(("items", "choose"), [(6, None), (2, None), (4, 4), (4, 2), (8, 6)])
def test_three_to_five_items_are_shown_and_a_choice_leaves_some_out(written, items, choose):
    asked = {language: {"ask": text, "why": text} for language, text in (("en", "Rank."), ("zh", "排序。"))}
    listed = [{"value": place, "en": "this", "zh": "这个"} for place in range(items)]
    card = {"id": "b7.rank_new", "kind": "rank", "source": GOOD["source"], "items": listed, **asked}

    with pytest.raises(CardError, match="3 to 5 items are shown"):
        read_file(written(card | ({} if choose is None else {"choose": choose})))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("a", "b"), "write 3 to 5"),
        (("a", "b", "c"), "exactly one"),
        (("a", "b", "c", "right", "right"), "exactly one"),
        (("a", "b", "c", 1), "needs en and zh"),
    ],
)
def test_options_are_three_to_five_in_both_languages_and_one_is_right(written, options, words):
    asked = {language: {"ask": text, "why": text} for language, text in (("en", "Which?"), ("zh", "哪个？"))}
    made = [{"en": text, "zh": "选项", **({"right": True} if text == "right" else {})} for text in options]
    made = [{"en": "no Chinese"} if each["en"] == 1 else each for each in made]
    card = {"id": "b7.pick_new", "kind": "pick", "source": GOOD["source"], "options": made, **asked}

    with pytest.raises(CardError, match=words):
        read_file(written(card))
