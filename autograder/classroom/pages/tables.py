"""Tables of the pages that an instructor reads: sorted by a click on a heading, which stays in sight."""

from __future__ import annotations

from html import escape
from typing import Any

SORT = """
document.querySelectorAll('th button').forEach(button => button.addEventListener('click', () => {
  const cell = button.parentElement, body = cell.closest('table').tBodies[0], column = cell.cellIndex
  const down = cell.getAttribute('aria-sort') === 'ascending'
  const key = row => row.cells[column].dataset.key ?? row.cells[column].textContent
  const rows = [...body.rows].sort((a, b) => key(a).localeCompare(key(b), undefined, {numeric: true}) * (down ? -1 : 1))
  cell.parentElement.querySelectorAll('th').forEach(other => other.removeAttribute('aria-sort'))
  cell.setAttribute('aria-sort', down ? 'descending' : 'ascending')
  body.append(...rows)
}))
const search = document.getElementById('find')
search?.addEventListener('input', () => document.querySelectorAll('tr[data-student]').forEach(row => {
  row.hidden = !row.dataset.student.toLowerCase().includes(search.value.toLowerCase())
}))
"""
FIND = '<p><label>Show students whose name holds <input id="find" type="search"></label></p>'


def table(caption: str, head: list[str], rows: list[str]) -> str:
    """A table that scrolls in itself, with its heading and its first column in sight."""
    return (
        f'<div class="scroll"><table><caption>{escape(caption)}</caption><thead><tr>{"".join(head)}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def th(text: str, number: bool = False, title: str = "") -> str:
    """A heading to click on. The text is escaped."""
    hover = f' title="{escape(title)}"' if title else ""
    return f'<th{_aligned(number)}{hover}><button type="button">{escape(text)}</button></th>'


def student_row(student: str, cells: list[str]) -> str:
    """A row that belongs to a student, so that it can be found by name."""
    return f'<tr data-student="{escape(student)}">{"".join(cells)}</tr>'


def td(html: str, key: Any, number: bool = False, words: bool = False) -> str:
    """A cell. html: trusted; key: what it is sorted by; words: it holds sentences, and wants room for them."""
    kind = ' class="words"' if words else _aligned(number)
    return f'<td data-key="{escape(str(key))}"{kind}>{html}</td>'


def _aligned(number: bool) -> str:
    return ' class="number"' if number else ""
