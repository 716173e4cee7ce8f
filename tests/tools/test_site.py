"""The site is built whole: every link leads somewhere, answers are folded away, and it asks no other server."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tools.site import __main__ as site_tool
from tools.site.sources import UNITS, with_links

pytest.importorskip("material", reason="the site's packages are not installed: python tools/set_up.py --dev")
UNIT = "06_reductions"
MOST_BYTES = 40_000_000
CODE = ("code", "pre", "script", "style")


class Page(HTMLParser):
    """The addresses a page loads or leads to, its text inside `details`, and its words outside code."""

    def __init__(self, text: str):
        super().__init__()
        self.loaded, self.links, self.folded, self.words = [], [], "", ""
        self._depth = self._code = 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self._depth += tag == "details"
        self._code += tag in CODE
        if tag in ("script", "img", "iframe") and found.get("src"):
            self.loaded.append(found["src"])
        if tag == "link" and found.get("rel") in ("stylesheet", "preload"):
            self.loaded.append(found["href"])
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])

    def handle_endtag(self, tag):
        self._depth -= tag == "details"
        self._code -= tag in CODE

    def handle_data(self, data):
        self.folded += data if self._depth else ""
        self.words += "" if self._code else data


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    output = tmp_path_factory.mktemp("site") / "site"
    units = [unit for unit in UNITS if unit.id == UNIT]
    assert 0 == site_tool.build(units, output, "https://code.host/you/warpbook", "lite")
    return output


def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("index.html")}


def test_nothing_is_loaded_from_elsewhere(site):
    foreign = {link for page in pages(site).values() for link in page.loaded if re.match(r"(https?:)?//", link)}

    assert set() == foreign


def test_every_link_to_a_page_leads_to_one(site):
    broken = []
    for path, page in pages(site).items():
        for link in page.links:
            target = link.partition("#")[0].partition("?")[0]
            if target and not re.match(r"[a-z]+:|//|/", target) and "/lite/" not in target:
                there = (path.parent / target).resolve()
                broken += [] if (there / "index.html").exists() or there.is_file() else [f"{path}: {link}"]

    assert [] == broken


def test_answers_are_folded_away_and_their_text_is_there(site):
    text = (site / "units" / UNIT / "index.html").read_text(encoding="utf-8")
    page = Page(text)

    assert "def block_sum_sequential" in page.folded
    assert "def block_sum_sequential" not in text.partition("<details")[0]
    assert "Run this unit in your browser" in text


def test_a_verdict_and_a_docstring_are_on_their_pages(site):
    assert "Put cuda.syncthreads() after line" in (site / "index.html").read_text(encoding="utf-8")
    assert "dynamic_shared_bytes" in (site / "reference" / "index.html").read_text(encoding="utf-8")


def test_no_words_of_a_page_are_marks_that_were_left_over(site):
    """Such as the braces of a button."""
    left = {str(path): re.findall(r".{0,40}[{}].{0,40}", page.words) for path, page in pages(site).items()}

    assert {} == {path: found for path, found in left.items() if found}


def test_it_stays_small(site):
    assert MOST_BYTES > sum(path.stat().st_size for path in site.rglob("*") if path.is_file())


def test_links_become_pages_source_on_the_code_host_or_words():
    from pathlib import PurePosixPath

    text = "[a](../README.md) [b](drills.md#x) [c](../simt/run.py) [d](https://e.org) ![e](drills.svg)"
    here = PurePosixPath("docs/programs.md")
    on_host = with_links(text, here, "docs/programs.md", "https://h/w")
    alone = with_links(text, here, "docs/programs.md", "")

    assert (
        "[a](../index.md) [b](drills.md#x) [c](https://h/w/blob/main/simt/run.py) [d](https://e.org) ![e](drills.svg)"
        == on_host
    )
    assert " c " in alone


@pytest.mark.release
def test_all_units_build(tmp_path):
    site = tmp_path / "site"
    assert 0 == site_tool.build(list(UNITS), site, "", "")
    test_no_words_of_a_page_are_marks_that_were_left_over(site)
    test_it_stays_small(site)
