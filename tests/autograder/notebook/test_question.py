"""A learner's view of one exercise: predict, check, hint, show, solution, race without a GPU."""

import re

import numpy as np
import pytest
from numba import cuda

from autograder import backend, exercise, exercises
from autograder.notebook import progress, standing
from autograder.notebook.predicted.predictions import PredictionError
from autograder.outcome import NotAttempted
from simt.cuda_api import streams
from tools import check_exercises

ID = "vector_add.vector_add"
SPEED_ID = "vector_add.vector_add_unrolled"


@pytest.fixture(autouse=True)
def fresh_session():
    progress.forget()
    yield
    progress.forget()


@cuda.jit
def right(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]


@cuda.jit
def unguarded(a, b, out):
    i = cuda.grid(1)
    out[i] = a[i] + b[i]


@cuda.jit
def stub(a, b, out):
    raise NotImplementedError()


def test_an_unknown_id_names_the_nearest_ones():
    with pytest.raises(exercises.UnknownExerciseError, match=r"vector_add\.vector_add"):
        exercise("vector_add.vectoradd")


@pytest.mark.parametrize("passed", ("vector_add", right[1, 32], None), ids=("its name", "a launch", "nothing"))
def test_what_is_no_function_is_told_with_what_to_pass(passed):
    with pytest.raises(standing.NoFunctionError, match=r"q\.check\(vector_add\)"):
        exercise(ID).check(passed)


@pytest.mark.parametrize("unnamed", ((4,), ()))
def test_predictions_need_their_names(unnamed):
    with pytest.raises(ValueError, match="global_load_sectors_per_request=..."):
        exercise(ID).predict(*unnamed)


def test_check_shows_the_verdict_and_returns_it(capsys):
    outcome = exercise(ID).check(right)

    assert outcome.passed
    assert isinstance(outcome.points, float)
    captured = capsys.readouterr()
    assert "vector_add: right" in captured.out or "right: right" in captured.out
    assert "" == captured.err


def test_a_prediction_stands_beside_the_measured_number_after_the_check(capsys):
    q = exercise(ID)
    q.predict(global_load_requests=7)
    q.check(right)

    out = capsys.readouterr().out
    assert "you predicted" in out
    assert "too low  global load requests" in out


@pytest.mark.parametrize(("number", "word"), [(64, "exactly"), (63, "close"), (65, "close"), (90, "too high")])
def test_a_prediction_hears_how_near_it_came(number, word, capsys):
    q = exercise(ID)
    q.predict(global_load_requests=number)
    q.check(right)

    assert f"{word}  global load requests" in re.sub(" {2,}", "  ", capsys.readouterr().out)


def test_an_untouched_prediction_asks_for_a_number_and_commits_to_nothing(capsys):
    q = exercise(ID)
    q.predict(global_load_requests=...)

    assert {} == progress.record(ID).predictions
    assert "Replace the ..." in capsys.readouterr().out


@pytest.mark.parametrize("bad", [{"bananas": 4}, {"global_load_requests": "four"}, {"global_load_requests": True}])
def test_a_prediction_of_nothing_known_or_by_no_number_says_what_to_write(bad):
    with pytest.raises(PredictionError, match="global_load_requests|a prediction is a number"):
        exercise(ID).predict(**bad)


def test_hints_answer_the_mistake_that_was_found_and_climb(capsys):
    q = exercise(ID)
    q.check(unguarded)
    first, second = q.hint(), q.hint()
    ladder = next(hint.ladder for hint in q.exercise.hints if hint.misconception == "no_guard")

    assert ladder[0] in first
    assert ladder[1] in second
    assert ladder[0] in q.hint(1)


def test_hints_before_any_check_start_at_the_beginning():
    q = exercise(ID)
    ladder = next(hint.ladder for hint in q.exercise.hints if hint.misconception == "start")

    assert ladder[0] in q.hint()


@pytest.mark.parametrize("level", [0, -1, "two"])
def test_a_hint_level_that_is_none_says_which_there_are(level):
    with pytest.raises(ValueError, match="levels are 1 to"):
        exercise(ID).hint(level)


def test_show_draws_what_was_checked_last():
    q = exercise(ID)
    q.check(right)

    assert "the task of" not in q.show().alt.lower()


def test_show_draws_the_task_until_there_is_an_answer():
    q = exercise(ID)
    before = q.show().alt
    q.check(stub)

    assert "the task of" in before.lower() and before == q.show().alt


def test_show_of_a_stub_says_that_there_is_nothing_to_draw(capsys):
    assert exercise(ID).show(stub) is None
    assert "no picture to draw yet: stub still holds only its stub." in capsys.readouterr().out


@pytest.mark.skipif(backend.gpu_available(), reason="with a GPU the race is graded: see tests/gpu")
def test_a_race_without_a_gpu_says_so_and_grades_nothing(capsys):
    q = exercise(SPEED_ID)
    speed = q.race(exercises_solution(q.exercise))

    assert not speed.graded
    assert 0.0 == speed.points
    said = capsys.readouterr().out
    assert "Speed is not graded here" in said
    assert "its sectors carry 1 times the bytes that have to move" in said
    assert "A bound, not a measurement" in said


