"""Plain text in columns, under a title that says what the numbers mean."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np

WIDEST_TITLE = 110


def section(title: str, header: tuple[str, ...], rows: list[tuple], footer: str = "") -> str:
    """The title, the rows below their header, the footer; "" where there are no rows."""
    if not rows:
        return ""
    parts = [wrapped(title), table(header, rows)]
    return "\n".join([*parts, wrapped(footer)] if footer else parts)


def wrapped(text: str) -> str:
    """A text in lines that are not too long to read."""
    return textwrap.fill(text, WIDEST_TITLE, break_on_hyphens=False)


def table(header: tuple[str, ...], rows: list[tuple]) -> str:
    """Columns two spaces apart; numbers to the right. A column that is empty in every row is left out."""
    kept = [column for column in range(len(header)) if any(row[column] != "" for row in rows)]
    cells = [[header[k] for k in kept], *([_cell(row[k]) for k in kept] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(kept))]
    right = [all(_is_number(row[k]) for row in rows) for k in kept]
    adjust: list[Callable[[str, int], str]] = [str.rjust if number else str.ljust for number in right]
    return "\n".join(
        "  ".join(put(text, width) for put, text, width in zip(adjust, row, widths, strict=True)).rstrip()
        for row in cells
    )


def short(text: str, width: int) -> str:
    """A text that fits, with dots where it was cut."""
    return text if len(text) <= width else text[: width - 3] + "..."


def significant(value: float, digits: int = 3) -> str:
    """A number to so many digits, without powers of ten: 1234.5 -> "1,230", 0.01234 -> "0.0123"."""
    rounded = float(f"{value:.{digits - 1}e}")
    if 0 < abs(rounded) < 1:
        return np.format_float_positional(rounded, trim="-")
    return f"{rounded:,.{max(0, digits - len(f'{abs(rounded):.0f}'))}f}" if rounded else "0"


def _cell(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) or not value or value.replace(".", "").replace(",", "").isdigit()
