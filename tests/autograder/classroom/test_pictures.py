"""The picture of what was found: made of data that left the jail, on the page without a network, never of commands."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from autograder import exercises
from autograder.classroom.jail import namespaces, pictures
from autograder.classroom.judging import judged
from autograder.classroom.messages import pictured
from autograder.classroom.pages import feedback, verdict
from autograder.classroom.reading.answers import Answer
from autograder.classroom.receive import Received
from autograder.classroom.wire import Task
from autograder.diagnosis.budget import case_name_of, evaluate
from autograder.exercises.catalogue import answers_for
from autograder.notebook import picture
from autograder.outcome import BudgetResult, Cause, Passed, Wrong
from autograder.report.html import render_html
from simt import figures

needs_a_jail = pytest.mark.skipif(bool(namespaces.unavailable()), reason=namespaces.unavailable())
SHOWN = {  # exercise, answer -> the figure that shows its mistake
    ("vector_add.vector_add", "no_guard"): "outside",
    ("vector_add.vector_add", "neighbours_far_apart"): "sectors",
    ("shared_memory.reverse_blocks", "no_barrier"): "race",
}


def answer_of(identifier: str, name: str):
    exercise = exercises.find(identifier)
    return exercise, next(answer for answer in answers_for(exercise) if answer.name == name).program


def subject_of(identifier: str, name: str):
    exercise, program = answer_of(identifier, name)
    return figures.chosen(picture.trace(exercise, program))


@pytest.mark.parametrize(("identifier", "name"), SHOWN)
def test_what_left_the_jail_as_data_draws_the_same_picture(identifier, name):
    what, subject = subject_of(identifier, name)
    document = json.loads(json.dumps(pictured.packed(what, subject)))

    assert SHOWN[identifier, name] == what
    assert figures.drawn(what, subject)._repr_svg_() == figures.drawn(*pictured.unpacked(document))._repr_svg_()


@pytest.mark.parametrize(
    "change",
    [
        {"lanes": [0, 0]},
        {"lanes": [32]},
        {"lanes": []},
        {"cells": [1] * 40},
        {"line": 1 << 60},
        {"text": "x" * 400},
        {"kind": 3},
        {"array": None},
        {"indices": [[1, 2]]},
        {"more": 1},
    ],
)
def test_data_of_another_shape_is_no_picture(change):
    document = pictured.packed(*subject_of("vector_add.vector_add", "no_guard"))

    with pytest.raises((TypeError, ValueError)):
        pictured.unpacked({**document, "access": {**document["access"], **change}})


@pytest.mark.parametrize(
    "array", [{"dtype": "O"}, {"dtype": "V99"}, {"shape": []}, {"shape": [-1]}, {"strides": [1, 1]}]
)
def test_an_array_of_another_shape_is_no_picture(array):
    document = pictured.packed(*subject_of("vector_add.vector_add", "no_guard"))
    access = document["access"]

    with pytest.raises((TypeError, ValueError)):
        pictured.unpacked({**document, "access": {**access, "array": {**access["array"], **array}}})


def test_what_tells_no_one_mistake_is_not_sent():
    assert {} == pictured.packed("divergence", None)
    assert pictured.unpacked({}) is None


@needs_a_jail
def test_a_class_gets_the_picture_of_the_failing_case_and_no_command(monkeypatch):
    exercise, program = answer_of("vector_add.vector_add", "no_guard")
    outcome = judged(Task(exercise.id, program, secret="x"))

    answer = Answer(exercise, program, program.source)
    unit = type("unit", (), {"exercises": (exercise,), "max_points": exercise.points})
    taken = Received("ada", exercise.unit, exercise.unit, None)
    page = feedback.feedback_page(verdict.document(taken, unit, [(answer, outcome)]))

    assert 'src="data:image/svg+xml;base64,' in page
    assert "lanes of the warp read outside a" in page or "of the warp reads outside a" in page
    assert not re.search(r"\bq\.\w+\(", page)
    assert not re.search(r"""(?:src|href)=["'](?!data:image/svg|#)""", page)


@pytest.mark.parametrize(("identifier", "name"), SHOWN)
def test_a_page_shows_code_in_a_picture_without_backticks(identifier, name):
    what, subject = subject_of(identifier, name)

    drawn = pictures._drawn(what, subject)

    assert "`" in figures.drawn(what, subject).words or what == "race"
    assert not any("`" in part for part in drawn.values())


@pytest.mark.parametrize(
    ("counter", "figure"),
    [
        ("global_load_sectors", "sectors"),
        ("global_store_sectors_per_request", "sectors"),
        ("shared_load_bank_conflicts", "banks"),
        ("transferred_bytes", ""),
    ],
)
def test_the_counter_of_a_missed_budget_says_which_figure_shows_it(counter, figure):
    missed = BudgetResult(counter, 9.0, 4.0, "too much")
    cause = Cause("over_budget", "too_much_traffic", "Too much.", missed=missed)

    assert figure == pictures._figure_of(Wrong("a.b", 1.0, 2.0, "b: right, but costly", causes=(cause,)))


def test_a_picture_with_markup_in_its_words_stays_words():
    drawn = {"svg": "<svg><script>bad()</script></svg>", "alt": '"><script>', "words": "</pre><script>bad()</script>"}
    cause = Cause("race", "missing_barrier", "Two threads meet.", "Wait.", (1,))

    html = render_html(Wrong("a.b", 0.0, 1.0, "b: wrong", causes=(cause,), facts={"picture": drawn}))

    assert "<script" not in html
    assert "<svg" not in html  # an image's, which runs nothing


def test_a_kernels_dollars_are_no_formula():
    what, subject = subject_of("vector_add.vector_add", "no_guard")
    costly = replace(subject, site=replace(subject.site, text=r"a[i]  # $\frac{ and $"))

    assert r"$\frac{ and $" in figures.drawn(what, costly)._repr_svg_()


def test_a_missed_budget_is_drawn_at_the_sizes_that_it_names():
    exercise = exercises.find("vector_add.vector_add")
    missed = exercise.budgets[0]
    counters = {case_name_of(exercise, missed.sizes): {missed.counter: 10**9}}
    _, (cause, *_) = evaluate(replace(exercise, budgets=(missed,)), counters, dict.fromkeys(counters, 1))

    assert dict(missed.sizes) == dict(pictures._sizes_of(exercise, Wrong("a.b", 0.0, 1.0, "", causes=(cause,))))
    assert pictures._figure_of(Passed("a.b", 1.0, 1.0, "")) == ""
    assert np.prod(list(missed.sizes.values())) > 32
