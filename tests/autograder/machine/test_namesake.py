"""The other project of the name autograder: who has the file that both bring is told."""

from __future__ import annotations

import pytest

from autograder.machine import namesake
from autograder.machine.check import BROKEN, LIMITED, OK


def beside(tmp_path, monkeypatch, init: str):
    (tmp_path / namesake.THEIRS).mkdir()
    (tmp_path / "__init__.py").write_text(init)
    monkeypatch.setattr(namesake, "HOME", tmp_path)


def test_alone_there_is_nothing_to_say(recwarn):
    namesake.warn()

    assert OK == namesake.check().status
    assert 0 == len(recwarn)


def test_ours_installed_last_works_and_says_whom_it_broke(tmp_path, monkeypatch):
    beside(tmp_path, monkeypatch, "HOMES = {}")

    assert LIMITED == namesake.check().status
    with pytest.warns(UserWarning, match="Warpbook works, the other does not"):
        namesake.warn()


def test_theirs_installed_last_is_broken_and_names_the_command(tmp_path, monkeypatch):
    beside(tmp_path, monkeypatch, "")

    assert BROKEN == namesake.check().status
    assert "--force-reinstall" in namesake.check().mend
