"""Who is fast enough, by clocks that are made up: drift, jitter and outliers that no clock of ours can take out."""

import math

import numpy as np
import pytest

from autograder.contract import SpeedPolicy
from autograder.speed.decision import decision, enough_rounds, kept_rounds
from autograder.speed.rounds import BORDERLINE, LOOKS, MET, MISSED

POLICY = SpeedPolicy(points=4.0, sizes_for=lambda n_bytes: {"n": n_bytes // 4})
CONTRAST = 3.0
LINE = 1.03 * CONTRAST**0.15  # the ratio to the reference that still earns full points


def timed(ratio: float, seed: int, jitter: float = 0.01) -> dict[str, list[float]]:
    """Rounds until they are enough, on a clock that drifts by a tenth, changes regime and has outliers."""
    rng = np.random.default_rng(seed)
    usual = {"yours": 100 * ratio, "reference": 100.0, "naive": 100 * CONTRAST, "copy": 80.0}
    times: dict[str, list[float]] = {name: [] for name in usual}
    regime = rng.integers(5, max(LOOKS))
    for turn in range(max(LOOKS)):
        shared = 1 + 0.1 * math.sin(turn / 40) + 0.05 * (turn > regime)
        for name, time_us in usual.items():
            late = rng.random() < 0.05
            times[name].append(time_us * shared * rng.lognormal(0, jitter) * (1 + 0.2 * late))
        if enough_rounds(POLICY, times):
            break
    return times


@pytest.mark.parametrize(("apart", "side"), [(0.95, MET), (1.05, MISSED)])
def test_kernels_five_per_cent_either_side_of_the_line_are_told_apart_twenty_times_of_twenty(apart, side):
    assert [side] * 20 == [decision(POLICY, timed(LINE * apart, seed)).side for seed in range(20)]


def test_what_lies_on_the_line_is_borderline_and_has_met_it():
    sides = [decision(POLICY, timed(LINE, seed, jitter=0.02)).side for seed in range(20)]

    assert sides.count(BORDERLINE) >= 18
    assert MISSED not in sides


def test_a_clear_case_takes_few_rounds_and_a_close_one_all_of_them():
    clear = timed(LINE * 0.8, seed=1)
    close = timed(LINE, seed=3, jitter=0.02)

    assert 15 == len(clear["yours"])
    assert max(LOOKS) == len(close["yours"])


def test_rounds_in_which_a_copy_was_slow_are_left_out_for_everybody():
    times = timed(LINE * 0.95, seed=5, jitter=0.001)
    n_rounds = len(times["yours"])
    times["copy"] = [80.0] * n_rounds
    for turn in (2, 7):
        times["copy"][turn], times["yours"][turn] = 120.0, 1000.0

    found = decision(POLICY, times)

    assert 2 == found.discarded == n_rounds - len(kept_rounds(times))
    assert pytest.approx(LINE * 0.95, rel=0.01) == found.ratio.median


def test_a_naive_version_that_was_timed_in_the_first_rounds_only_still_says_the_contrast():
    times = timed(LINE * 0.97, seed=2)
    times["naive"] = times["naive"][:15]

    assert pytest.approx(CONTRAST, rel=0.02) == decision(POLICY, times).contrast


def test_rounds_too_few_for_an_interval_are_borderline_only_where_their_median_has_met_the_line():
    """A kernel that takes seconds leaves time for a few rounds: it had full points for that."""
    times = {"yours": [101.0] * 5, "reference": [100.0] * 5, "naive": [300.0] * 5, "copy": [80.0] * 5}

    assert BORDERLINE == decision(POLICY, times).side
    assert MISSED == decision(POLICY, {**times, "yours": [5e6] * 5}).side
    assert decision(POLICY, {**times, "reference": []}) is None


@pytest.mark.parametrize(("takes_us", "rounds"), [(60.0 * 300, 3), (5e6, 2)])
def test_what_is_beyond_hope_is_not_launched_fifteen_times(takes_us, rounds):
    others = {"reference": [100.0] * rounds, "naive": [300.0] * rounds, "copy": [80.0] * rounds}

    assert enough_rounds(POLICY, {"yours": [takes_us] * rounds, **others})
    assert not enough_rounds(POLICY, {"yours": [takes_us] * (rounds - 1), **others})
    assert not enough_rounds(POLICY, {"yours": [takes_us] * (rounds - 1) + [250.0], **others}), "a stall is no speed"
    assert MISSED == decision(POLICY, {"yours": [takes_us] * rounds, **others}).side
