"""Every pitfall of the catalogue is explained where it is made, and not where it is not.

A commit tries a quarter one by one. That the page says of every one what is said now is a test of tests/tools.
"""

import pytest

pytest.importorskip("numba.cuda")

from autograder.lint.compiler import unavailable_reason
from tests.part import a_part
from tests.pitfalls.listing import ALL, ONLY_WITH_GPU

HARMLESS = {"Passed", "ok", "dp4a"}  # what is said of code in which nothing is wrong
LISTED = 45


def _name(pitfall):
    return f"{pitfall.number}-{pitfall.title.replace(' ', '_')}"


def _needs(pitfall):
    if pitfall.found_by == "compiler" and unavailable_reason():
        pytest.skip(unavailable_reason())


SOME = a_part([one for one in ALL if one.kind], 4, _name)


@pytest.mark.parametrize("pitfall", SOME)
def test_the_mistake_is_explained_and_nothing_else_is(pitfall):
    _needs(pitfall)
    said = pitfall.wrong.run()
    assert {pitfall.kind} == {one.kind for one in said}
    assert any(pitfall.says in one.says for one in said), said


@pytest.mark.parametrize("pitfall", SOME)
def test_the_corrected_twin_is_left_in_peace(pitfall):
    _needs(pitfall)
    assert set() == {one.kind for one in pitfall.right.run()} - HARMLESS


@pytest.mark.parametrize("pitfall", [one for one in ALL if not one.kind], ids=_name)
def test_a_pitfall_of_other_tools_does_not_exist_here(pitfall):
    assert [] == pitfall.wrong.run() + pitfall.right.run()


def test_every_number_is_either_diagnosed_or_needs_a_gpu():
    diagnosed, timed = {one.number for one in ALL}, {one.number for one in ONLY_WITH_GPU}
    assert set() == diagnosed & timed
    assert set(range(1, LISTED + 1)) == diagnosed | timed


def test_at_least_thirty_are_diagnosed_without_a_gpu():
    assert len({one.number for one in ALL if one.kind}) >= 30
