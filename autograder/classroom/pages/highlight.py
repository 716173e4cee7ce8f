"""Python as HTML with its words told apart. Everything is escaped; what a student typed is text and stays text."""

from __future__ import annotations

from html import escape

MOST_CHARACTERS = 20_000  # of longer cells nothing is told apart
STYLE = """
.k { color: light-dark(#7026b9, #d2a8ff); font-weight: 600 } .s { color: light-dark(#0a5c7f, #7cc7e8) }
.c { color: light-dark(#57606a, #a0a8b0); font-style: italic } .n { color: light-dark(#8a3b00, #ffb77c) }
.b { color: light-dark(#0b6b3a, #7ee2a8) } pre.cell { padding: .5rem; border: 1px solid var(--line); overflow-x: auto }
.line { opacity: .55; user-select: none }
"""
CLASSES = {  # the first letters of what pygments calls a token -> our class
    "Token.Keyword": "k", "Token.Operator.Word": "k", "Token.Literal.String": "s", "Token.Comment": "c",
    "Token.Literal.Number": "n", "Token.Name.Builtin": "b", "Token.Name.Decorator": "b",
}  # fmt: skip


def lines(source: str) -> list[str]:
    """The lines of a source as HTML, one for each of ``source.splitlines()``."""
    if len(source) > MOST_CHARACTERS:
        return [escape(line) for line in source.splitlines()]
    found = "".join(_marked(str(kind), text) for kind, text in _tokens("\n".join(source.splitlines())))
    return found.split("\n") if source else []


def cell(source: str) -> str:
    """A whole cell with the numbers of its lines."""
    numbered = lines(source)
    width = len(str(len(numbered)))
    rows = (f'<span class="line">{n:>{width}}</span>  {line}' for n, line in enumerate(numbered, start=1))
    return f'<pre class="cell">{chr(10).join(rows)}</pre>'


def _tokens(source: str):
    from pygments.lexers import PythonLexer

    return PythonLexer(stripnl=False, ensurenl=False).get_tokens(source)


def _marked(kind: str, text: str) -> str:
    """A token, line by line, so that no mark spans two lines."""
    name = next((name for start, name in CLASSES.items() if kind.startswith(start)), "")
    parts = (
        f'<span class="{name}">{escape(part)}</span>' if name and part else escape(part) for part in text.split("\n")
    )
    return "\n".join(parts)
