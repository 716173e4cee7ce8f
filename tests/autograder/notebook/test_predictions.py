"""Predictions of several kinds: what they may be, and that their truth is run, judged or recorded."""

import ast
import dataclasses
import math
import re

import numpy as np
import pytest
from numba import cuda

from autograder import exercises
from autograder.contract import GUESSES, Guess
from autograder.notebook import progress
from autograder.notebook.predicted import guesses
from autograder.notebook.predicted.predictions import PredictionError
from autograder.notebook.question import Question
from tests.autograder import answers
from tests.autograder.sample import ADD
from tests.part import a_part
from tools.check_exercises import solution_of
from tools.parts.units import ROOT, units_of

ASKED = dataclasses.replace(
    ADD,
    why="Each thread has one element. Neighbours stay neighbours.",
    guesses={
        "index": Guess("index", "what thread 7 of block 1 writes", (1, 7, "out"), "one block comes before"),
        "prints": Guess("prints", "print(7 // 2)", ("print(7 // 2)",), "// rounds down"),
        "line": Guess("line", "the line of the draft"),
        "faster": Guess("faster", "which", ("mine", "library"), "because"),
    },
)


@pytest.fixture(autouse=True)
def afresh():
    progress.forget()
    yield
    progress.forget()


@cuda.jit
def draft(a, b, out):
    i = cuda.grid(1)
    out[i] = a[i] + b[i]


@cuda.jit
def add_with_other_names(x, y, result):
    place = cuda.grid(1)
    if place < result.size:
        result[place] = x[place] + y[place]


def test_a_right_answer_is_told_which_guesses_were_right_with_the_reason_and_why_it_is_right(capsys):
    question = Question(ASKED)
    question.predict(index=263, prints="4", line=draft.py_func.__code__.co_firstlineno + 3)
    question.check(draft)
    said = capsys.readouterr().out
    assert "Noted: index 263, prints: 4, line " in said and "you predicted" not in said
    question.check(answers.add)
    rows = {line.split("  ")[0]: line for line in capsys.readouterr().out.splitlines() if "  " in line}

    assert (
        "263" in rows["263"].replace("263", "", 1) and "yes" in rows["263"] and "one block comes before" in rows["263"]
    )
    assert "no" in rows["4"].split() and "// rounds down" in rows["4"]
    assert any("the line of the draft" in row and "yes" in row.split() for row in rows.values())


def test_why_is_read_after_right_and_not_before(capsys):
    question = Question(ASKED)
    question.check(draft)
    assert "Why:" not in capsys.readouterr().out
    question.check(answers.add)
    assert "Why: Each thread has one element." in capsys.readouterr().out


def test_the_index_is_measured_on_the_answer_whatever_it_calls_its_output():
    assert (263, "one block comes before") == guesses.truth_of(
        ASKED, ASKED.guesses["index"], add_with_other_names, None
    )


@cuda.jit
def add_two(a, b, out):
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = a[i] + b[i]


def test_the_index_of_a_later_store_is_that_of_the_same_thread():
    few = dataclasses.replace(ADD, launch=lambda values: (2, 32))
    second = Guess("index", "what thread 7 of block 1 writes second", (1, 7, "out", 1), "the launch has 64 threads")

    assert (39 + 64, second.why) == guesses.truth_of(few, second, add_two, None)


def test_a_line_is_compared_only_where_a_draft_was_judged():
    assert guesses.UNKNOWN == guesses.truth_of(ASKED, ASKED.guesses["line"], answers.add, None)


@pytest.mark.parametrize("bad", [{"index": "two"}, {"prints": 4}, {"faster": "yours"}, {"faster": 1}, {"speed": 1}])
def test_a_guess_of_another_kind_says_what_to_write(bad):
    with pytest.raises(PredictionError, match="a prediction is|Choose one of: mine, library|Predict one of"):
        Question(ASKED).predict(**bad)


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("global_load_requests", -1, "nothing that is counted or measured is less than 0"),
        ("global_load_requests", math.nan, "nothing that is counted or measured comes to that"),
        ("global_load_requests", -math.inf, "nothing that is counted or measured comes to that"),
        ("index", -4, "places in an array are counted 0, 1, 2"),
        ("index", 2.5, "places in an array are counted 0, 1, 2"),
        ("line", 0, "lines are counted 1, 2, 3"),
    ],
)
def test_a_number_that_cannot_be_is_not_noted(name, value, why, capsys):
    with pytest.raises(PredictionError, match=f"^{name} is {re.escape(repr(value))}, and {why}.$"):
        Question(ASKED).predict(**{name: value})
    assert {} == progress.record(ADD.id).predictions
    assert "" == capsys.readouterr().out


def test_numbers_of_numpy_zero_and_what_a_function_may_return_are_noted():
    returns = dataclasses.replace(ASKED, guesses={"first": Guess("returns", "the first", (1,))})
    Question(ASKED).predict(global_load_requests=np.int64(0), index=0, line=np.int32(1))
    Question(returns).predict(first=-2.5)
    assert {"global_load_requests": 0, "index": 0, "line": 1, "first": -2.5} == progress.record(ADD.id).predictions


