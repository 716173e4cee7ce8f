"""A solved notebook quotes the figures that are on record now, not those of the day on which it was run."""

import nbformat

from autograder.notebook.recorded import forms
from tools.parts import quoted_figures

SOURCE = 'print(1)\nrecorded("atomics", "bytes")\nrecorded("streams");'


def display(plain, html="<p>"):
    return nbformat.v4.new_output("display_data", {"text/plain": plain, "text/html": html})


def run_long_ago():
    """A cell with two old tables, and other things before and between."""
    first, second = ([display("NVIDIA A100, 2020-01-01:"), display("old table")] for _ in range(2))
    printed = nbformat.v4.new_output("stream", text="1\n")
    return nbformat.v4.new_code_cell(SOURCE, outputs=[printed, *first, display("a figure"), *second])


def test_calls_are_found_in_order():
    assert [("atomics", "bytes"), ("streams", "")] == quoted_figures.calls(SOURCE)
    assert [] == quoted_figures.calls("%matplotlib inline\nprint(1)")


def test_every_table_is_that_of_its_file_and_nothing_else_changes():
    cell = run_long_ago()

    quoted_figures.refresh(cell)

    shown = [dict(output.get("data", {})) for output in cell.outputs]
    bytes_, streams = (
        [{"text/plain": plain, "text/html": html} for plain, html in forms(*name)]
        for name in (("atomics", "bytes"), ("streams", ""))
    )
    assert [{}, *bytes_, dict(display("a figure").data), *streams] == shown


def test_a_cell_that_was_not_run_stays_without_outputs():
    cell = nbformat.v4.new_code_cell(SOURCE)

    quoted_figures.refresh(cell)

    assert [] == cell.outputs
