"""Which file of the repository becomes which page of the site, and where a link to any other file leads."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath

from tools.parts.units import ROOT, units_of

UNITS = tuple(units_of(ROOT / "solutions"))
GUIDES = {  # file of docs/ -> its title in the menu
    "learn": {
        "browser": "Without installing",
        "glossary": "Glossary",
        "pitfalls": "Pitfalls",
        "coverage": "What is covered",
        "drills": "Interview drills",
    },
    "teach": {
        "instructor-guide": "Instructor's guide",
        "many-gpus": "Several GPUs, clusters",
        "security-model": "Security",
    },
    "tools": {
        "programs": "Your own programs",
        "race-checker-ci": "A race check in CI",
        "leaving-cudasim": "From numba's simulator",
        "public-projects": "Public projects' tests",
        "interpreter": "The interpreter",
        "interpreter-fidelity": "How true it is",
        "time-bounds": "The least time on a GPU",
        "minitrt": "minitrt",
        "minitrt-from-export": "From an export to an engine",
        "minitrt-tour": "Inside minitrt",
        "minitrt-speed": "minitrt's speed",
        "speed": "The course's kernels",
        "pictures": "Pictures",
        "compilers": "Two compilers",
    },
}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!https?:|#|mailto:|attachment:|data:)([^)\s#]*)(#[^)\s]*)?\)")
NAMED = re.compile(r"^\[([^\]]+)\]: (?!https?:)([^\s#]+)(#\S+)?$", re.MULTILINE)  # a link's place below the text


def page_of(path: PurePosixPath) -> str | None:
    """The page, relative to the site's sources, that a file of the repository becomes; None where it becomes none."""
    if path.suffix == ".ipynb" and path.parts[0] in ("solutions", "course"):
        return f"units/{path.stem}.md"
    if path.parts[0] == "docs" and path.suffix == ".md":
        return str(path) if any(path.stem in titles for titles in GUIDES.values()) else None
    if path.parts[0] == "docs":
        return str(path)  # pictures
    return "index.md" if str(path) == "README.md" else None


def with_links(text: str, source: PurePosixPath, page: str, address: str) -> str:
    """The Markdown of a page with every link to a file turned to the site, or to the code host.

    source: the file in the repository; page: what it becomes; address: of the repository, or "" for no links to it.
    """

    def turned(found: re.Match[str]) -> str:
        picture, words, anchor = found[1], found[2], found[4] or ""
        to = _address_of(found[3], source, page, address)
        return f"{picture}[{words}]({to}{anchor})" if to else words

    def named(found: re.Match[str]) -> str:
        return f"[{found[1]}]: {_address_of(found[2], source, page, address)}{found[3] or ''}"

    return LINK.sub(turned, NAMED.sub(named, text))


def _address_of(target: str, source: PurePosixPath, page: str, address: str) -> str:
    """Where a link to a file leads from a page; "" where it leads nowhere."""
    path = PurePosixPath(os.path.normpath(source.parent / target)) if target else source
    if to := page_of(path):
        return os.path.relpath(to, Path(page).parent)
    if not (ROOT / path).exists():  # a picture that came out of a notebook, and lies beside its page
        return target
    return f"{address}/blob/main/{path}" if address else ""
