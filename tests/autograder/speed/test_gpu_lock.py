"""Who has a GPU for itself is told for how long nobody had it before: a GPU in use has its clock up."""

import math
import os
import time

import pytest

from autograder.speed import gpu_lock
from autograder.speed.gpu_lock import alone_on_the_gpu


def test_it_is_told_for_how_long_nobody_had_the_gpu_and_that_nobody_knows(tmp_path, monkeypatch):
    monkeypatch.setattr(gpu_lock.tempfile, "gettempdir", lambda: str(tmp_path))

    with alone_on_the_gpu("one") as never:
        pass
    with alone_on_the_gpu("one") as just_now:
        pass
    (path,) = tmp_path.iterdir()
    os.utime(path, (time.time() - 60,) * 2)
    with alone_on_the_gpu("one") as a_minute:
        pass
    os.utime(path, (time.time() + 60,) * 2)
    with alone_on_the_gpu("one") as clock_was_set_back:
        pass

    assert math.inf == never == clock_was_set_back
    assert 0 <= just_now < 30 < a_minute < 90


def test_a_gpu_on_which_something_failed_is_not_said_to_be_in_use(tmp_path, monkeypatch):
    monkeypatch.setattr(gpu_lock.tempfile, "gettempdir", lambda: str(tmp_path))

    with pytest.raises(ValueError), alone_on_the_gpu("one"):
        raise ValueError
    with alone_on_the_gpu("one") as idle_s:
        assert math.inf == idle_s
