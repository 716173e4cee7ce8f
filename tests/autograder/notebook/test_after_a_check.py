"""What a learner meets after a check: predictions with their reason, hints that fit, pictures that show the mistake."""

import json
import linecache
import sys
import traceback

import numpy as np
import pytest
from numba import cuda

from autograder.judge import check
from autograder.notebook import progress, standing
from autograder.notebook.predicted.why import reason
from autograder.notebook.question import Question
from autograder.programs import own_frames
from simt.errors import InvalidLaunchError
from tests.autograder import answers
from tests.autograder.answers import add_by
from tests.autograder.sample import ADD


@pytest.fixture(autouse=True)
def afresh():
    progress.forget()
    yield
    progress.forget()


@cuda.jit
def draft(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] - b[i]


def asked(program) -> Question:
    """The exercise after a check of a program."""
    question = Question(ADD)
    question.check(program.load()[1])
    return question


def test_a_prediction_is_not_scored_on_an_answer_that_is_wrong(capsys):
    question = Question(ADD)
    name = next(iter(ADD.predictions))
    question.predict(**{name: 4})
    question.check(add_by("a[i] - b[i]").load()[1])
    shown = capsys.readouterr().out
    assert "compared once the answer is right" in shown and "you predicted" not in shown


def test_a_prediction_on_a_right_answer_is_shown_with_its_reason(capsys):
    question = Question(ADD)
    question.predict(**{next(iter(ADD.predictions)): 4})
    question.check(answers.add)
    assert "you predicted" in capsys.readouterr().out


def test_the_reason_is_the_arithmetic_of_a_request():
    whole = {"global_load_requests": 10, "global_load_bytes": 1280, "global_load_sectors": 40}
    apart = {**whole, "global_load_sectors": 320}
    assert "32 x 4 bytes = 128 bytes = 4 sectors" == reason("global_load_sectors_per_request", whole)
    assert "which 4 sectors would hold; they lie in 32" in reason("global_load_sectors_per_request", apart)
    shared = {**whole, "global_load_sectors": 25}  # as where one of two loads is of one element for the whole warp
    said = reason("global_load_sectors_per_request", shared)
    assert (
        "which 4 sectors would hold; where lanes share an element, or still hold it, they take fewer: 2.5 on average"
        in said
    )
    twice = {**whole, "global_load_bytes": 1920}  # one of two elements is asked for again, as by a print
    assert reason("global_load_sectors_per_request", twice).startswith("192 bytes per request, which 6 sectors")
    copies = {"host_to_device_bytes": 8192, "device_to_host_bytes": 4096}
    assert "8,192 bytes up + 4,096 bytes down = 12,288" == reason("transferred_bytes", copies)


def test_a_hint_after_a_right_answer_says_that_it_is_right():
    question = Question(ADD)
    question.check(answers.add)
    assert "add is right. Compare it with ours: q.solution()" == question.hint()


def test_a_hint_on_what_the_verdict_repairs_repeats_the_repair_and_no_ladder_of_another_mistake():
    question = asked(add_by("a[i] + b[i]", index="threadIdx.x"))
    assert "The verdict says it all" in question.hint() and "cuda.threadIdx.x" in question.hint()


@pytest.mark.parametrize(
    ("program", "shown"),
    [
        (add_by("a[i] + b[i]", guard="i <= out.size"), "See it: q.show(line="),
        (add_by("a[i] * 0.1 + b[i]"), ""),
        (add_by("a[i] - b[i]"), ""),
        (add_by("out[i] + a[i] + b[i]"), "Go through it line by line: q.step()"),
    ],
    ids=["out_of_bounds", "double_precision", "wrong_formula", "uninitialised"],
)
def test_a_picture_is_offered_only_where_it_shows_this_mistake(program, shown):
    from autograder.judge import check

    step = check(ADD, program, device="simt", isolate=False).next_step
    assert shown in step if shown else "q.show" not in step and "q.step" not in step


def test_the_picture_is_of_the_case_that_the_verdict_told_of():
    from autograder.judge import check

    outcome = check(ADD, add_by("a[i] + b[i]", guard="i <= out.size"), device="simt", isolate=False)
    sizes = outcome.facts["told_sizes"]
    assert f"n = {sizes['n']}" in outcome.observed


