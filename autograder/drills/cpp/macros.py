"""What is done to the text before it is read: macros, other names of types, comparisons that look like templates.

Lines stay as they were typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from autograder.drills.structure.angle_brackets import without_false_templates
from autograder.words import count_text

DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(\([^)\n]*\))?[ \t]*([^\n]*)$", re.MULTILINE)
CONTINUED = re.compile(r"^[ \t]*#[ \t]*define\b(?:[^\n]*\\\n)+[^\n]*", re.MULTILINE)
LEFT_OUT = re.compile(
    r"^[ \t]*#[ \t]*(?:pragma|include|undef)\b[^\n]*$|#pragma unroll(?: \d+)?"
    r"|\busing (?:namespace )?[\w:]+;|\bnamespace \w+ = [\w:]+;|\bstatic_assert\s*\([^;]*\);",
    re.MULTILINE,
)
PROMISES = re.compile(
    r"__(?:launch_bounds|maxnreg|block_size)__\s*\([^()]*\)|__(?:forceinline|noinline)__|\balignas\(\d+\)"
    r"|__(?:cluster_dims)__\s*\([^()]*\)|\[\[\w+\]\]|(?<=\])\s*(?:__host__\s*)?__device__(?=\s*[({])"  # of a lambda
)
OTHER_NAME = re.compile(r"\btypedef\s+([\w ]+?)\s+(\w+)\s*;|\busing\s+(\w+)\s*=\s*([\w: ]+?)\s*;")
NAMED_STRUCTURE = re.compile(r"\btypedef\s+struct\s*\w*\s*(\{[^{}]*\})\s*(\w+)\s*;")
ENUM = re.compile(r"\benum\s+(?:class\s+|struct\s+)?(\w+)(\s*:\s*[\w ]+)?(?=\s*\{)")
ROW = re.compile(r"\b(?:const\s+)?\w+\s*\(\s*\*\s*(\w+)\s*\)\s*(?:\[[^][]*\])+(?=\s*=[^=])")  # float (*row)[33] = ...
GROUPS = re.compile(r"\bnamespace (\w+) = cooperative_groups;")
MOST_TEXT = 200_000  # characters that macros may make of an answer


class MacroError(ValueError):
    """A macro that is left out. line: where it stands; what: in words."""

    def __init__(self, line: int, what: str):
        self.line, self.what = line, what
        super().__init__(what)


def plain(source: str) -> str:
    """The text as a compiler would read it after its preprocessor. Raises: MacroError."""
    groups = ["cooperative_groups", *GROUPS.findall(source)]
    source = re.sub(rf"\b(?:{'|'.join(groups)})::", "", source)
    source = LEFT_OUT.sub(_blank, _without_defines(CONTINUED.sub(_on_one_line, source)))
    source = PROMISES.sub(_blank, source)
    source = NAMED_STRUCTURE.sub(lambda found: f"struct {found[2]} {found[1]};", source)
    for found in list(OTHER_NAME.finditer(source)):
        name, text = (found[2], found[1]) if found[2] else (found[3], found[4])
        source = re.sub(rf"\b{name}\b", text, source.replace(found[0], _blank(found)))
    for name, _ in ENUM.findall(source):
        source = ENUM.sub("enum", source, count=1)
        source = re.sub(rf"\b(?:enum\s+)?{name}\b(?!\s*(?:::|\())", "int", re.sub(rf"\b{name}::", "", source))
    return without_false_templates(ROW.sub(r"auto \1", source))


def _blank(found: re.Match) -> str:
    """As many lines as there were."""
    return " " + "\n" * found[0].count("\n")


def _on_one_line(found: re.Match) -> str:
    return found[0].replace("\\\n", " ") + "\n" * found[0].count("\\\n")


def _without_defines(source: str) -> str:
    """The text with what #define says in its places."""
    defined = [
        (name, given, re.sub(r"//.*|/\*.*?\*/", "", value).strip(), source.count("\n", 0, found.start()) + 1)
        for found in DEFINE.finditer(source)
        for name, given, value in [found.groups()]
    ]
    source = DEFINE.sub(_blank, source)
    for _ in range(len(defined)):
        before = source
        for name, given, value, line in defined:
            source = _function_like(source, name, given, value, line) if given else _named(source, name, value)
            if len(source) > MOST_TEXT:
                raise MacroError(line, f"`{name}` makes too much text of this answer")
        if source == before:
            break
    return source


def _named(source: str, name: str, value: str) -> str:
    return source if re.search(rf"\b{name}\b", value) else re.sub(rf"\b{name}\b", lambda _: value, source)


def _function_like(source: str, name: str, given: str, value: str, line: int) -> str:
    """Every use with its arguments in the place of the parameters."""
    call, parameters = re.compile(rf"\b{name}\s*\("), [part.strip() for part in given.strip("()").split(",")]
    at = 0
    while found := call.search(source, at):
        arguments, end = arguments_of(source, found.end())
        if "#" in value or "..." in given or re.search(rf"\b{name}\b", value):
            raise MacroError(line, f"the macro `{name}` is left out: of macros, those that only put text in a place")
        if end < 0 or len(arguments) != len(parameters):
            raise MacroError(
                source.count("\n", 0, found.start()) + 1,
                f"the macro `{name}` takes {count_text(len(parameters), 'argument')}",
            )
        said = _put(value, dict(zip(parameters, arguments, strict=True)))
        lines = "\n" * source.count("\n", found.start(), end)
        source = source[: found.start()] + " ".join(said.split()) + lines + source[end:]
        at = found.start()
        if len(source) > MOST_TEXT:
            break
    return source


def _put(value: str, given: dict[str, str]) -> str:
    said: Callable[[re.Match], str] = lambda found: given.get(found[0], found[0])  # noqa: E731
    return re.sub(r"\b[A-Za-z_]\w*\b", said, value)


def arguments_of(source: str, start: int) -> tuple[list[str], int]:
    """What stands between the parenthesis before `start` and its partner, at commas; where it ends, -1 if nowhere."""
    depth, parts, at = 1, [""], start
    for at in range(start, len(source)):
        sign = source[at]
        depth += (sign in "([{") - (sign in ")]}")
        if depth == 0:
            return [part.strip() for part in parts], at + 1
        if sign == "," and depth == 1:
            parts.append("")
        else:
            parts[-1] += sign
    return parts, -1
