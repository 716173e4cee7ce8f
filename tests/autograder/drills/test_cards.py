"""The audit of all cards: each can be put, answered right and wrong, and is held to what the judges measure."""

from __future__ import annotations

import ast
import os
import random
import re
from collections import defaultdict
from difflib import SequenceMatcher
from operator import attrgetter

import pytest

from autograder.drills import kinds
from autograder.drills.deck.load import all_cards
from autograder.drills.deck.model import LANGUAGES
from autograder.drills.deck.topics import all_topics
from autograder.drills.kinds import bug, count, envelope, touch, translate, write
from autograder.drills.values.draws import shown
from autograder.exercises import all_exercises, find
from autograder.exercises.catalogue import has_answers
from tests.part import a_part

CARDS = [card for card in all_cards().values() if card.file]
OF_THE_COURSE = [card for card in all_cards().values() if not card.file]
DRAWS = int(os.environ.get("WARPBOOK_DRILL_DRAWS", "2"))  # of each formula; 100 before a release
TOO_ALIKE = 0.9
SHARED = 0.6  # of their words; below that, two texts are not worth comparing letter by letter
LEAST_KINDS = 3
LEAST_CARDS, TRIALS = 500, 24
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")
TELLING = {  # words that would give a class away
    "race": ("race",), "out_of_bounds": ("out of bounds", "past the end"), "uninitialised_read": ("uninitialised",),
    "barrier_divergence": ("diverge",), "over_budget": ("coalesc", "slow"), "float64": ("double", "float64"),
    "wrong_output": ("logic",), "refused": ("compile",), "deadlock": ("deadlock",),
}  # fmt: skip
SAME_FORMULA = {
    frozenset({"b7.stride", "b7.swapped"}): "one axis with a stride; two axes in the wrong order",
    frozenset({"c2.ratio", "d5.sectors"}): "what a profiler shows of a launch; a walk down columns, turn by turn",
}


def of_kind(*names: str, every: int = 1):
    """All cards of these kinds, as parameters named by their ids. every: as in `a_part`."""
    return a_part([card for card in CARDS if card.kind in names], every, attrgetter("id"))


def draws(card):
    """A few questions of a card, of fixed seeds."""
    return [kinds.pose(card, "en", random.Random(f"{card.id} {number}")) for number in range(DRAWS)]


def test_there_are_the_cards_that_were_promised():
    assert len(CARDS) >= LEAST_CARDS


def test_every_line_of_the_course_is_asked_about_in_three_kinds():
    found = defaultdict(set)
    for card in CARDS:
        found[card.topic].add(card.kind)

    assert [] == [topic for topic in all_topics() if len(found[topic]) < LEAST_KINDS]


@pytest.mark.parametrize("card", of_kind(*kinds.KINDS))
def test_a_card_can_be_put_in_both_languages(card):
    for language in (*LANGUAGES, "both"):
        question = kinds.pose(card, language, random.Random(1))

        assert question.ask
        assert "$" not in question.ask


@pytest.mark.parametrize("card", of_kind("count", "touch"))
def test_the_formula_gives_what_the_interpreter_measures(card):
    if "kernel" not in card.data:
        assert card.data.get("held_by"), "a formula without a kernel says which test holds it"
        return
    measured = {"count": count.measured, "touch": touch.measured}[card.kind]
    for question in draws(card):
        assert question.values["truth"] == pytest.approx(measured(card, question.values)), question.values


@pytest.mark.parametrize("card", [p for p in of_kind("envelope") if "kernel" in p.values[0].data])
def test_an_envelope_with_a_kernel_is_the_interpreters_bound(card):
    for question in draws(card):
        measured, formula = envelope.measured(card, question.values)

        assert formula == pytest.approx(measured, rel=0.01), question.values


@pytest.mark.parametrize("card", of_kind("count", "touch", "envelope"))
def test_the_right_answer_is_right_and_another_is_not(card):
    for question in draws(card):
        truth = question.values["truth"]
        wrong = ", ".join(str(each + 1) for each in truth) or "0" if card.kind == "touch" else str(truth * 3 + 7.77)

        assert kinds.mark(question, kinds.solve(question)).right
        assert not kinds.mark(question, wrong).right


