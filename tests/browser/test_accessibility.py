"""What axe finds on the pages that we write: nothing serious, in light and in dark."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.classroom.pages import feedback, gradebook
from tests.browser.test_pages_of_a_class import UNFOLD, documents
from tools.site import __main__ as site_tool
from tools.site.sources import UNITS

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
pytestmark = [pytest.mark.browser, pytest.mark.slow]

GRAVE = ("serious", "critical")
SCHEMES = ("light", "dark")
KINDS_OF_PAGES = ("", "units", "units/06_reductions", "docs/glossary", "docs/drills", "reference")
# the theme puts wide tables into boxes that scroll, and a script of its own makes them reachable by keyboard too late
THEIRS = ("scrollable-region-focusable",)


def faults(page, path: Path, scheme: str) -> list[str]:
    """What axe calls serious or critical on a page."""
    page.emulate_media(color_scheme=scheme)
    page.goto(path.as_uri())
    page.evaluate("localStorage.clear()")  # the theme keeps the scheme that it was opened in first
    page.reload()
    page.evaluate(UNFOLD)
    found = axe.Axe().run(page).response["violations"]
    return [
        f"{scheme}, {path.name}, {each['id']}: {each['nodes'][0]['html'][:120]}: {each['nodes'][0]['failureSummary']}"
        for each in found
        if each["impact"] in GRAVE and each["id"] not in THEIRS
    ]


def test_what_axe_calls_serious_is_found(page, tmp_path):
    bad = tmp_path / "bad.html"
    bad.write_text('<!doctype html><html lang="en"><title>t</title><main><p style="color:#aaa">pale</p></main></html>')

    assert ["color-contrast" in told for told in faults(page, bad, "light")] == [True]


def test_the_pages_of_a_class(page, tmp_path):
    shown = documents()
    html = [gradebook.gradebook_page(shown), *map(feedback.feedback_page, shown)]
    for number, text in enumerate(html):
        path = tmp_path / f"{number}.html"
        path.write_text(text, encoding="utf-8")

        assert [] == [fault for scheme in SCHEMES for fault in faults(page, path, scheme)]


@pytest.mark.release
def test_the_site(page, tmp_path):
    units = [unit for unit in UNITS if unit.id == "06_reductions"]
    assert 0 == site_tool.build(units, tmp_path / "site", "https://code.host/you/warpbook", "lite")

    pages = [tmp_path / "site" / folder / "index.html" for folder in KINDS_OF_PAGES]
    assert [] == [fault for path in pages for scheme in SCHEMES for fault in faults(page, path, scheme)]
