"""Python as HTML with its words told apart. Everything is escaped; what a student typed is text and stays text.

One regular expression goes over the text once, so that no text takes longer than its length: a lexer that looks for
more in a line begins anew at every blank of a thousand.
"""

from __future__ import annotations

import builtins
import keyword
import re
from html import escape

MOST_CHARACTERS = 20_000  # of longer cells nothing is told apart
STYLE = """
.k { color: light-dark(#7026b9, #d2a8ff); font-weight: 600 } .s { color: light-dark(#0a5c7f, #7cc7e8) }
.c { color: light-dark(#57606a, #a0a8b0); font-style: italic } .n { color: light-dark(#8a3b00, #ffb77c) }
.b { color: light-dark(#0b6b3a, #7ee2a8) } pre.cell { padding: .5rem; border: 1px solid var(--line); overflow-x: auto }
.line { opacity: .55; user-select: none }
"""
TOKEN = re.compile(
    r"""(?P<c>\#[^\n]*)
    |(?P<s>(?:\b[rRbBuUfF]{1,2})?(?:\"{3}(?:\\.|[^\\])*?(?:\"{3}|\Z)|'{3}(?:\\.|[^\\])*?(?:'{3}|\Z)
        |\"(?:\\.|[^\\\n\"])*\"?|'(?:\\.|[^\\\n'])*'?))
    |(?P<b>@[\w.]+)
    |(?P<n>\b\d[\w.]*)
    |(?P<word>[^\W\d]\w*)""",
    re.VERBOSE | re.DOTALL,
)


def lines(source: str) -> list[str]:
    """The lines of a source as HTML, one for each of ``source.splitlines()``."""
    if len(source) > MOST_CHARACTERS:
        return [escape(line) for line in source.splitlines()]
    text, marked, end = "\n".join(source.splitlines()), [], 0
    for token in TOKEN.finditer(text):
        marked += [escape(text[end : token.start()]), _marked(token)]
        end = token.end()
    return "".join([*marked, escape(text[end:])]).split("\n") if source else []


def cell(source: str) -> str:
    """A whole cell with the numbers of its lines."""
    numbered = lines(source)
    width = len(str(len(numbered)))
    rows = (f'<span class="line">{n:>{width}}</span>  {line}' for n, line in enumerate(numbered, start=1))
    return f'<pre class="cell">{chr(10).join(rows)}</pre>'


def _marked(token: re.Match[str]) -> str:
    """A token, line by line, so that no mark spans two lines."""
    kind, text = token.lastgroup or "", token[0]
    if kind == "word":
        kind = "k" if keyword.iskeyword(text) else "b" if hasattr(builtins, text) else ""
    parts = (
        f'<span class="{kind}">{escape(part)}</span>' if kind and part else escape(part) for part in text.split("\n")
    )
    return "\n".join(parts)
