"""A learner steps through a reversal without a barrier: the line, the values and the race change with every click."""

from __future__ import annotations

import time

import nbformat
import pytest

from tests.patience import PATIENCE_MS, PATIENCE_S
from tools.parts.notebook_page import READY_MS, cell, run, wait_until_idle

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.release]

SETUP = """from autograder import exercise
from numba import cuda, float32

q = exercise("shared_memory.reverse_blocks")"""
KERNEL = """@cuda.jit
def reverse_blocks(data):
    tile = cuda.shared.array(256, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    if i < data.size:
        tile[t] = data[i]
    count = min(256, data.size - cuda.blockIdx.x * 256)
    if i < data.size:
        data[i] = tile[count - 1 - t]"""
STEP = "q.step(reverse_blocks, block=0, thread=0)"


@pytest.fixture
def notebook(lab) -> str:
    """The address of a notebook with a kernel to step through."""
    cells = [nbformat.v4.new_code_cell(source) for source in (SETUP, KERNEL, STEP)]
    made = nbformat.v4.new_notebook(
        cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    )
    nbformat.write(made, lab.folder / "step.ipynb")
    return lab.url("lab/workspaces/step/tree/step.ipynb")


def saved_output(path) -> str:
    """The first output of the last cell as HTML, once the notebook is saved with it."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        outputs = nbformat.read(path, as_version=4).cells[2].get("outputs")
        if outputs:
            return outputs[0].data["text/html"]
        time.sleep(0.2)
    return ""


def test_clicking_forward_shows_the_next_line_its_values_and_the_race(notebook, lab, page):
    page.goto(notebook)
    expect(cell(page, STEP)).to_be_visible(timeout=READY_MS)
    wait_until_idle(page)
    run(page, "from autograder")
    run(page, "def reverse_blocks")
    run(page, STEP)
    output = cell(page, STEP).locator(".jp-OutputArea")
    live = output.locator(".warpbook-stepper")
    expect(live).to_contain_text("step 1 of 7, line 3", timeout=PATIENCE_MS)
    expect(live.locator("pre b")).to_contain_text("tile = cuda.shared.array")
    expect(output.locator("div[id^=wbs-]")).to_be_hidden()

    forward = live.get_by_title("one step forward")
    forward.click()
    expect(live).to_contain_text("step 2 of 7, line 4", timeout=PATIENCE_MS)
    expect(live.locator("tr", has_text="i0")).to_contain_text("set now")
    forward.click()
    forward.click()
    expect(live.locator("pre b")).to_contain_text("tile[t] = data[i]", timeout=PATIENCE_MS)
    expect(live).to_contain_text("writes tile[0] = ")
    live.get_by_title("to the last step").click()
    expect(live.locator("pre b")).to_contain_text("data[i] = tile[count - 1 - t]", timeout=PATIENCE_MS)
    expect(live.locator(".wbs-bad")).to_contain_text("race:")

    cell(page, STEP).locator(".cm-content").click()
    page.keyboard.press("Control+S")
    saved = saved_output(lab.folder / "step.ipynb")
    assert "step 7 of 7" in saved
    assert "Run this cell again to click through the steps." in saved
