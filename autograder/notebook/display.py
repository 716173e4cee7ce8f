"""Showing things where the learner is: as HTML in a notebook, as text in a terminal. Never writes to stderr."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from html import escape
from typing import Any

from autograder.outcome import RENDERERS, Rendered
from autograder.report.prose import prose
from autograder.report.tables import OPEN_TABLE
from simt.text.notebook import OPEN_CODE, in_notebook, publish


def show(thing: Any) -> None:
    """Show an Outcome or a Speed: its HTML and its text in a notebook, its text elsewhere."""
    _publish(str(thing), thing._repr_html_())


def shown(thing: Any) -> Any:
    """Remember what was just shown, so that a cell that ends with it does not show it a second time."""
    _last_shown[:] = [(thing, _cell_number())]
    return thing


def at_once(thing: Any) -> Any:
    """Show a picture or a stepper now, so that it is seen wherever a cell has it, and not again at the cell's end.

    thing: what has an `_ipython_display_`, or None. Outside a notebook nothing is shown, only returned.
    """
    if thing is not None and in_notebook():
        show_it, here = thing._ipython_display_, _cell_number()
        thing._ipython_display_ = lambda: None if here == _cell_number() else show_it()
        show_it()
    return thing


def _show_unless_shown(thing: Any) -> None:
    """What IPython calls for the last value of a cell: `check` and `race` have shown theirs already."""
    if not any(known is thing and cell == _cell_number() for known, cell in _last_shown):
        show(thing)


def _cell_number() -> int:
    """The number of the cell that runs; 0 outside IPython."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return shell.execution_count if shell is not None else 0


_last_shown: list[tuple[Any, int]] = []  # at most one: what was shown, and in which cell
RENDERERS[Rendered, "display"] = _show_unless_shown


class Shown(str):
    """A text that was shown: a cell that ends with it does not show it again."""

    def _ipython_display_(self) -> None:
        """Nothing."""


def text(message: str) -> None:
    """Show a plain message."""
    _publish(*text_forms(message))


def text_forms(message: str) -> tuple[str, str]:
    """A plain message as text and as HTML."""
    html = "".join(f"<p style='margin:.2em 0;white-space:pre-wrap'>{prose(line)}</p>" for line in message.splitlines())
    return message, f"<div class='warpbook-text' style='max-width:60em;font-family:system-ui,sans-serif'>{html}</div>"


def code(source: str) -> None:
    """Show source text in a fixed font."""
    _publish(source, f"{OPEN_CODE}{escape(source)}</pre>")


def table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Show rows under a header. Numbers are printed as people read them."""
    _publish(*table_forms(header, rows))


def table_forms(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> tuple[str, str]:
    """Rows under a header as text and as HTML."""
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(len(name), *(len(row[i]) for row in cells)) for i, name in enumerate(header)]
    lines = ["  ".join(name.ljust(width) for name, width in zip(header, widths, strict=True)).rstrip()]
    lines += ["  ".join(value.ljust(width) for value, width in zip(row, widths, strict=True)).rstrip() for row in cells]
    head = "".join(f"<th style='text-align:left'>{escape(name)}</th>" for name in header)
    body = "".join(
        "<tr>" + "".join(f"<td style='text-align:left'>{escape(value)}</td>" for value in row) + "</tr>"
        for row in cells
    )
    return "\n".join(lines), f"{OPEN_TABLE}<tr>{head}</tr>{body}</table>"


def _cell(value: Any) -> str:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"
    return str(value)


def _publish(plain: str, html: str) -> None:
    if in_notebook():
        publish({"text/plain": plain, "text/html": html})
    else:
        print(plain)
