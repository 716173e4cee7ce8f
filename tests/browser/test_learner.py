"""A learner opens unit 01, writes a wrong kernel, reads why it is wrong, writes a right one and sees it pass."""

from __future__ import annotations

import re

import pytest

from tests.patience import PATIENCE_MS
from tools.parts.notebook_page import READY_MS, cell, run, wait_until_idle, write

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
pytestmark = [pytest.mark.browser, pytest.mark.slow]

NOTEBOOK = "lab/tree/course/01_vector_add/01_vector_add.ipynb"
WRONG = '''@cuda.jit
def add_one_block(a, b, out):
    """out = a + b with one block of 256 threads. a, b, out: (n,) float32, n at most 256."""
    i = cuda.threadIdx.x
    out[i] = a[i] + b[i]
'''
RIGHT = WRONG.replace("    out[i] =", "    if i < out.size:\n        out[i] =")


def white_space(output) -> set[str]:
    """How the code in an output is broken into lines: "pre" keeps its own, however narrow the column is."""
    return {
        *output.evaluate("output => [...output.querySelectorAll('pre')].map(pre => getComputedStyle(pre).whiteSpace)")
    }


def test_a_learner_sees_nothing_for_instructors_reads_why_a_kernel_is_wrong_and_sees_it_pass(lab, page):
    """One page for all three: a server, a browser and a kernel take longer to start than they are looked at."""
    page.goto(lab.url(NOTEBOOK))
    expect(cell(page, "def add_one_block").locator(".cm-lineNumbers")).to_be_visible(timeout=READY_MS)
    wait_until_idle(page)
    nothing_is_for_instructors(page)

    run(page, "from autograder import exercise")
    a_wrong_kernel_is_explained_and_a_right_one_passes(page)
    a_picture_fits_a_narrow_column(page)


def nothing_is_for_instructors(page) -> None:
    """No pane and no entry of nbgrader's in a learner's JupyterLab."""
    expect(page.get_by_role("menuitem", name="View", exact=True)).to_be_visible()
    expect(page.get_by_role("menuitem", name="Nbgrader")).to_have_count(0)
    expect(page.locator("[id*=create_assignment], [id*=validate], .nbgrader-validate")).to_have_count(0)


def a_wrong_kernel_is_explained_and_a_right_one_passes(page) -> None:
    """A verdict with its line, then the next one, in the same place."""
    verdict = cell(page, "q.check(add_one_block)").locator(".jp-OutputArea")

    write(page, "def add_one_block", WRONG)
    run(page, "def add_one_block")
    run(page, "q.check(add_one_block)")
    expect(verdict).to_contain_text("not right yet", timeout=PATIENCE_MS)
    expect(verdict).to_contain_text("outside")
    expect(verdict).to_contain_text("line 5")
    assert {"pre"} == white_space(verdict)

    write(page, "def add_one_block", RIGHT)
    run(page, "def add_one_block")
    run(page, "q.check(add_one_block)")
    expect(verdict).to_contain_text(re.compile("right", re.IGNORECASE), timeout=PATIENCE_MS)
    expect(verdict).not_to_contain_text("not right yet", timeout=PATIENCE_MS)
    expect(verdict).not_to_contain_text("not attempted")


def a_picture_fits_a_narrow_column(page) -> None:
    """The picture of the task, beside the file browser."""
    run(page, "q.show()")
    picture = cell(page, "q.show()").locator(".jp-OutputArea-output img")
    expect(picture).to_be_visible(timeout=PATIENCE_MS)

    page.set_viewport_size({"width": 760, "height": 900})

    column = cell(page, "q.show()").locator(".jp-OutputArea-output").first
    assert picture.bounding_box()["width"] <= column.bounding_box()["width"]
    assert {"pre"} == white_space(cell(page, "q.show()").locator(".jp-OutputArea"))