def test_a_guess_to_be_filled_in_commits_to_nothing(capsys):
    Question(ASKED).predict(prints=..., index=263)
    assert "Replace the ... with your answer for prints" in capsys.readouterr().out
    assert {} == progress.record(ADD.id).predictions


GUESSED = [(one, name) for one in exercises.all_exercises() for name in one.guesses]


@pytest.mark.parametrize("guessed", a_part(GUESSED, 2, lambda one: f"{one[0].id}-{one[1]}"))
def test_every_guess_of_the_course_has_a_truth_that_something_measures(guessed):
    exercise, name = guessed
    guess = exercise.guesses[name]
    function = solution_of(exercise).load()[1]
    draft = Question(exercise).check(_guardless(exercise)) if guess.kind == "line" else None
    truth, why = guesses.truth_of(exercise, guess, function, draft)

    assert guess.kind in GUESSES and truth is not None and why


ARITHMETIC = (ast.Module, ast.Expr, ast.Call, ast.Name, ast.Load, ast.Constant, ast.BinOp, ast.UnaryOp, ast.USub)
ARITHMETIC += (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Pow)


def a_calculator_tells(line: str) -> bool:
    """Whether what a line prints is plain arithmetic of numbers that it spells out, as nothing else is to be known."""
    nodes = list(ast.walk(ast.parse(line)))
    called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    whole = all(isinstance(node.value, int) for node in nodes if isinstance(node, ast.Constant))
    return whole and called <= {"print", "min", "max"} and all(isinstance(node, ARITHMETIC) for node in nodes)


def test_no_text_spells_out_the_arithmetic_whose_result_it_asks_for():
    lines = [(one, one.guesses[name].about[0]) for one, name in GUESSED if one.guesses[name].kind == "prints"]
    sources = {unit.id: unit.source.read_text(encoding="utf-8") for unit in units_of(ROOT / "solutions")}
    shown = {one.id: line for one, line in lines if line in sources[one.unit]}

    assert {} == {name: line for name, line in shown.items() if a_calculator_tells(line)}


def test_arithmetic_that_a_calculator_tells_is_found_and_what_one_must_know_is_not():
    assert a_calculator_tells("print(10 + 40 + 60 + 20, max(10, 40, 60, 20))")
    assert a_calculator_tells("print(256 * 256, (2**11 - 1) * 2**5)")
    for line in ("print(round(2.5), round(3.5))", "print((2 - 5) % 8)", "print(12 ^ 9)", "print(-1e300 * 1e300)"):
        assert not a_calculator_tells(line)


def _guardless(exercise):
    """A draft of the course that a verdict names a line of: the first catalogued answer with one."""
    from autograder.exercises.catalogue import answers_for

    return next(one for one in answers_for(exercise) if one.misconception in LINED).program.load()[1]


LINED = ("missing_barrier", "no_guard", "off_by_one", "negative_index", "barrier_in_branch", "host_goes_on")


def test_every_exercise_of_the_course_says_why_its_answer_is_right():
    assert [] == [one.id for one in exercises.all_exercises() if not one.why.endswith(".")]


def test_every_unit_asks_for_something_beside_counters():
    units = {one.unit for one in exercises.all_exercises()}

    assert units == {one.unit for one, _ in GUESSED}


def test_every_kind_of_guess_is_asked_somewhere():
    assert set(GUESSES) == {one.guesses[name].kind for one, name in GUESSED}


def half(n, parts):
    """The answer of a host exercise: n over parts, and what is left."""
    return n / parts, n % parts


def test_what_a_function_returns_is_asked_and_its_first_number_may_be_nearly_right():
    asked = Guess("returns", "half of 1,001", (1001, 2), "each half has as many")
    truth, why = guesses.truth_of(ADD, asked, half, None)

    assert (500.5, "half(1,001, 2): each half has as many") == (truth, why)
    assert guesses.is_right(500, truth) and not guesses.is_right(480, truth)
    assert not guesses.is_right(499, 500)


def test_a_function_of_an_array_is_asked_about_one():
    asked = Guess("returns", "the sum of three numbers", ((5, 3, 1), 2), "5, 3 and 1, two times")

    truth, why = guesses.truth_of(ADD, asked, times_sum, None)

    assert (18, "times_sum([5, 3, 1], 2): 5, 3 and 1, two times") == (truth, why)


def test_any_number_of_any_result_is_asked_for_and_a_long_array_is_shown_by_its_beginning():
    asked = Guess("returns", "what is left of the third", (tuple(range(1, 21)), 2), "3 is odd", (1, 2))

    truth, why = guesses.truth_of(ADD, asked, half, None)

    assert (1, "half([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, ...], 2): 3 is odd") == (truth, why)


def test_a_function_that_takes_what_the_judge_holds_is_given_it():
    held = dataclasses.replace(ADD, stand_ins={"a": lambda table: {"sum": table.sum()}})
    asked = Guess("returns", "twice the sum", ((5, 3), 2), "the judge's object has it")

    assert 16 == guesses.truth_of(held, asked, lambda holder, factor: holder["sum"] * factor, None)[0]


def times_sum(numbers, factor):
    """The answer of a host exercise: only an array has a sum."""
    return numbers.sum() * factor
