"""The median of paired ratios holds under drift that both contenders share."""

import numpy as np
import pytest

from autograder.speed.rounds import LOOKS, MISSED, _rank, decided, enough, paired_ratio


@pytest.mark.parametrize(("rounds", "rank"), LOOKS.items())
def test_interval_ranks_are_those_of_the_sign_test(rounds, rank):
    assert rank == _rank(rounds)


def test_shared_drift_cancels_in_the_ratio():
    rng = np.random.default_rng(1)
    drift = np.linspace(1.0, 2.0, 60)
    reference = 100 * drift * rng.normal(1, 0.002, 60)
    student = 110 * drift * rng.normal(1, 0.002, 60)
    ratio = paired_ratio(student, reference)

    assert pytest.approx(1.10, rel=0.005) == ratio.median
    assert ratio.low <= 1.10 <= ratio.high


def test_noise_asks_for_more_rounds_and_calm_does_not():
    rng = np.random.default_rng(2)
    calm, noisy = rng.normal(100, 0.1, 15), rng.normal(100, 20, 15)

    assert enough(paired_ratio(calm, calm[::-1]), 1.1, 15)
    assert not enough(paired_ratio(noisy, np.full(15, 100.0)), 1.1, 15)


def test_the_last_look_always_ends_it():
    rng = np.random.default_rng(3)

    assert enough(paired_ratio(rng.uniform(1, 100, 240), rng.uniform(1, 100, 240)), 1.0, 240)


def test_nothing_is_enough_between_two_looks():
    calm = paired_ratio([100.0] * 16, [200.0] * 16)

    assert not enough(calm, 1.1, 16)
    assert enough(calm, 1.1, 30)


def test_rounds_too_few_for_an_interval_are_not_enough():
    few = paired_ratio([3.0, 3.0], [1.0, 1.0])

    assert MISSED == decided(few, 1.0)
    assert not enough(few, 1.0, min(LOOKS))
