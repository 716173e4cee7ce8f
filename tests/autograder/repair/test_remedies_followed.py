"""Who does what a verdict says is better off: a commit tries a sample of the catalogue, a release all of it."""

import pytest

from autograder import exercises
from autograder.exercises.catalogue import answers_for
from autograder.outcome import Cause
from autograder.repair.remedies import can_be_carried_out
from tests.part import a_part
from tools.check_remedies import MOST_NAMELESS, Followed, follow, told, wrong_answers

EVERY = 90  # of the wrong answers, in a commit
ANSWERS = [f"{one.id}/{answer.name}" for one in exercises.all_exercises() for answer in wrong_answers(one)]


@pytest.mark.parametrize("name", a_part(ANSWERS, EVERY))
def test_what_a_verdict_says_helps(name):
    identifier, _, answer = name.partition("/")
    exercise = exercises.find(identifier)
    row = follow(exercise, next(one for one in answers_for(exercise) if one.name == answer))

    assert "does not help" != row.state, row.seen


@pytest.mark.parametrize(
    ("kind", "remedy", "carried_out"),
    [
        ("out_of_bounds", "Guard the line: it may only run where `i` is less than out.size.", True),
        ("out_of_bounds", "Let it run only where `row` is below 4, or make rows larger.", True),
        ("out_of_bounds", "Work it out by hand for that thread.", False),
        ("race", "Put cuda.syncthreads() after line 7, where every thread arrives.", True),
        ("race", "Use an atomic, such as cuda.atomic.add(hist, index, value).", False),
        ("wrong_output", "Guard the line: it may only run where `i` is less than out.size.", False),
    ],
)
def test_what_says_what_to_type_is_carried_out_and_the_rest_is_advice(kind, remedy, carried_out):
    assert carried_out == can_be_carried_out(Cause(kind, "", "", remedy, (3,)))


def test_the_count_fails_where_a_remedy_does_not_help_or_too_many_verdicts_name_nothing(capsys):
    fine = [Followed("a.b", str(k), "helps") for k in range(round(1 / MOST_NAMELESS))]

    assert 0 == told([*fine, Followed("a.b", "c", "names nothing")])
    assert 1 == told([*fine, *[Followed("a.b", "c", "names nothing")] * 3])
    assert 1 == told([*fine, Followed("a.b", "c", "does not help", "the same again")])
    assert "the same again" in capsys.readouterr().out
