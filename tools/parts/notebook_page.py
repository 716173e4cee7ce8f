"""What a learner does with cells of a notebook in JupyterLab."""

from __future__ import annotations

import re

READY_MS = 120_000
HEARD_MS = 5_000
ATTEMPTS = 10
NEVER_RUN = "[ ]:"


def cell(page, text: str):
    """The code cell that holds this text."""
    return page.locator(".jp-CodeCell").filter(has=page.locator(".cm-content", has_text=text)).first


def wait_until_idle(page) -> None:
    """Return when the notebook's kernel is ready."""
    from playwright.sync_api import expect

    expect(page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]")).to_be_visible(timeout=READY_MS)


def run(page, text: str) -> None:
    """Run a cell with Shift+Enter and wait until it is done; again where it was not heard, or dropped."""
    from playwright.sync_api import expect

    prompt = cell(page, text).locator(".jp-InputPrompt")
    before = prompt.inner_text()
    for _ in range(ATTEMPTS):
        cell(page, text).locator(".cm-content").click()
        page.keyboard.press("Shift+Enter")
        try:
            expect(prompt).not_to_have_text(before, timeout=HEARD_MS)
        except AssertionError:
            continue
        expect(prompt).to_have_text(re.compile(r"\[(\d+| )\]:"), timeout=READY_MS)
        if prompt.inner_text().strip() != NEVER_RUN:
            break
    expect(prompt).to_have_text(re.compile(r"\[\d+\]:"), timeout=READY_MS)


def write(page, text: str, source: str) -> None:
    """Replace what a cell holds, as typing would."""
    cell(page, text).locator(".cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(source)
