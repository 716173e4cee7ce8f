"""Points follow position between naive and reference, and nothing else."""

import pytest

from autograder.contract import SpeedPolicy
from autograder.speed.points import grade, threshold

POLICY = SpeedPolicy(points=4.0, sizes_for=lambda n_bytes: {"n": n_bytes // 4})


def test_the_reference_itself_earns_full_points_at_position_one():
    marks = grade(POLICY, ratio=1.0, contrast=3.0)

    assert 4.0 == marks.points
    assert pytest.approx(1.0) == marks.position


def test_the_naive_kernel_earns_nothing():
    assert 0.0 == grade(POLICY, ratio=3.0, contrast=3.0).points


def test_halfway_in_log_time_lands_between():
    marks = grade(POLICY, ratio=2.0, contrast=4.0)

    assert pytest.approx(0.5) == marks.position
    assert 1.5 < marks.points < 2.5


@pytest.mark.parametrize("contrast", [1.2, 1.6, 3.0, 40.0])
def test_full_points_begin_at_the_threshold_and_end_behind_it(contrast):
    most = threshold(POLICY, contrast)

    assert 4.0 == grade(POLICY, most, contrast).points
    assert grade(POLICY, 1.02 * most, contrast).points < 4.0
    assert 4.0 == grade(POLICY, 1.02 * most, contrast, full=True).points


def test_low_contrast_is_graded_by_efficiency_not_position():
    close = grade(POLICY, ratio=1.1, contrast=1.2)
    far = grade(POLICY, ratio=2.5, contrast=1.2)

    assert close.position is None
    assert 4.0 == close.points
    assert 0.0 == far.points


@pytest.mark.parametrize("bad", [0.0, -1.0, float("nan"), float("inf")])
def test_a_time_that_is_no_time_is_refused(bad):
    with pytest.raises(ValueError, match="positive, finite"):
        grade(POLICY, bad, 3.0)
    with pytest.raises(ValueError, match="positive, finite"):
        grade(POLICY, 1.0, bad)
