"""The pages of a class on a phone: whatever is folded out, nothing makes a page wider than its window."""

from __future__ import annotations

import pytest

from autograder.classroom.pages import feedback, gradebook
from autograder.outcome import CaseResult
from tests.autograder.classroom.conftest import RIGHT, tiny_unit
from tests.autograder.classroom.test_pages import costly, judged, wrong

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytestmark = [pytest.mark.browser, pytest.mark.slow]

PHONE = {"width": 360, "height": 800}  # CSS pixels
TABLET = {"width": 420, "height": 900}
CASE = CaseResult(
    "n_rows = 1025, n_cols = 33",
    "simt",
    "wrong",
    "FileNotFoundError: 'a_folder_of_mine/with_a_name_that_no_window_wraps.npy'",
)
WIDTHS = "() => [document.documentElement.scrollWidth, innerWidth]"
UNFOLD = "document.querySelectorAll('details').forEach(details => details.open = true)"
LINES = """selector => [...document.querySelectorAll(selector)].map(cell => {
    const text = document.createRange()
    text.selectNodeContents(cell)
    return new Set([...text.getClientRects()].map(box => Math.round(box.top))).size
})"""


def documents():
    """Two students of the tiny unit: a long line and a table of cases, and a name that is long."""
    unit = tiny_unit()
    long = RIGHT + "    # " + "far beyond the edge of a small window, " * 5
    return [
        judged(unit, "ada", scale=long, first=wrong(cases=(CASE,) * 3)),
        judged(unit, "maximiliane.hohenlohe-waldenburg", first=costly()),
    ]


@pytest.mark.parametrize("window", [PHONE, TABLET], ids=["phone", "tablet"])
def test_no_page_is_wider_than_its_window(page, tmp_path, window):
    shown = documents()
    pages = {
        "gradebook.html": gradebook.gradebook_page(shown),
        **{f"{n}.html": feedback.feedback_page(one) for n, one in enumerate(shown)},
    }
    page.set_viewport_size(window)
    for name, html in pages.items():
        (tmp_path / name).write_text(html, encoding="utf-8")
        page.goto((tmp_path / name).as_uri())
        page.evaluate(UNFOLD)

        wide, window_wide = page.evaluate(WIDTHS)
        assert wide <= window_wide, name


def test_a_number_stands_on_one_line_in_a_narrow_gradebook(page, tmp_path):
    (tmp_path / "gradebook.html").write_text(gradebook.gradebook_page(documents()), encoding="utf-8")
    page.set_viewport_size(PHONE)
    page.goto((tmp_path / "gradebook.html").as_uri())

    assert {1} == {*page.evaluate(LINES, "td.number")}
