"""Tables of a page, each between two comments that name it, so that a script can write them anew."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]


def with_tables(text: str, tables: Mapping[str, Sequence[str]]) -> str:
    """The page with the lines of every table between its markers; one that the page does not have is left out."""
    for name, rows in tables.items():
        begin, end = f"<!-- {name} -->", f"<!-- end {name} -->"
        if begin not in text:
            continue
        before, rest = text.split(begin)
        text = before + begin + "\n" + "\n".join(rows) + "\n" + end + rest.split(end)[1]
    return text


def write(page: Path, tables: Mapping[str, Sequence[str]], source: str, check: bool) -> None:
    """Write the page's tables; with check, exit 1 where they are not what `source` gives."""
    old = page.read_text()
    new = with_tables(old, tables)
    if check and old != new:
        sys.exit(f"{page.relative_to(ROOT)} is not what {source} gives. Run it without --check.")
    if not check:
        page.write_text(new)
