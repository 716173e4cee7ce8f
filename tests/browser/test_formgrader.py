"""A teacher opens formgrader, finds the units and releases one."""

from __future__ import annotations

import pytest

from tests.patience import PATIENCE_MS

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.release]


def test_formgrader_lists_the_units_and_releases_one(lab, page):
    released = lab.folder / "course" / "01_vector_add" / "01_vector_add.ipynb"
    released.unlink()
    page.goto(lab.url("formgrader/manage_assignments"))
    row = page.locator("tr", has_text="01_vector_add")
    expect(row).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator("tr", has_text="00_start_here")).to_be_visible()

    row.locator(".assign a").click()
    expect(page.get_by_text("Successfully created the student version")).to_be_visible(timeout=PATIENCE_MS)

    assert "raise NotImplementedError()" in released.read_text()
    assert "BEGIN SOLUTION" not in released.read_text()
