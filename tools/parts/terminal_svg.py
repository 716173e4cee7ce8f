"""A terminal of fixed width whose output becomes an SVG for the docs: it loads nothing, and is the same every time."""

from __future__ import annotations

import argparse
import io
import re
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from tools.parts.units import ROOT

FONT_OF_THE_WEB = re.compile(r"@font-face \{.*?\}", re.DOTALL)


def terminal(width: int) -> Console:
    """One that keeps what is printed. width: in columns."""
    return Console(record=True, width=width, file=io.StringIO(), force_terminal=True, highlight=False)


def drawn(console: Console, title: str, name: str) -> str:
    """The SVG of what was printed. name: of its styles, so that two of them may stand on one page."""
    svg = FONT_OF_THE_WEB.sub("", console.export_svg(title=title, unique_id=name))
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


def write(path: Path, picture: Callable[[], str], about: str, arguments: list[str] | None) -> int:
    """The command line of a script that draws one picture; about: its first line of help. Returns: the exit code."""
    argparse.ArgumentParser(description=about).parse_args(arguments)
    path.write_text(picture(), encoding="utf-8")
    print(f"Wrote {path.relative_to(ROOT)}.")
    return 0
