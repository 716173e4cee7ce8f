"""What workers share is made once."""

import tempfile
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from tests.made_once import made_once
from tests.patience import PATIENCE_S


@pytest.fixture
def among_workers(monkeypatch, tmp_path):
    pytest.importorskip("fcntl")
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw0")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def test_each_thing_is_made_by_one_worker_while_another_makes_the_next(among_workers):
    made, begun, next_is_made = [], Event(), Event()

    def first():
        made.append("first")
        begun.set()
        assert next_is_made.wait(PATIENCE_S)
        return 1

    def second():
        made.append("second")
        next_is_made.set()
        return 2

    makers = {"a": first, ("b", 2): second}
    with ThreadPoolExecutor(2) as workers:
        one = workers.submit(made_once, "things", makers)
        assert begun.wait(PATIENCE_S)
        other = workers.submit(made_once, "things", makers)

        assert {"a": 1, ("b", 2): 2} == one.result() == other.result()
    assert ["first", "second"] == made


def test_what_one_worker_fails_to_make_fails_in_each(among_workers):
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            made_once("things", {"a": lambda: 1 // 0})


def test_who_is_no_worker_makes_all_anew(monkeypatch):
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    made = []

    for _ in range(2):
        made_once("things", {"a": lambda: made.append(1)})

    assert [1, 1] == made
