"""Tasks of the course that are said in Chinese say what the English says today."""

from __future__ import annotations

import random

from autograder.drills import kinds
from autograder.drills.deck.catalogue import cards_of_the_course
from autograder.drills.deck.course import exercises
from autograder.drills.deck.course_tasks import all_in_chinese, english, fingerprint
from autograder.drills.deck.terms import all_terms


def test_every_task_is_said_in_chinese_and_no_translation_is_older_than_its_task():
    known = {each.id: each for each in exercises.all_exercises()}

    assert set(known) == set(all_in_chinese())
    assert {} == {
        name: english(known[name])
        for name, entry in all_in_chinese().items()
        if entry["of"] != fingerprint(english(known[name]))
    }


def test_tasks_keep_to_the_terms_of_the_cards():
    """A word that is a name in the code, too, may stay as it is."""
    known = {each.id: each for each in exercises.all_exercises()}
    said = {name: entry["zh"] for name, entry in all_in_chinese().items()}

    assert [] == [
        (name, word) for name, text in said.items() for t in all_terms() for word in t.avoided if word in text
    ]
    assert [] == [
        (name, term.english)
        for name, text in said.items()
        for term in all_terms()
        if term.pattern.search(english(known[name])) and term.chinese not in text and not term.pattern.search(text)
    ]


def test_a_bug_of_the_course_is_asked_in_chinese():
    card = next(each for each in cards_of_the_course() if each.data["exercise"] == "reductions.sum_atomic")
    question = kinds.pose(card, "zh", random.Random(0))

    assert "把 src 的每个元素加到 total[0] 上" in question.ask
    assert "Add every element" not in question.ask
