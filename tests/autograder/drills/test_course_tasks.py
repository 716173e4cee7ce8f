"""Tasks of the course that are said in Chinese say what the English says today."""

from __future__ import annotations

import random

from autograder.drills import kinds
from autograder.drills.deck.catalogue import cards_of_the_course
from autograder.drills.deck.course import exercises
from autograder.drills.deck.course_tasks import all_in_chinese, english, fingerprint


def test_no_translation_is_older_than_its_task():
    known = {each.id: each for each in exercises.all_exercises()}

    assert set() == set(all_in_chinese()) - set(known)
    assert {} == {
        name: english(known[name])
        for name, entry in all_in_chinese().items()
        if entry["of"] != fingerprint(english(known[name]))
    }


def test_a_bug_of_the_course_is_asked_in_chinese():
    card = next(each for each in cards_of_the_course() if each.data["exercise"] == "reductions.sum_atomic")
    question = kinds.pose(card, "zh", random.Random(0))

    assert "把 src 的每个元素加到 total[0] 上" in question.ask
    assert "Add every element" not in question.ask
