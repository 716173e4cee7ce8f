"""The clocks of notebooks run what they are given, and never report a time that no GPU measured."""

import math

import pytest

from autograder import stopwatch
from autograder.backend import cuda


@pytest.mark.parametrize("clock", [stopwatch.wall_us, stopwatch.event_us])
def test_without_a_gpu_the_action_runs_and_the_time_is_unknown(clock, monkeypatch):
    monkeypatch.setattr(stopwatch, "gpu_available", lambda: False)
    calls = []

    assert math.isnan(clock(lambda: calls.append("called")))
    assert ["called"] == calls


def test_an_unknown_time_is_reported_as_not_measured(capsys):
    stopwatch.report("launch", math.nan, moved_bytes=12)

    assert ["launch", "not", "measured", "here"] == capsys.readouterr().out.split()


def test_a_time_is_reported_with_its_rate(capsys):
    stopwatch.report("vector_add", 2_000.0, moved_bytes=8_000_000_000)

    assert ["vector_add", "2,000.0", "us", "4,000", "GB/s"] == capsys.readouterr().out.split()


@pytest.mark.gpu
def test_on_a_gpu_both_clocks_give_a_positive_time():
    array = cuda.device_array(1024)

    assert 0 < stopwatch.wall_us(array.copy_to_host)
    assert 0 < stopwatch.event_us(array.copy_to_host, rounds=3)
