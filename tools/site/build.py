"""Write what MkDocs reads: the pages as Markdown, and its configuration."""

from __future__ import annotations

import re
import shutil
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from tools.parts.units import ROOT, Unit
from tools.site import units as unit_pages
from tools.site.sources import GUIDES, with_links

PAGES = Path(__file__).with_name("pages")
# how mkdocstrings shows what it reads
REFERENCE = {"show_source": False, "heading_level": 3, "show_root_heading": True, "separate_signature": True}
OF_UNIT = re.compile(r"(?<=[/( ])(\d\d_\w+)\.md(?:#[^)\s]*)?")
TITLES = {"learn": "Learn", "teach": "Teach", "tools": "Tools"}
EXTENSIONS: list[Any] = [
    "admonition", "attr_list", "md_in_html", "tables", "toc",
    "pymdownx.details", "pymdownx.highlight",
    {"pymdownx.superfences": {"custom_fences": [{"name": "mermaid", "class": "mermaid"}]}},
    {"pymdownx.arithmatex": {"generic": True}},
]  # fmt: skip


def write_sources(folder: Path, units: list[Unit], address: str, lite: str) -> Path:
    """Write every page below `folder`/pages. Returns the path of MkDocs's configuration."""
    pages = folder / "pages"
    _write(pages / "index.md", _home())
    for name in ("reference.md", "extra.css"):
        _write(pages / name, (PAGES / name).read_text(encoding="utf-8"))
    for unit in units:
        text, files = unit_pages.page_of(unit, address, lite)
        _write(pages / "units" / f"{unit.id}.md", _only_links_to(units, text))
        for name, data in files.items():
            (pages / "units" / name).parent.mkdir(parents=True, exist_ok=True)
            (pages / "units" / name).write_bytes(data)
    _write(pages / "units" / "index.md", _list_of(units))
    for titles in GUIDES.values():
        for name in titles:
            text = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
            text = with_links(text, PurePosixPath("docs") / f"{name}.md", f"docs/{name}.md", address)
            _write(pages / "docs" / f"{name}.md", _only_links_to(units, text))
    for path in (path for path in (ROOT / "docs").rglob("*") if path.suffix in (".png", ".svg")):
        target = pages / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    configuration = folder / "mkdocs.yml"
    _write(configuration, yaml.safe_dump(_configuration(units, address), sort_keys=False, allow_unicode=True))
    return configuration


def _home() -> str:
    """The front page, and below it the verdict that the README shows, which `make course` writes."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    verdict = readme.partition("<!-- verdict: begin (make course writes this) -->")[2]
    return (
        (PAGES / "index.md").read_text(encoding="utf-8") + verdict.partition("<!-- verdict: end -->")[0].strip() + "\n"
    )


def _list_of(units: list[Unit]) -> str:
    """The page of all units, with the promise that each makes in its first cell."""
    rows = [f"| [{unit.title}]({unit.id}.md) | {_promise(unit)} |" for unit in units]
    return "\n".join(["# The units", "", "| unit | the promise |", "|---|---|", *rows, ""])


def _promise(unit: Unit) -> str:
    text = unit.source.read_text(encoding="utf-8")
    return text.partition("**The promise:**")[2].partition("\n")[0].strip().replace("|", "\\|")


def _only_links_to(units: list[Unit], text: str) -> str:
    """The same text, where links to units that this build leaves out lead to the list of units."""
    here = {unit.id for unit in units}
    return OF_UNIT.sub(lambda found: found[0] if found[1] in here else "index.md", text)


def _configuration(units: list[Unit], address: str) -> dict[str, Any]:
    menu: list[dict[str, Any]] = [{"Home": "index.md"}]
    for part, titles in GUIDES.items():
        entries: list[Any] = [{title: f"docs/{name}.md"} for name, title in titles.items()]
        if part == "learn":
            listed = [{f"{unit.id[:2]} {unit.title}": f"units/{unit.id}.md"} for unit in units]
            entries = [{"All units": "units/index.md"}, {"Units": listed}, *entries]
        menu.append({TITLES[part]: entries})
    menu.append({"Reference": "reference.md"})
    return {
        "site_name": "Warpbook",
        "site_description": "Learn CUDA by writing numba.cuda kernels that are judged, with the reason why",
        "docs_dir": "pages",
        **({"repo_url": address} if address else {}),
        "theme": {
            "name": "material",
            "font": False,  # nothing is fetched from anywhere else
            "features": ["navigation.tabs", "navigation.top", "search.suggest", "content.code.copy", "toc.follow"],
            "palette": [
                _colours("default", "light", "dark", "weather-night"),
                _colours("slate", "dark", "light", "weather-sunny"),
            ],
        },
        "extra_css": ["extra.css"],
        "markdown_extensions": EXTENSIONS,
        "plugins": ["search", {"mkdocstrings": {"handlers": {"python": {"paths": [str(ROOT)], "options": REFERENCE}}}}],
        "validation": {"links": {"anchors": "warn", "not_found": "warn", "unrecognized_links": "warn"}},
        "nav": menu,
    }


def _colours(scheme: str, mode: str, other: str, icon: str) -> dict[str, Any]:
    toggle = {"icon": f"material/{icon}", "name": f"To {other} mode"}
    return {"scheme": scheme, "primary": "custom", "media": f"(prefers-color-scheme: {mode})", "toggle": toggle}


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
