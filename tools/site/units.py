"""A solved notebook as a page: its recorded outputs, solutions folded away, and where the unit can be run."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

import nbformat
from nbconvert import MarkdownExporter

from tools.parts.units import ROOT, Unit
from tools.site.sources import with_links

HOSTED = "hosted"  # the branch on which what `python -m tools.make.hosted` wrote lies
TEMPLATE = Path(__file__).with_name("pages") / "unit.md.j2"


def page_of(unit: Unit, address: str, lite: str) -> tuple[str, dict[str, bytes]]:
    """The page's Markdown, and files that lie beside it by name.

    address: of the repository; lite: of the browser build, as seen from the site's root. "" where there is none.
    """
    solved = ROOT / "solutions" / unit.id / f"{unit.id}.ipynb"
    exporter = MarkdownExporter(template_file=str(TEMPLATE))
    text, resources = exporter.from_notebook_node(
        nbformat.read(solved, as_version=4), {"unique_key": f"{unit.id}_files"}
    )
    text = with_links(text, PurePosixPath(solved.relative_to(ROOT).as_posix()), f"units/{unit.id}.md", address)
    title, _, rest = text.lstrip().partition("\n")
    places = _places(unit, address, lite)
    head = f"---\ntitle: {unit.title}\n---\n\n{title}\n\n{places}\n" if places else f"{title}\n"
    return f"{head}{rest}", dict(resources["outputs"])


def _places(unit: Unit, address: str, lite: str) -> str:
    """Where this unit can be run: in the browser, or on a notebook service, which needs the repository's address."""
    notebook = f"{unit.id}/{unit.id}.ipynb"
    links = {}
    if lite and not unit.id.startswith("00"):
        links["Run this unit in your browser"] = f"{os.path.join('..', '..', lite)}/lab/index.html?path={notebook}"
    if address.startswith("https://github.com/"):
        place = f"{address.removeprefix('https://github.com/')}/blob/{HOSTED}/{unit.id}.ipynb"
        links["Colab"] = f"https://colab.research.google.com/github/{place}"
        links["Kaggle"] = f"https://kaggle.com/kernels/welcome?src=https://github.com/{place}"
    if address:
        links["The notebook"] = f"{address}/blob/main/course/{notebook}"
    return " ".join(f"[{words}]({link}){{ .md-button }}" for words, link in links.items())
