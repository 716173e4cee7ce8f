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
from tools.build_lite import UNITS
from tools.parts.notebook_page import READY_MS, cell, run, wait_until_idle, write
from tools.parts.units import ROOT

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
STEP = 'exercise("vector_add.add_one_block").step(add_one_block)'
CHECK = "q.check(add_one_block)"


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


@pytest.fixture
def foreign(page, site) -> list[str]:
    """What the page asks of other places; nothing of that gets through."""
    asked = []

    def only_from_here(route) -> None:
        if route.request.url.startswith((site, "data:", "blob:")):
            route.continue_()
        else:
            asked.append(route.request.url)
            route.abort()

    page.context.route("**/*", only_from_here)
    return asked


def open_unit(page, site: str, unit: str) -> None:
    """Show a notebook, and wait for Python. Skips where the site was built without it."""
    if not (SITE / "files" / unit / f"{unit}.ipynb").exists():
        pytest.skip(f"build/lite-solved was built without {unit}")
    page.goto(f"{site}/lab/index.html?path={unit}/{unit}.ipynb")
    wait_until_idle(page)


def clear_outputs(page) -> None:
    """What was recorded on a GPU would pass for ours."""
    page.get_by_role("menuitem", name="Edit", exact=True).click()
    page.get_by_text("Clear Outputs of All Cells").click()
    expect(page.locator(".jp-OutputArea-output")).to_have_count(0)


def test_a_first_kernel_is_checked(page, site, foreign):
    open_unit(page, site, "01_vector_add")
    clear_outputs(page)
    run(page, "from autograder import exercise")
    run(page, "def add_one_block")
    run(page, CHECK)

    expect(cell(page, CHECK).locator(".jp-OutputArea")).to_contain_text(
        "cases right in the interpreter", timeout=READY_MS
    )
    assert [] == foreign


@pytest.mark.release  # a minute for each unit
@pytest.mark.parametrize("unit", UNITS)
def test_a_solved_unit_runs_as_it_is_and_every_check_passes(page, site, foreign, unit):
    open_unit(page, site, unit)
    clear_outputs(page)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()

    indicator = page.locator(".jp-Notebook-ExecutionIndicator")
    expect(indicator).to_have_attribute("data-status", "busy", timeout=READY_MS)
    expect(page.locator(".jp-InputPrompt", has_text="[*]")).to_have_count(0, timeout=UNIT_MS)
    expect(indicator).to_have_attribute("data-status", "idle", timeout=UNIT_MS)
    whole = "\n".join(page.locator(".jp-OutputArea").all_inner_texts())
    assert "Traceback" not in whole
    assert len(exercises.of_unit(unit)) <= whole.count("cases right in the interpreter")
    assert "numba-cuda has no build for this platform" in whole
    assert [] == foreign


@pytest.mark.release  # `make test` clicks through a kernel in JupyterLab
def test_a_kernel_is_stepped_through_by_clicking(page, site, foreign):
    open_unit(page, site, "01_vector_add")
    run(page, "from autograder import exercise")
    run(page, "def add_one_block")
    write(page, "names[t] = 100 + t", STEP)
    run(page, STEP)
    live = cell(page, STEP).locator(".jp-OutputArea .warpbook-stepper")
    expect(live).to_contain_text("step 1 of", timeout=READY_MS)
    live.get_by_title("one step forward").click()
    expect(live).to_contain_text("step 2 of", timeout=READY_MS)
    assert [] == foreign
