"""The page of an engine in Chromium: stages, marks, search, colours, keys, light and dark."""

from __future__ import annotations

import re

import onnx
import pytest

from benchmarks.models.networks import resnet
from minitrt.trtexec import main

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
pytestmark = [pytest.mark.browser, pytest.mark.slow]

FILL = "() => getComputedStyle(document.querySelector('.node:not(.end) rect')).fill"
PAPER = "() => getComputedStyle(document.body).backgroundColor"


@pytest.fixture
def opened(page, tmp_path, monkeypatch):
    """The page of a small network, and what it complained about."""
    monkeypatch.setenv("MINITRT_BACKEND", "reference")
    model, file = tmp_path / "net.onnx", tmp_path / "engine.html"
    onnx.save(resnet("resnet18", size=32, width=8, classes=10), model)
    fast = ["--iterations=1", "--duration=0", "--warmUp=0"]
    assert main([f"--onnx={model}", "--stronglyTyped", "--shapes=input:1x3x32x32", f"--viewer={file}", *fast]) == 0
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(file.as_uri())
    expect(page.locator(".node").first).to_be_visible()
    return page, complaints


def test_the_arrow_keys_go_from_pass_to_pass_and_what_changed_is_marked(opened):
    page, complaints = opened
    current = page.locator("#stages .current")
    expect(current).to_contain_text("the engine")
    after = page.locator(".node").count()
    page.keyboard.press("ArrowLeft")
    expect(current).to_contain_text("epilogues")
    expect(page.locator(".node.changed").first).to_be_visible()
    expect(page.locator("#gone li").first).to_be_visible()
    for _ in range(9):
        page.keyboard.press("ArrowLeft")
    expect(current).to_contain_text("the network")

    assert page.locator(".node").count() > after and page.locator(".node.changed").count() == 0
    assert not complaints


def test_a_search_finds_nodes_and_tells_what_is_known_of_them(opened):
    page, complaints = opened
    page.keyboard.press("/")
    page.keyboard.type("layer1")
    expect(page.locator("#hits")).to_have_text("4 found")
    expect(page.locator(".node.hit")).to_have_count(4)
    expect(page.locator("#details h3")).to_contain_text("layer1.0.conv1")
    page.keyboard.press("Enter")
    expect(page.locator("#details h3")).to_contain_text("layer1.0.conv2")
    details = page.locator("#details")
    for word in ("tactic", "time", "bytes", "kernel = [3, 3]"):
        expect(details).to_contain_text(word)
    page.locator("#layers tr").nth(1).click()
    expect(page.locator("#details h3")).to_have_text(page.locator("#layers tr").nth(1).get_attribute("title"))

    assert not complaints


def test_a_click_chooses_a_node_keys_and_buttons_change_colours_and_light(opened):
    page, complaints = opened
    page.locator(".node:not(.end)").nth(2).click()
    expect(page.locator(".node.selected")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".node.selected")).to_have_count(0)
    colour = page.evaluate(FILL)
    page.keyboard.press("c")
    page.keyboard.press("c")
    expect(page.locator("#colour")).to_have_value("time")
    page.wait_for_function(f"colour => ({FILL})() !== colour", arg=colour)
    paper = page.evaluate(PAPER)
    page.keyboard.press("t")
    assert page.evaluate(PAPER) != paper
    page.locator("#theme").click()
    assert page.evaluate(PAPER) == paper
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_contain_text(re.compile("a pass back"))

    assert not complaints