class _Shell:
    """As much of IPython's shell as is asked."""

    execution_count = 3

    def __init__(self, cells, files):
        self.history_manager = type("History", (), {"input_hist_parsed": cells})()
        self.compile = type("Compile", (), {"_filename_map": files})()


def test_a_later_cell_that_did_not_run_is_told(monkeypatch):
    cells = ["", "def add(a, b, out): ...", "def add(a, b, out):\n    out[ = 1"]
    shell = _Shell(cells, {answers.add.py_func.__code__.co_filename: 1})
    monkeypatch.setitem(sys.modules, "IPython", type("IPython", (), {"get_ipython": lambda: shell}))
    question = Question(ADD)
    outcome = standing.told(question.check(answers.add), answers.add)
    assert "The last cell that defines add did not run: SyntaxError" in outcome.notes[0]


def test_a_hint_after_a_syntax_error_is_about_that(monkeypatch):
    shell = _Shell(["", "def add(a, b, out):\n    if a[0] > 1\n        out[0] = 1\nq.check(add)", "q.hint()"], {})
    monkeypatch.setitem(sys.modules, "IPython", type("IPython", (), {"get_ipython": lambda: shell}))
    assert "did not run: SyntaxError, expected ':', line 2: `if a[0] > 1`" in Question(ADD).hint()
    shell.history_manager.input_hist_parsed.append("def add(a, b, out):\n    out[0] = 1")
    assert "SyntaxError" not in Question(ADD).hint()


def test_a_helper_whose_cell_was_not_run_is_named_with_its_cell_and_not_guessed_at(monkeypatch, tmp_path):
    cell = {"cell_type": "code", "source": "@cuda.jit(device=True)\ndef added(a, b):\n    return a + b", "metadata": {}}
    (tmp_path / "mine.ipynb").write_text(json.dumps({"cells": [cell]}))
    question = asked(add_by("added(a[i], b[i])"))
    assert "Run the cell" not in question._last.causes[0].remedy
    monkeypatch.chdir(tmp_path)
    cause = asked(add_by("added(a[i], b[i])"))._last.causes[0]
    assert "Run the cell above that defines added, then this one again." == cause.remedy
    other = asked(add_by("aded(a[i], b[i])"))._last.causes[0]
    assert "Run the cell" not in other.remedy


def test_an_error_in_a_cell_is_shown_without_our_frames():
    @cuda.jit
    def kernel(x):
        x[0] = 1

    with pytest.raises(InvalidLaunchError) as found:
        kernel[0, 32](np.zeros(1))
    learner, *ours = traceback.extract_tb(found.value.__traceback__)
    left = traceback.extract_tb(own_frames.of_the_learner(found.value, found.value.__traceback__))
    assert ours and [learner] == list(left)


def test_a_draft_by_another_name_is_judged_and_hinted_at_and_leaves_the_record_to_the_answer():
    question = Question(ADD)
    question.check(answers.add)
    on_record = progress.record(ADD.id).outcome
    verdict = question.check(draft)

    assert not verdict.passed and on_record is progress.record(ADD.id).outcome
    assert question.hint() != Question(ADD).hint()
    assert "add is right. Compare it with ours: q.solution()" == Question(ADD).hint()


def test_a_wrong_answer_by_its_own_name_goes_on_record():
    question = asked(add_by("a[i] - b[i]"))

    assert question.check(add_by("a[i] - b[i]").load()[1]) is not None
    assert "Wrong" == progress.record(ADD.id).outcome.status


CALLS = (
    "from numba import cuda\n\n\n@cuda.jit(device=True)\ndef one(x):\n    return x * SIGN\n\n\n"
    "@cuda.jit\ndef add(a, b, out):\n    i = cuda.grid(1)\n    if i < out.size:\n        out[i] = a[i] + one(b[i])\n"
)


@pytest.mark.parametrize("later", ["SIGN = -SIGN", "@cuda.jit(device=True)\ndef one(x):\n    return x - x\n"])
def test_what_a_later_cell_makes_of_a_helper_or_a_constant_is_what_is_judged(later):
    """numba, and the interpreter, keep what a kernel was compiled with; the cells say something else by now."""
    cells = {"SIGN": 1}
    for number, source in enumerate((CALLS, later)):
        name = f"<cell {number} of {later[:4]}>"
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        exec(compile(source, name, "exec"), cells)
        outcome = check(ADD, cells["add"], device="simt", isolate=False)
        assert outcome.passed == (number == 0), outcome