@pytest.mark.parametrize("card", of_kind("rank"))
def test_ranked_things_differ_and_their_order_is_the_traces(card):
    for question in draws(card):
        numbers = question.values["numbers"]
        ordered = [numbers[question.choices.index(letter)] for letter in question.values["order"]]

        assert len(set(numbers)) == len(numbers), numbers
        assert ordered == sorted(numbers)
        assert kinds.mark(question, question.values["order"]).right
        assert not kinds.mark(question, question.values["order"][::-1]).right


@pytest.mark.parametrize("card", of_kind("bug", every=4))
def test_a_bug_gets_its_verdict(card):
    question = kinds.pose(card, "en", random.Random(0))
    verdict = bug.verdict_of(question)
    last_line = question.first_line + len(question.code.splitlines()) - 1

    assert card.data["finds"] == verdict.kind, verdict
    assert all(question.first_line <= line <= last_line for line in verdict.lines), verdict
    assert kinds.mark(question, kinds.solve(question)).right
    other = "a" if kinds.solve(question)[-1] != "a" else "b"
    assert not kinds.mark(question, f"{last_line + 1} {other}").right


def test_every_exercise_with_catalogued_answers_is_a_card_under_a_line_of_the_course():
    """Nobody adds a card when a unit comes; what the catalogue holds is asked about by itself."""
    expected = {exercise.id for exercise in all_exercises() if exercise.topics and has_answers(exercise)}

    assert expected == {card.data["exercise"] for card in OF_THE_COURSE}
    assert {card.source.rsplit(" ", 1)[1] for card in OF_THE_COURSE} == {find(name).unit for name in expected}


@pytest.mark.parametrize("card", [pytest.param(card, id=card.id) for card in OF_THE_COURSE])
def test_a_card_of_an_exercise_draws_its_wrong_answers_and_shows_no_comment(card):
    questions = [kinds.pose(card, language, random.Random(seed)) for seed in range(5) for language in LANGUAGES]

    assert 1 < len({question.values["answer"] for question in questions})
    assert not any("#" in question.code for question in questions)
    assert not any(question.values["answer"] in question.ask for question in questions)


@pytest.mark.parametrize("unit", sorted({find(card.data["exercise"]).unit for card in OF_THE_COURSE})[::3])
def test_a_drawn_wrong_answer_gets_its_verdict(unit):
    """One of every third unit; the kill matrix judges them all."""
    card = next(card for card in OF_THE_COURSE if find(card.data["exercise"]).unit == unit)
    question = kinds.pose(card, "zh", random.Random(unit))

    assert kinds.mark(question, kinds.solve(question)).right
    assert find(card.data["exercise"]).function in kinds.mark(question, "999 a").verdict


@pytest.mark.parametrize("card", of_kind("write", every=3))
def test_the_solution_of_a_card_passes_and_its_wrong_answer_fails_for_its_reason(card):
    passed, failed = (write.check(card, card.data[name], isolate=False) for name in ("solution", "wrong"))

    assert passed.passed, passed
    assert not failed.passed
    assert card.data["fails_by"] in (failed.causes[0].kind, failed.causes[0].misconception), failed


def test_a_verdict_counts_the_lines_that_were_typed():
    card = all_cards()["b15.everywhere"]
    typed = "@cuda.jit\ndef warp_max_everywhere(src, dst):\n    i = cuda.grid(1)\n    dst[i] = src[i]\n"

    assert "line 4" in kinds.mark(kinds.pose(card, "en", random.Random(0)), typed).verdict.lower()


@pytest.mark.parametrize("card", of_kind("translate"))
def test_a_translation_accepts_its_forms_and_rejects_what_it_should(card):
    question = kinds.pose(card, "en", random.Random(0))

    assert card.data["reject"]
    for form in card.data["accept"]:
        assert translate.mark(question, form).right, form
    for form in card.data["reject"]:
        assert not translate.mark(question, form).right, form


def words(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9_\u4e00-\u9fff]+", text.lower()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_cards_ask_the_same(language):
    asked = [
        (card, words(card.text[language]["ask"] + str(card.data.get("code", "")) + str(card.data.get("kernel", "")))
         + str(card.data.get("exercise", "")) + str(card.data.get("answer", "")) + str(card.data.get("items", "")))
        for card in CARDS
    ]  # fmt: skip
    alike = [
        (one.id, other.id)
        for place, (one, first) in enumerate(asked)
        for other, second in asked[place + 1 :]
        if one.kind == other.kind and shared(first, second) > SHARED and similar(first, second)
    ]

    assert [] == alike


