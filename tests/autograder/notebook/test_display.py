"""A verdict is seen once in the cell that made it, and again wherever it is asked for."""

from __future__ import annotations

import pytest

import autograder.report.text  # noqa: F401 - how an outcome reads
from autograder.notebook import display
from autograder.outcome import Passed, Speed

OUTCOME = Passed("a.b", 1.0, 1.0, "b: right")


@pytest.fixture
def cell(monkeypatch):
    """Set the number of the running cell."""

    def goes_to(number: int) -> None:
        monkeypatch.setattr(display, "_cell_number", lambda: number)

    goes_to(7)
    return goes_to


def seen(capsys, outcome) -> int:
    """How often the end of a cell shows it."""
    outcome._ipython_display_()
    return capsys.readouterr().out.count("b: right")


def test_a_cell_that_ends_with_what_it_has_shown_does_not_show_it_twice(cell, capsys):
    assert 0 == seen(capsys, display.shown(OUTCOME))


def test_a_later_cell_shows_it_again(cell, capsys):
    display.shown(OUTCOME)
    cell(8)

    assert 1 == seen(capsys, OUTCOME)


def test_another_outcome_than_the_last_one_shown_is_shown(cell, capsys):
    display.shown(Passed("a.c", 1.0, 1.0, "c: right"))

    assert 1 == seen(capsys, OUTCOME)


def test_a_picture_is_shown_where_it_is_asked_for_and_not_again_at_the_end_of_that_cell(monkeypatch):
    class Picture:
        times = 0

        def _ipython_display_(self):
            self.times += 1

    cell = [1]
    monkeypatch.setattr(display, "in_notebook", lambda: True)
    monkeypatch.setattr(display, "_cell_number", lambda: cell[0])
    picture = display.at_once(Picture())
    picture._ipython_display_()  # what IPython does with the last value of the cell
    assert 1 == picture.times
    cell[0] = 2
    picture._ipython_display_()
    assert 2 == picture.times and display.at_once(None) is None


def test_a_table_keeps_its_columns_apart_on_a_page_that_sets_no_padding():
    speed = Speed(graded=False, says="fast", time_us=2.0, naive_us=9.0)
    shown = (display.table_forms(("a",), [("b",)])[1], speed._repr_html_(), OUTCOME._repr_html_())
    tables = "".join(shown).split("<table")[1:]

    assert len(tables) >= 2 and all("border-spacing" in table.split(">")[0] for table in tables)


def test_code_in_a_message_is_set_in_a_fixed_font():
    text, html = display.text_forms("Guard the line: `i` < src.size.\n```\nif i < n:\n```")

    assert "<code>i</code> &lt; src.size" in html and "`i`" in text
