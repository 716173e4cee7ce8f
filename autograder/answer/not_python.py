"""Why a text is not Python, and the repair: somebody wrote CUDA C, or left out a sign."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Sign:
    """What shows in a line that it is not Python: a pattern, what it is, and what to write."""

    pattern: re.Pattern[str]
    says: str
    remedy: str


def _sign(pattern: str, says: str, remedy: str) -> Sign:
    return Sign(re.compile(pattern), says, remedy)


SIGNS = (
    _sign(r"__(global|device|host)__", "this is CUDA C++", "In Python it is @cuda.jit above a def."),
    _sign(r"__shared__", "this is CUDA C++", "Write tile = cuda.shared.array(shape, dtype)."),
    _sign(r"<<<", "<<< >>> is CUDA C++", "Launch with brackets: kernel[blocks, threads](...)."),
    _sign(r"^\s*for\s*\(.*;.*;.*\)", "this is a loop of C", "Write for i in range(start, stop, step):"),
    _sign(r"^\s*(}\s*)?else\s+if\b", "Python has no else if", "Write elif."),
    _sign(r"^\s*#include\b|^\s*//|/\*", "this is a comment or an include of C", "A comment begins with #."),
    _sign(
        r"^\s*(const\s+)?(unsigned|int|float|double|bool|long|short|char|size_t|auto|var|let)\s+(\w+\s+)?\**\w+\s*(=|;|$)",
        "a variable is not declared with its type",
        "Leave the type out: i = ...",
    ),
    _sign(r"&&", "&& is an operator of C", "Write and."),
    _sign(r"\|\|", "|| is an operator of C", "Write or."),
    _sign(r"[(\s]!\s*[\w(]", "! is an operator of C", "Write not."),
    _sign(r"\w\s*(\+\+|--)\s*;?\s*$", "there is no ++ and no --", "Write i += 1 or i -= 1."),
    _sign(r"\?.*:", "there is no ? : in Python", "Write a if condition else b."),
    _sign(r"[{]\s*$|^\s*}", "Python has no braces round lines", "Begin them with a colon, and indent them."),
    _sign(r"^\s*(if|while)\s*\(.*\)\s*[\w;]", "a colon is missing after the condition", "Write if condition: return."),
)
BY_MESSAGE = (
    (r"expected ':'", "", "End the line with a colon."),
    (r"expected an indented block", "", "Indent this line by four spaces more than the one above."),
    (r"unindent|unexpected indent", "", "Give all lines of a block the same indentation."),
    (r"cannot assign to function call", "round brackets call a function", "Elements are taken with square ones: a[i]."),
    (r"instead of '='", "= stores a value, and a condition compares", "Write ==."),
    (r"was never closed", "", "Close it, in this line or a later one."),
)
TEXT = re.compile(r"""("([^"\\]|\\.)*"|'([^'\\]|\\.)*')""")


def why_not_python(error: SyntaxError, source: str) -> str:
    """One sentence on what is wrong, the line as it is written, and what to write; the line's number comes first.

    source: all of the text, in which C may show lines before Python stumbles over it.
    """
    line, stop = error.lineno or 0, error.lineno or 0
    lines = source.splitlines()
    for number, text in enumerate(lines[:stop], start=1):
        code = TEXT.sub("''", text).partition(" #")[0]
        if code.strip().startswith(("#", '"""')) and not code.strip().startswith("#include"):
            continue
        for sign in SIGNS:
            if sign.pattern.search(code) and not _is_python(code):
                return _told(number, sign.says, text, sign.remedy)
    quoted = (error.text or "").strip()
    for pattern, says, remedy in BY_MESSAGE:
        if re.search(pattern, error.msg):
            return _told(line, says or error.msg, quoted, remedy)
    return _told(line, error.msg, quoted, "")


def _is_python(code: str) -> bool:
    """Whether a line that looks like C may be Python: it parses, or is a dictionary's beginning."""
    try:
        compile(code.strip(), "<line>", "exec")
    except (SyntaxError, ValueError):
        return bool(re.search(r"(=|\(|,|:|return)\s*[{]\s*$|^\s*}\s*[),\]]*\s*$", code)) and "{" not in code[:-1]
    return True


def _told(line: int, says: str, text: str, remedy: str) -> str:
    end = "" if says.endswith(("?", ".", "!")) else "."
    return f"Line {line} is not Python: {says}{end} It reads `{text.strip()[:80]}`. {remedy}".strip()
