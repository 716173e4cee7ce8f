"""`make test-all` runs every target that proves something, goes on after a failure, and says what ran."""

from __future__ import annotations

import re

import pytest

from tools import test_all
from tools.parts.units import ROOT

PROVE_NOTHING = {  # they write, open or set something up
    "help", "lab", "drill", "course", "generated", "bench", "record", "format", "environment",
    "environment-dev", "environment-drills", "test-all", "site",
}  # fmt: skip


def test_every_target_of_the_menu_is_a_step_or_proves_nothing():
    targets = set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))

    assert targets - PROVE_NOTHING == set(test_all.STEPS)


def test_a_step_that_fails_does_not_stop_the_others_and_is_told(monkeypatch, capsys):
    said = {"lint": "FAILED", "test": "passed"}
    monkeypatch.setattr(test_all, "run", lambda step: (said[step], 2.0, 3.0))

    assert 1 == test_all.main(["test", "lint"])
    assert ["lint", "FAILED", "2", "3"] == capsys.readouterr().out.splitlines()[-2].split()


def test_without_a_gpu_its_step_is_skipped_and_says_so(monkeypatch):
    monkeypatch.setattr(test_all, "has_gpu", lambda: False)

    assert "skipped: no NVIDIA GPU here" == test_all.run("test-gpu")[0]


def test_every_unit_is_built_where_the_tests_of_the_browser_look_for_them():
    lite = pytest.importorskip("tests.browser.test_lite", reason="Playwright is not installed")

    assert f"LITE_FLAGS=--solved --output {lite.SITE.relative_to(ROOT)}" == test_all.VARIABLES["lite"]
    assert [*test_all.STEPS].index("lite") < [*test_all.STEPS].index("test-release")


def test_without_npm_nothing_is_built_and_it_says_so(monkeypatch):
    monkeypatch.setattr(test_all.shutil, "which", lambda name: None)

    assert "skipped: no npm here" == test_all.run("lite")[0]


def test_a_step_that_is_none_is_refused_with_those_there_are(capsys):
    with pytest.raises(SystemExit):
        test_all.main(["tests"])
    assert "there is no step tests. There are: lint" in capsys.readouterr().err
