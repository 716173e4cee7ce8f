"""The step-through widget without a browser: what its controls move, and what is shown where it cannot be."""

import json

import numpy as np
import pytest
from numba import cuda

import simt
from simt.stepper import html, widget
from tests.simt import kernels

pytest.importorskip("ipywidgets", reason="the widget needs ipywidgets")


@pytest.fixture
def view():
    x, out = np.arange(64, dtype=np.float32), np.zeros(1, np.float32)
    return widget.View(simt.step(kernels.tree_sum_without_barrier, 1, 64, x, out))


def test_buttons_slider_and_line_move_the_same_stepper(view):
    view.buttons["forward"].click()
    view.buttons["forward"].click()
    assert (2, 3) == (view.stepper.position, view.slider.value)

    view.buttons["last"].click()
    assert len(view.stepper) == view.slider.value
    view.buttons["back"].click()
    assert len(view.stepper) - 1 == view.slider.value

    view.slider.value = 1
    assert 0 == view.stepper.position
    line = view.stepper.steps[7].line
    view.line.value = line
    assert line == view.stepper.step.line
    assert 0 == view.line.value  # ready to be chosen again


def test_the_shown_line_lanes_memory_and_variables_are_those_of_the_step(view):
    view.slider.value = 8
    view.thread.value = 1

    line = view.stepper.step.line
    assert f"▶{line:>4}" in view.parts["source"].value
    assert "32 of 64 threads work, 32 wait" in view.parts["threads"].value
    assert 32 == view.parts["threads"].value.count(">#<")
    assert "<td class='s me'>*34</td>" in view.parts["arrays"].value
    assert "<td class='r'>&gt;32</td>" in view.parts["arrays"].value
    assert "writes s[1] = 34" in view.parts["variables"].value


def test_a_race_and_a_barrier_are_told_at_their_steps(view):
    view.slider.value = 4
    assert "Barrier: all 64 threads" in view.parts["doings"].value
    view.slider.value = 12
    assert "race:" in view.parts["doings"].value


def test_a_set_variable_is_marked_by_words_too(view):
    view.slider.value = 9

    assert "← set now" in view.parts["variables"].value


def test_no_mark_of_the_page_rests_on_colour_alone(view):
    page = html.page(view.stepper.to(7))

    for sign in ("▶", "#", "*", "&gt;"):
        assert sign in page


def test_a_walk_of_one_step_has_a_widget_too():
    widget.View(simt.step(one_line, 1, 1, np.zeros(1)))


@cuda.jit
def one_line(x):
    x[0] = 1


def test_source_text_is_escaped(view):
    assert "t &lt; d" in view.parts["source"].value


def test_the_saved_page_hides_itself_below_the_living_widget(view):
    saved = widget.saved_page(view.stepper, "key", live=True)
    shown = widget.View(view.stepper, "key")

    assert "<div id='key'>" in saved["text/html"]
    assert widget.AGAIN in saved["text/html"]
    assert "#key{display:none}" in shown.parts["head"].value
    assert view.stepper.text() == saved["text/plain"]
    json.dumps(saved)


def test_the_saved_page_follows_the_widget():
    class Handle:
        def update(self, page, raw):
            self.page = page

    x, out, handle = np.arange(64, dtype=np.float32), np.zeros(1, np.float32), Handle()
    view = widget.View(simt.step(kernels.tree_sum, 1, 64, x, out), "key", handle)
    view.slider.value = 5

    assert "step 5 of" in handle.page["text/plain"]


def test_without_a_notebook_the_text_is_printed_with_what_to_call(view, capsys):
    view.stepper._ipython_display_()

    out = capsys.readouterr().out
    assert "tree_sum_without_barrier, block 0 of 1: step 1 of 32" in out
    assert ".forward()" in out


def test_without_ipywidgets_a_notebook_shows_the_page_and_what_to_install(view, monkeypatch):
    shown = []
    monkeypatch.setattr("simt.text.notebook.in_notebook", lambda: True)
    monkeypatch.setattr(widget, "has_widgets", lambda: False)
    monkeypatch.setattr("IPython.display.display", lambda thing, **how: shown.append(thing))
    widget.show(view.stepper)

    assert 1 == len(shown)
    assert "pip install ipywidgets" in shown[0]["text/html"]
