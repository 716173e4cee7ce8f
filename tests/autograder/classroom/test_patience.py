"""How long a visit to the jail is waited for: by what it computes and how long it sleeps, not by a clock."""

import pytest

from autograder.classroom.jail import namespaces as jail
from autograder.classroom.jail import visit
from autograder.classroom.messages.conversation import JailError
from tests.autograder.classroom.test_visit import says

needs_jail = pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")


@needs_jail
@pytest.mark.parametrize("sleeps", ["time.sleep(600)", "while True: time.sleep(0.05)", "os.read(os.pipe()[0], 1)"])
def test_a_visit_that_sleeps_ends_after_seconds_of_sleep_and_is_told_from_one_that_computes(sleeps, monkeypatch):
    monkeypatch.setattr(visit, "ASLEEP_S", 0.5)

    with pytest.raises(JailError) as told:
        says("0", f"import time\n{sleeps}", seconds=600)

    assert "asleep" == told.value.kind
    assert 0.5 < told.value.worked_s + visit.LONGEST_LOOK_S


def test_who_waits_for_a_processor_is_not_asleep(monkeypatch):
    looks = iter([(0.0, True)] * 50)
    monkeypatch.setattr(visit.conversation, "tree_at_work", lambda pid: next(looks))
    monkeypatch.setattr(visit.conversation, "need_little", lambda pid: None)
    clock = iter(range(1000))
    monkeypatch.setattr(visit.time, "monotonic", lambda: float(next(clock)))
    look = visit._Watched(1).begin(most_s=5.0)

    for _ in range(40):
        look()


@pytest.mark.parametrize(("worked_s", "times"), [(0.1, 2), (90.0, 1)])
def test_what_died_after_long_work_is_not_tried_again(worked_s, times):
    tried = []

    def attempt():
        tried.append(1)
        raise JailError("died", "gone", worked_s=worked_s)

    with pytest.raises(JailError):
        visit.tried_again(attempt)

    assert times == len(tried)
