"""The units as static files in a browser: no server but one for files, no numba, 32-bit indices, WebAssembly.

Built by ``python -m tools.build_lite --solved --output build/lite-solved``; skipped where that was not done.
"""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator

import pytest

from autograder import exercises
from tests.browser.notebook_page import READY_MS
from tools.build_lite import UNITS
from tools.units import ROOT

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
SITE = ROOT / "build" / "lite-solved"
pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(
        not (SITE / "index.html").exists(),
        reason="no JupyterLite: python -m tools.build_lite --solved --output build/lite-solved",
    ),
]

UNIT_MS = 400_000


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *args) -> None:
        """Nobody reads it."""


@pytest.fixture
def site() -> Iterator[str]:
    """The address of the built site."""
    handler = functools.partial(Quiet, directory=str(SITE))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("unit", UNITS)
def test_a_solved_unit_runs_as_it_is_and_every_check_passes(page, site, unit):
    foreign = []

    def only_from_here(route) -> None:
        if route.request.url.startswith((site, "data:", "blob:")):
            route.continue_()
        else:
            foreign.append(route.request.url)
            route.abort()

    page.context.route("**/*", only_from_here)
    page.goto(f"{site}/lab/index.html?path={unit}/{unit}.ipynb")
    indicator = page.locator(".jp-Notebook-ExecutionIndicator")
    expect(page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]")).to_be_visible(timeout=READY_MS)
    page.get_by_role("menuitem", name="Edit", exact=True).click()
    page.get_by_text("Clear Outputs of All Cells").click()  # what was recorded on a GPU would pass for ours
    expect(page.locator(".jp-OutputArea-output")).to_have_count(0)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()

    expect(indicator).to_have_attribute("data-status", "busy", timeout=READY_MS)
    expect(page.locator(".jp-InputPrompt", has_text="[*]")).to_have_count(0, timeout=UNIT_MS)
    expect(indicator).to_have_attribute("data-status", "idle", timeout=UNIT_MS)
    outputs = page.locator(".jp-OutputArea").all_inner_texts()
    whole = "\n".join(outputs)
    assert "Traceback" not in whole
    assert len(exercises.of_unit(unit)) <= whole.count("cases right in the interpreter")
    assert "numba-cuda has no build for this platform" in whole
    assert [] == foreign
