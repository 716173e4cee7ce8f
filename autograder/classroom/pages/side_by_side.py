"""The pages on answers that are alike: a list of pairs, and for each the two cells beside one another."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from autograder.classroom import whole_files
from autograder.classroom.alike.likeness import Answer, Likeness
from autograder.classroom.pages import highlight, page
from autograder.classroom.pages.tables import SORT, table, td, th

MOST_PAGES = 200
WARNING = (
    "A likeness is a reason to look, no proof: solutions are public, and short answers meet. What the solution has, "
    "and what many in the class have, is not counted; neither are names, comments and formatting. The second number is "
    "of what the compiler made of both, where that tells something."
)
STYLE = (
    "<style>.pair{display:grid;grid-template-columns:1fr 1fr;gap:1rem}.pair pre{overflow-x:auto;font-size:.85em}"
    ".alike{background:#f5b94255;display:block}.pair h2{margin:0}</style>"
)


def write(folder: Path, pairs: Sequence[Likeness], not_compared: Sequence[Answer] = ()) -> Path:
    """Write similarity.html and a page a pair below a folder. Returns the list's path."""
    shown = pairs[:MOST_PAGES]
    for n, pair in enumerate(shown):
        whole_files.write(folder / "similarity" / f"{n:03}.html", pair_page(pair))
    return whole_files.write(folder / "similarity.html", list_page(shown, len(pairs), not_compared))


def list_page(pairs: Sequence[Likeness], n: int, not_compared: Sequence[Answer] = ()) -> str:
    """All pairs in a table, most alike first. n: how many there are, where not all are shown."""
    head = [th("Students"), th("Exercise"), th("Text alike", number=True), th("Compiled", number=True)]
    head += [th("Shared", number=True), th("Look")]
    rows = []
    for place, pair in enumerate(pairs):
        both = f"{pair.one.student} and {pair.other.student}"
        letter = ", same to the letter" if pair.to_the_letter else ""
        cells = [td(escape(both), both), td(escape(pair.one.exercise), pair.one.exercise)]
        cells += [
            td(f"{pair.share:.0%}{letter}", pair.share, number=True),
            td(_compiled(pair), pair.compiled or 0.0, number=True),
            td(str(pair.shared), pair.shared, number=True),
        ]
        cells.append(td(f'<a href="similarity/{place:03}.html">side by side</a>', place))
        rows.append(f"<tr>{''.join(cells)}</tr>")
    more = f"<p>{n - len(pairs)} more pairs are less alike and not shown.</p>" if n > len(pairs) else ""
    body = (
        table("Pairs of answers", head, rows)
        if rows
        else "<p>No two answers are alike beyond what their exercise asks.</p>"
    )
    left = "".join(f"<li>{escape(each.student)}: {escape(each.exercise)}</li>" for each in not_compared)
    more += f"<p>Not compared, because there is far more in the cell than an answer needs:</p><ul>{left}</ul>" * bool(
        left
    )
    return page.page("Similarity", f"<h1>Similarity</h1><p>{WARNING}</p>{body}{more}", SORT)


def pair_page(pair: Likeness) -> str:
    """Two cells beside one another, the lines that they share tinted."""
    title = f"{pair.one.exercise}: {pair.one.student} and {pair.other.student}"
    code = f", and {_compiled(pair)} of what the compiler made of it" if pair.compiled is not None else ""
    said = f"<p>{pair.share:.0%} of what is the smaller answer's own is in the other as well{code}.</p><p>{WARNING}</p>"
    cells = "".join(_cell(answer, lines) for answer, lines in zip((pair.one, pair.other), pair.lines, strict=True))
    back = '<p><a href="../similarity.html">All pairs</a></p>'
    return page.page(title, f'{STYLE}<h1>{escape(title)}</h1>{said}{back}<div class="pair">{cells}</div>')


def _compiled(pair: Likeness) -> str:
    return "–" if pair.compiled is None else f"{pair.compiled:.0%}"


def _cell(answer: Answer, alike: frozenset[int]) -> str:
    rows = "".join(
        f'<span class="{"alike" if n in alike else ""}"><span class="line">{n:>3}</span>  {line}</span>'
        f"{'' if n in alike else chr(10)}"
        for n, line in enumerate(highlight.lines(answer.source), start=1)
    )
    return f"<section><h2>{escape(answer.student)}</h2><pre>{rows}</pre></section>"
