"""One term a concept: what a card says in English, it says in the field's own word in Chinese."""

from __future__ import annotations

import random
import re

import pytest
import yaml

from autograder.drills import kinds
from autograder.drills.deck.code_comments import all_in_chinese, comments_of
from autograder.drills.deck.load import all_cards, find_card
from autograder.drills.deck.model import AnswerError
from autograder.drills.deck.terms import all_terms, table
from autograder.drills.deck.topics import all_topics
from autograder.drills.deck.units import SYMBOL
from autograder.drills.deck.verdicts import entries
from autograder.drills.faces.words import FILE as WORDS
from autograder.drills.faces.words import refusal
from autograder.drills.tasks import all_tasks, find_task
from autograder.drills.tasks.task import OUTLINES
from tools.make.drills import current
from tools.parts.units import ROOT

CARDS = [card for card in all_cards().values() if card.file]


def told(card, language: str) -> str:
    """Everything that a card says in one language."""
    return " ".join(" ".join(each) if isinstance(each, list) else each for each in card.text[language].values())


@pytest.mark.parametrize("term", all_terms(), ids=lambda term: term.english)
def test_chinese_texts_use_one_word_for_a_concept(term):
    places = {card.id: told(card, "zh") for card in CARDS}
    places["words.yaml"] = WORDS.read_text(encoding="utf-8")
    places["verdicts_zh.yaml"] = " ".join(chinese for _, chinese in entries())
    places["code_comments_zh.yaml"] = " ".join(all_in_chinese().values())
    places |= {topic.id: topic.zh for topic in all_topics().values()}

    assert [] == [(name, word) for name, text in places.items() for word in term.avoided if word in text]


@pytest.mark.parametrize("term", all_terms(), ids=lambda term: term.english)
def test_where_the_english_names_a_concept_the_chinese_does(term):
    missing = [
        card.id for card in CARDS if term.pattern.search(told(card, "en")) and term.chinese not in told(card, "zh")
    ]

    assert [] == missing


def test_comments_in_code_are_read_in_chinese():
    """In every card that shows its code as it is written."""
    said = {text for card in CARDS if "code" in card.data for text in comments_of(card.data["code"])}

    assert said == set(all_in_chinese())
    assert "x4 把 float32 数组" in kinds.pose(find_card("b7.reinterpret"), "zh", random.Random(1)).code


@pytest.mark.parametrize(
    ("error", "chinese"),
    [
        (AnswerError("`__stcs` is const, and this writes to it", "left_out", line="3"), "第 3 行：`__stcs` 是 const"),
        (AnswerError("`f` takes 2 arguments, and has 1 here", "left_out", line="3"), "`f` 需要 2 个参数，这里有 1 个"),
        (
            AnswerError("there is no kernel called `f`: __global__ void f()", "left_out", line="1"),
            "没有名为 `f` 的核函数",
        ),
        (AnswerError("32 products", "other_unit", unit="products"), "例：32 个乘积"),
        (AnswerError("line 2: C++?", "no_code"), "第 2 行：C++?"),
    ],
)
def test_why_code_is_asked_for_again_is_said_in_chinese(error, chinese):
    assert chinese in refusal(error, "zh")
    assert error.example in refusal(error, "en") and error.example in refusal(error, "both")


def test_no_concept_has_two_entries_and_no_word_is_avoided_and_used():
    terms = all_terms()
    used = {term.chinese for term in terms}

    assert len({term.english for term in terms}) == len(terms)
    assert not used & {word for term in terms for word in term.avoided}


def test_the_page_of_the_drills_says_what_the_cards_and_the_records_say():
    page = (ROOT / "docs" / "drills.md").read_text(encoding="utf-8")

    assert table() in page
    assert page == current(page)


def test_the_first_lines_of_every_task_can_be_read_in_chinese():
    """All comments but launches; and what is translated is still there to be read."""
    comments = {line[2:] for task in all_tasks().values() for line in task.outline.splitlines() if line[:2] == "# "}
    said = {line for line in comments if not re.fullmatch(r"\w+\[.*\]\([\w, ]*\)|x\[i\], y\[i\] = pairs\[i\]", line)}
    chinese = yaml.safe_load(OUTLINES.read_text(encoding="utf-8"))

    assert said == set(chinese)
    assert [] == [word for term in all_terms() for word in term.avoided if word in str(chinese)]
    assert "线程束一行" in find_task("softmax").outline_in("zh")
    assert "one warp per row" not in find_task("softmax").outline_in("zh")
    assert "one warp per row" in find_task("softmax").outline_in("both")


@pytest.mark.parametrize("card", [pytest.param(card, id=card.id) for card in CARDS if "unit" in card.data])
def test_the_unit_of_an_answer_is_in_the_learners_language(card):
    """And in the terms that all cards keep to."""
    unit = kinds.pose(card, "zh", random.Random(1)).unit

    assert SYMBOL.fullmatch(unit) or not re.search("[a-z]{4}", re.sub("float|token|lane", "", unit))
    assert [] == [word for term in all_terms() for word in term.avoided if word in unit]
