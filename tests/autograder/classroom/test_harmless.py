from html.parser import HTMLParser

import nbformat
import pytest
from nbconvert import HTMLExporter

from autograder.classroom.for_nbgrader.harmless import make_harmless

HOSTILE = (
    "<script>bad()</script>",
    "<img src=x onerror=bad()>",
    "[click](javascript:bad())",
    "![x](http://example.invalid/x.png)",
    "[x][1]\n\n[1]: javascript:bad()",
    "<http://example.invalid>",
    "&lt;script&gt;bad()&lt;/script&gt;",
    "```html\n<script>bad()</script>\n```",
    "<details open ontoggle=bad()>",
    "<svg><script>bad()</script></svg>",
)


class _Look(HTMLParser):
    """Notes every tag and address that comes from a cell."""

    def __init__(self, html: str):
        super().__init__()
        self.bad: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            risky = name in ("src", "href") and value and ("javascript:" in value or "example.invalid" in value)
            if name.startswith("on") or risky:
                self.bad.append(f"{tag} {name}={value}")

    def handle_data(self, data):
        if self.lasttag == "script" and "bad()" in data:
            self.bad.append("script")


def rendered(cell, **metadata) -> _Look:
    notebook = nbformat.v4.new_notebook(cells=[cell], metadata=metadata)
    html, _ = HTMLExporter(template_name="classic").from_notebook_node(make_harmless(notebook, frozenset()))
    return _Look(html)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("kind", ["markdown", "raw"])
def test_submitted_text_can_run_nothing_and_load_nothing(text, kind):
    cell = getattr(nbformat.v4, f"new_{kind}_cell")(text, metadata={"raw_mimetype": "text/html"})

    assert [] == rendered(cell).bad


def test_the_same_text_would_run_without_this():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(HOSTILE[1])])

    html, _ = HTMLExporter(template_name="classic").from_notebook_node(notebook)

    assert ["img onerror=bad()"] == _Look(html).bad


def test_metadata_reaches_no_page():
    cell = nbformat.v4.new_code_cell("x = 1", metadata={"tags": ['"><script>bad()</script>']})

    assert [] == rendered(cell, title="</title><script>bad()</script>").bad


def test_the_instructors_own_markdown_stays_as_it_is():
    text = "# Title\n\n<details><summary>More</summary>text</details>"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text)])

    assert text == make_harmless(notebook, frozenset({text})).cells[0].source
