"""The other project of the name autograder: who has the file that both bring is told."""

from __future__ import annotations

import pytest

from autograder.cli import main
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


def test_theirs_removed_again_took_our_file_along_and_the_command_brings_it_back(tmp_path, monkeypatch):
    monkeypatch.setattr(namesake, "HOME", tmp_path)

    assert BROKEN == namesake.check().status
    assert "--force-reinstall" in namesake.check().mend


def test_who_starts_the_course_is_told_before_it_opens(tmp_path, monkeypatch, capsys):
    beside(tmp_path, monkeypatch, "")

    assert 0 == main(["start", str(tmp_path / "course"), "--no-open"])
    assert "took Warpbook's place" in capsys.readouterr().out
