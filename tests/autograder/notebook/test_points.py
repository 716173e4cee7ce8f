"""A graded cell ends with its points: nbgrader reads the number, a learner has read it in the verdict already."""

from __future__ import annotations

import pytest

from autograder.outcome import Points, Speed

formatters = pytest.importorskip("IPython.core.formatters")


def test_points_are_a_number_in_nbgrader_and_nothing_for_a_learner(monkeypatch):
    points = Speed(True, "as fast as the reference", points=0.5).points
    show = formatters.DisplayFormatter().format

    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    assert ({}, {}) == show(points)
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert {"text/plain": "0.5"} == show(points)[0]


def test_points_count_as_any_number():
    assert 0.75 == Points(0.5) + 0.25
