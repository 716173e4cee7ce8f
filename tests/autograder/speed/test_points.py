"""Points follow position between naive and reference, and nothing else."""

import pytest

from autograder.contract import SpeedPolicy
from autograder.speed.points import grade

POLICY = SpeedPolicy(points=4.0, sizes_for=lambda n_bytes: {"n": n_bytes // 4})


def test_the_reference_itself_earns_full_points_at_position_one():
    marks = grade(POLICY, time_us=100.0, reference_us=100.0, naive_us=300.0)

    assert 4.0 == marks.points
    assert pytest.approx(1.0) == marks.position


def test_the_naive_kernel_earns_nothing():
    assert 0.0 == grade(POLICY, time_us=300.0, reference_us=100.0, naive_us=300.0).points


def test_halfway_in_log_time_lands_between():
    marks = grade(POLICY, time_us=200.0, reference_us=100.0, naive_us=400.0)

    assert pytest.approx(0.5) == marks.position
    assert 1.5 < marks.points < 2.5


def test_points_do_not_depend_on_the_speed_of_the_device():
    slow, fast = (grade(POLICY, 150.0 * scale, 100.0 * scale, 300.0 * scale) for scale in (10.0, 0.1))

    assert slow.points == fast.points


def test_low_contrast_is_graded_by_efficiency_not_position():
    close = grade(POLICY, time_us=110.0, reference_us=100.0, naive_us=120.0)
    far = grade(POLICY, time_us=250.0, reference_us=100.0, naive_us=120.0)

    assert close.position is None
    assert 4.0 == close.points
    assert 0.0 == far.points


@pytest.mark.parametrize("bad", [0.0, -1.0, float("nan"), float("inf")])
def test_a_time_that_is_no_time_is_refused(bad):
    with pytest.raises(ValueError, match="positive, finite"):
        grade(POLICY, bad, 100.0, 300.0)