def exercises_solution(chosen):
    from autograder.answer import reference

    return reference.solution_program(chosen).load()[1]


@pytest.mark.parametrize(("checked_first", "judged_by_the_race"), [(True, 0), (False, 1)])
def test_a_race_does_not_judge_again_what_a_check_just_found_right(monkeypatch, checked_first, judged_by_the_race):
    q, asked = exercise(SPEED_ID), []
    answer = exercises_solution(q.exercise)
    if checked_first:
        q.check(answer)
    monkeypatch.setattr("autograder.speed.race._check", lambda *given: asked.append(given) or verdict_of_no_try(q))

    exercise(SPEED_ID).race(answer)

    assert judged_by_the_race == len(asked)


def test_a_race_judges_what_changed_since_the_check(monkeypatch):
    q, asked = exercise(SPEED_ID), []
    q.check(exercises_solution(q.exercise))
    monkeypatch.setattr("autograder.speed.race._check", lambda *given: asked.append(given) or verdict_of_no_try(q))

    q.race(unguarded)

    assert 1 == len(asked)


def verdict_of_no_try(q):
    return NotAttempted(q.exercise.id, 0.0, q.exercise.points, "nothing was tried")


def test_a_race_of_a_wrong_answer_is_not_run():
    speed = exercise(SPEED_ID).race(unguarded)

    assert "not right yet" in speed.says
    assert not speed.graded


@pytest.mark.skipif(backend.gpu_available(), reason="the stand-in only takes over where there is no GPU")
def test_host_code_runs_unmodified_without_a_gpu(capsys, monkeypatch):
    monkeypatch.setattr(streams, "_said", False)  # whatever ran before in this process
    start, stop = cuda.event(), cuda.event()
    stream = cuda.stream()
    a = np.arange(1000, dtype=np.float32)
    d_a = cuda.to_device(a, stream=stream)
    d_out = cuda.device_array_like(d_a)
    start.record(stream)
    right[4, 256, stream](d_a, d_a, d_out)
    stop.record(stream)
    stop.synchronize()

    np.testing.assert_array_equal(a + a, d_out.copy_to_host())
    assert np.isnan(cuda.event_elapsed_time(start, stop))
    assert "not measured" in capsys.readouterr().out


def test_step_walks_through_the_kernel_that_was_checked_last(capsys):
    q = exercise(ID)
    with pytest.raises(ValueError, match=r"q\.step\(my_kernel\)"):
        q.step()
    q.check(right)
    walk = q.step()

    assert "out[i] = a[i] + b[i]" in [walk.line_text(step) for step in walk.steps]
    assert "writes out[5]" in q.step(right, thread=5).last().text()


def test_step_and_show_take_a_size_and_a_block_where_something_goes_wrong(capsys):
    q = exercise(ID)
    walk = q.step(unguarded)

    assert "block 0 of" not in walk.text()
    assert {"out_of_bounds"} == {finding.kind for finding in walk.last().findings()}
    assert "outside" in q.show(unguarded).words
    assert "block 0 of" in q.step(right).text()


def test_step_says_why_there_are_no_steps(capsys):
    assert exercise("vector_add.blocks_for").step(lambda n, threads: -(-n // threads)) is None
    assert "There is no step to show. blocks_for launches no kernels here." in capsys.readouterr().out


def host_stub(a, b):
    raise NotImplementedError()


@pytest.mark.parametrize(("exercise_id", "untouched"), [(ID, stub), ("vector_add.add_four", host_stub)])
def test_a_stub_is_not_stepped_through_so_a_cell_can_show_another_kernel(exercise_id, untouched):
    with pytest.raises(NotImplementedError, match=f"{untouched.__name__} still holds only its stub"):
        exercise(exercise_id).step(untouched)


def test_a_launch_of_a_host_function_is_stepped_through_by_its_number(capsys):
    q = exercise("vector_add.add_four")
    function = check_exercises.solution_of(q.exercise).load()[1]

    assert "launch 1 of 3, block 0" in q.step(function).text()
    assert "launch 3 of 3, block 0" in q.step(function, launch=2).text()
    assert q.step(function, launch=3) is None
    assert "add_four launches 3 kernels here" in capsys.readouterr().out


def test_a_loop_that_never_ends_is_stepped_through_until_it_was_stopped(monkeypatch):
    monkeypatch.setattr("autograder.notebook.picture.SECONDS", 0.5)
    walk = exercise(ID).step(endless)

    assert "The kernel stopped: " in walk.text()
    assert "Only the first 1,000 steps are kept" in walk.text() or len(walk) < 1000


@cuda.jit
def endless(a, b, out):
    i = 0
    while i < out.size + 1:
        i = (i + 1) % out.size


@pytest.mark.parametrize("asked", ["hint", "solution"])
def test_a_cell_that_ends_with_a_hint_or_a_solution_shows_it_once(asked):
    shell = pytest.importorskip("IPython.core.interactiveshell").InteractiveShell()

    shown = getattr(exercise(ID), asked)()

    assert isinstance(shown, str) and ({}, {}) == shell.display_formatter.format(shown)
