"""Races are listened for in as many corners as there is work for, in small ones and in large ones."""

import pytest

from autograder import exercises
from autograder.contract import RISING, Case
from autograder.running import listening
from autograder.running.listening import Listening

OWN = Case({"n": 70_003}, trace=False)
CORNERS = [Case({"n": n}, trace=False, corner="size") for n in range(1, 21)]
RISES = Case({"n": 33}, RISING, trace=False, corner="value")
EXERCISE = exercises.find("vector_add.vector_add")
TEXT = "tile = cuda.shared.array(32, float32)"


def heard_of(steps: float) -> list[int]:
    """The sizes of the corners that are listened to, where each takes so many steps."""
    ear = Listening.to(EXERCISE, [OWN, *CORNERS, RISES], TEXT)
    heard = []
    for case in CORNERS:
        if ear.wants(case):
            heard.append(case.sizes["n"])
            ear.heard(case, steps)
    return heard


def test_every_corner_is_listened_to_where_that_is_cheap():
    assert list(range(1, 21)) == heard_of(listening.STEPS / 20)


@pytest.mark.parametrize("times", [2, 4, 10])
def test_where_it_is_dear_as_many_are_as_the_work_lasts_for_spread_over_all(times):
    heard = heard_of(listening.STEPS / 20 * times)

    assert 20 / times <= len(heard) <= 20 / times + 1
    assert heard[0] == 1 and 20 - heard[-1] <= times


def test_what_small_corners_take_leaves_long_ones_their_share():
    small = [Case({"n": n}, trace=False, corner="value") for n in range(1, 4)]
    ear = Listening.to(EXERCISE, [*small, *CORNERS], TEXT)
    ear.wants(small[0])
    ear.heard(small[0], 1e9)

    assert not ear.wants(small[1]) and ear.wants(CORNERS[0])


@pytest.mark.parametrize(
    ("case", "wanted"),
    [
        (Case({"n": 61_300}, trace=False), False),  # as a size may be drawn
        (Case({"n": 70_003}, trace=False, values="general"), True),
        (Case({"n": 70_003}, trace=False, launch=(1, 32)), True),
        (Case({"n": 35_000}, trace=False), True),
        (Case({"n": 70_006}, trace=False, last=True), True),  # past a number that the answer names
    ],
)
def test_of_cases_whose_sizes_hardly_differ_one_is_listened_to(case, wanted):
    ear = Listening.to(EXERCISE, [OWN, case], TEXT)
    ear.heard(OWN, 1e9)

    assert wanted == ear.wants(case)


def test_the_contracts_own_cases_always_and_other_values_and_kernels_that_share_nothing_never():
    ear = Listening.to(EXERCISE, [OWN, *CORNERS, RISES], TEXT)
    ear.heard(CORNERS[0], 1e9)

    assert ear.wants(OWN)
    assert not ear.wants(RISES) and not Listening.to(EXERCISE, CORNERS, "no tile at all").wants(CORNERS[0])


def test_the_corner_with_most_arithmetic_for_a_thread_is_listened_to_where_others_have_taken_the_work():
    exercise = exercises.find("convolution.conv_implicit")
    sizes = dict(exercise.cases[-1].sizes)
    wide, deep = (Case({**sizes, name: 14}, trace=False, corner="value") for name in ("n_rows", "n_in"))
    ear = Listening.to(exercise, [wide, deep], TEXT)
    ear.heard(wide, 1e9)

    assert not ear.wants(wide) and ear.wants(deep)
