"""A learner drills in JupyterLab: a number is typed, Enter marks it, and the next card comes."""

from __future__ import annotations

import nbformat
import pytest

from tests.patience import PATIENCE_MS
from tools.parts.notebook_page import READY_MS, cell, run, wait_until_idle

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
pytest.importorskip("fsrs", reason="the drills are not installed: python tools/set_up.py --drills")
pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.release]

START = """import os
os.environ["WARPBOOK_DATA"] = os.path.abspath("data")
from autograder.drills.deck.load import find_card
from autograder.drills.faces.widget import DrillWidget
from autograder.drills.learning.place import file_of
from autograder.drills.learning.sitting import Sitting
from autograder.drills.learning.store import Store, now

store = Store(file_of())
queue = [("b15.down", 5), ("b7.coalesced", 1)]
sitting = Sitting(store, "en", queue)
sitting.number = store.open_session("drill", {"queue": queue}, now())
DrillWidget(sitting).box"""
LANE = "reviews = store.reviews(); print(len(reviews), reviews[0].score)"


@pytest.fixture
def notebook(lab) -> str:
    """The address of a notebook with two cards."""
    cells = [nbformat.v4.new_code_cell(source) for source in (START, LANE)]
    made = nbformat.v4.new_notebook(
        cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    )
    nbformat.write(made, lab.folder / "drills.ipynb")
    return lab.url("lab/workspaces/drills/tree/drills.ipynb")


def test_a_number_is_marked_and_points_are_ticked(notebook, page):
    page.goto(notebook)
    expect(cell(page, "DrillWidget")).to_be_visible(timeout=READY_MS)
    wait_until_idle(page)
    run(page, "DrillWidget")
    box = page.locator(".warpbook-drill").first
    expect(box).to_contain_text("What does lane", timeout=PATIENCE_MS)

    box.locator("input[type=text]").fill("1000000")
    box.locator("input[type=text]").press("Enter")
    expect(box).to_contain_text("Not right.", timeout=PATIENCE_MS)
    box.get_by_role("button", name="Next").click()
    expect(box).to_contain_text("What decides how much memory traffic", timeout=PATIENCE_MS)
    box.get_by_role("button", name="Show the points").click()
    expect(box.locator("input[type=checkbox]")).to_have_count(4, timeout=PATIENCE_MS)
    box.locator("input[type=checkbox]").first.check()
    box.get_by_role("button", name="Answer").click()
    expect(box).to_contain_text("A weak answer says", timeout=PATIENCE_MS)
    run(page, "store.reviews")
    expect(cell(page, "store.reviews").locator(".jp-OutputArea")).to_contain_text("2 0.0", timeout=PATIENCE_MS)