def shared(one: str, other: str) -> float:
    """How many of their words two questions share: a quick look before the slow one."""
    first, second = (set(re.findall(r"[a-z0-9_]+|[\u4e00-\u9fff]", text)) for text in (one, other))
    return len(first & second) / max(1, len(first | second))


def similar(one: str, other: str) -> bool:
    """Nearly the same words."""
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return matcher.real_quick_ratio() > TOO_ALIKE and matcher.quick_ratio() > TOO_ALIKE and matcher.ratio() > TOO_ALIKE


@pytest.mark.parametrize("card", of_kind("say"))
def test_no_key_point_is_in_its_question(card):
    for language in LANGUAGES:
        asked = set(words(card.text[language]["ask"]).split())
        for point in card.text[language]["points"]:
            said = [word for word in words(point).split() if len(word) > 3 or language == "zh"]

            assert not said or not set(said) <= asked, point


@pytest.mark.parametrize("card", of_kind("count", "envelope", "touch"))
def test_the_answer_is_not_to_be_read_off_the_question(card):
    """In half of the draws at most the numbers asked for are among those that the question names."""
    read_off = 0
    for number in range(TRIALS):
        question = kinds.pose(card, "en", random.Random(number))
        truth = question.values["truth"]
        wanted = {shown(each) for each in (truth if isinstance(truth, tuple) else (truth,))}
        read_off += bool(wanted) and wanted <= set(NUMBER.findall(question.ask))

    assert read_off <= TRIALS / 2


@pytest.mark.parametrize("card", of_kind("bug"))
def test_neither_the_question_nor_a_comment_names_the_class_of_the_bug(card):
    question = kinds.pose(card, "en", random.Random(0))
    read = (question.ask + " ".join(re.findall(r"#.*", question.code))).lower()

    assert [] == [word for word in TELLING[card.data["finds"]] if word in read]


@pytest.mark.parametrize("card", of_kind("rank"))
def test_no_kernel_that_is_ranked_bears_a_name_that_says_what_it_is(card):
    question = kinds.pose(card, "en", random.Random(0))

    assert set(re.findall(r"def (\w+)", question.code)) <= {f"kernel_{letter}" for letter in question.choices}


def test_no_card_leans_on_another_one():
    """Cards come in any order."""
    leaning = re.compile(r"^(The same|As before|Again)\b|\bthe previous (card|question|kernel)\b|^同样的|上一(张|题)")

    assert [] == [(c.id, lang) for c in CARDS for lang in LANGUAGES if leaning.search(c.text[lang]["ask"])]


def formula(card) -> str:
    """The formula with the card's own names taken out, so that two cards with one idea look alike."""
    lets, drawn, names = card.data.get("let", {}), card.data.get("draw", {}), {}

    class Plain(ast.NodeTransformer):
        def visit_Name(self, node):
            if node.id in lets:
                return self.visit(ast.parse(str(lets[node.id]), mode="eval").body)
            if node.id in drawn:
                return ast.Name(names.setdefault(node.id, f"drawn{len(names)}"))
            return node

    return ast.unparse(Plain().visit(ast.parse(str(card.data["truth"]), mode="eval").body))


def test_no_two_cards_work_out_the_same_formula():
    """A product of the values drawn says nothing; what is the same on purpose is named, with what differs."""
    cards_of = defaultdict(set)
    for card in CARDS:
        if "truth" in card.data:
            cards_of[formula(card)].add(card.id)
    alike = {frozenset(ids) for text, ids in cards_of.items() if len(ids) > 1 and re.search(r"[^\w *]", text)}

    assert alike == set(SAME_FORMULA)


def test_no_two_translations_are_of_the_same_code():
    translated = [(card.data["from"], words(card.data["code"])) for card in CARDS if card.kind == "translate"]

    assert len(set(translated)) == len(translated)


def test_no_card_says_in_its_source_that_it_has_none():
    assert [] == [card.id for card in CARDS if re.search(r"\b(todo|unknown|none|tbd)\b", card.source.lower())]


def test_the_source_of_a_card_of_the_course_is_told_in_the_learners_language():
    english = [card.id for card in (*CARDS, *OF_THE_COURSE) if "the course" in card.source_in("zh")]
    assert [] == english and OF_THE_COURSE and "the course" in OF_THE_COURSE[0].source_in("en")
