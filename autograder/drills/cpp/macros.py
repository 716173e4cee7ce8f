"""What is done to the text before it is read: conditions of the preprocessor, macros, other names of types, functors.

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
CONDITION = re.compile(r"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif|define|undef)\b[ \t]*([^\n]*)$")
KNOWN = {"__CUDACC__": "1", "__CUDA_ARCH__": "900", "__cplusplus": "201703L", "__NVCC__": "1"}  # of the compiler
DEFINED = re.compile(r"\bdefined\s*(?:\(\s*(\w+)\s*\)|(\w+))")
WORD = re.compile(r"\b[A-Za-z_]\w*\b")
NUMBER = re.compile(r"\b(0[xX][\da-fA-F]+|\d+)[uUlL]*\b")
ARITHMETIC = re.compile(r"(?:[\d\s()<>=!+*/%-]|\band\b|\bor\b|\bnot\b)+")
FUNCTOR = re.compile(
    r"(?P<template>template\s*<[^<>]*>\s*)?\bstruct\s+(?P<name>\w+)\s*\{(?P<fields>(?:\s*[\w ,]+;)*)"
    r"(?P<built>\s*(?:__host__\s*|__device__\s*|explicit\s*|constexpr\s*)*(?P=name)\s*\((?P<given>[^()]*)\)\s*:"
    r"\s*(?P<sets>[^{}]*)\{\s*\})?(?P<head>[\w\s]*?)\boperator\s*\(\s*\)\s*\((?P<parameters>[^()]*)\)\s*(?:const)?\s*\{"
)
LIBRARY = re.compile(r"\b(cub|thrust|cute|cutlass|wmma|nvcuda)\s*::")
ASSEMBLY = re.compile(r"\b(?:asm|__asm__)\s*(?:volatile|__volatile__)?\s*\(")
MOST_TEXT = 200_000  # characters that macros may make of an answer


class MacroError(ValueError):
    """A macro that is left out. line: where it stands; what: in words."""

    def __init__(self, line: int, what: str):
        self.line, self.what = line, what
        super().__init__(what)


def plain(source: str) -> str:
    """The text as a compiler would read it after its preprocessor. Raises: MacroError."""
    source = _without_conditions(CONTINUED.sub(_on_one_line, source))
    if found := LIBRARY.search(re.sub(r"//[^\n]*", "", source)):
        raise MacroError(_line(source, found), f"`{found[1]}` is left out: write it without that library")
    if found := ASSEMBLY.search(source):
        raise MacroError(_line(source, found), "`asm` is left out: inline assembly is not interpreted here")
    groups = ["cooperative_groups", *GROUPS.findall(source)]
    source = re.sub(rf"\b(?:{'|'.join(groups)})::", "", source)
    source = LEFT_OUT.sub(_blank, _without_defines(source))
    source = _without_functors(PROMISES.sub(_blank, source))
    source = NAMED_STRUCTURE.sub(lambda found: f"struct {found[2]} {found[1]};", source)
    for found in list(OTHER_NAME.finditer(source)):
        name, text = (found[2], found[1]) if found[2] else (found[3], found[4])
        source = re.sub(rf"\b{name}\b", text, source.replace(found[0], _blank(found)))
    for name, _ in ENUM.findall(source):
        source = ENUM.sub("enum", source, count=1)
        source = re.sub(rf"\b(?:enum\s+)?{name}\b(?!\s*(?:::|\())", "int", re.sub(rf"\b{name}::", "", source))
    return without_false_templates(ROW.sub(r"auto \1", source))


def _line(source: str, found: re.Match) -> int:
    return source.count("\n", 0, found.start()) + 1


def _blank(found: re.Match) -> str:
    """As many lines as there were."""
    return " " + "\n" * found[0].count("\n")


def _on_one_line(found: re.Match) -> str:
    return found[0].replace("\\\n", " ") + "\n" * found[0].count("\\\n")


def _without_conditions(source: str) -> str:
    """The lines between #if and #endif that a compiler for a GPU reads. Raises: MacroError."""
    kept: list[tuple[bool, bool]] = []  # of each #if that is open, whether its lines are, and were before
    defined, lines = dict(KNOWN), []
    for number, line in enumerate(source.split("\n"), 1):
        directive = CONDITION.match(line)
        word, said = directive.groups() if directive else ("", "")
        said = re.sub(r"//.*|/\*.*?\*/", "", said).strip()
        reading = all(now for now, _ in kept)
        if word in ("if", "ifdef", "ifndef"):
            asked = said if word == "if" else f"{'!' * (word == 'ifndef')}defined({said})"
            holds = reading and _holds(asked, defined, number)
            kept.append((holds, holds))
        elif word in ("elif", "else", "endif") and not kept:
            raise MacroError(number, f"`#{word}` without an `#if`")
        elif word in ("elif", "else"):
            _, before = kept.pop()
            outer = all(now for now, _ in kept)
            holds = outer and not before and (word == "else" or _holds(said, defined, number))
            kept.append((holds, holds or before))
        elif word == "endif":
            kept.pop()
        elif reading and word == "define" and (name := re.match(r"(\w+)(?!\()\b\s*(.*)", said)):
            defined[name[1]] = name[2]
        elif reading and word == "undef":
            defined.pop(said, None)
        lines.append("" if word not in ("", "define", "undef") or not reading else line)
    if kept:
        raise MacroError(len(lines), "an `#if` has no `#endif`")
    return "\n".join(lines)


def _holds(asked: str, defined: dict[str, str], line: int) -> bool:
    """Does the condition of an #if hold? Names that nothing defines are 0."""
    said = DEFINED.sub(lambda found: str(int((found[1] or found[2]) in defined)), asked)
    for _ in range(len(defined)):
        said = re.sub(
            r"\b[A-Za-z_]\w*\b", lambda found: f"({defined[found[0]] or 0})" if found[0] in defined else "0", said
        )
        if not re.search(r"\b[A-Za-z_]\w*\b", NUMBER.sub("0", said)):
            break
    said = NUMBER.sub(lambda found: str(int(found[1], 0)), said)
    said = re.sub(r"!(?!=)", " not ", said.replace("&&", " and ").replace("||", " or ")).replace("/", "//")
    if not ARITHMETIC.fullmatch(said):
        raise MacroError(line, f"the condition `{asked}` of #if is left out")
    try:
        return bool(eval(said.strip(), {"__builtins__": {}}))
    except (SyntaxError, ArithmeticError, TypeError) as error:
        raise MacroError(line, f"the condition `{asked}` of #if is left out") from error


def _without_functors(source: str) -> str:
    """struct Max { float operator()(float a, float b) const { ... } }; as a structure and a function `Max_call`."""
    while found := FUNCTOR.search(source):
        name, line = found["name"], _line(source, found)
        _, end = arguments_of(source, found.end())
        rest = re.match(r"\s*\}\s*;", source[end:]) if end > 0 else None
        fields = [
            part.strip() for text in found["fields"].split(";") for part in re.sub(r"^\s*\w+", "", text).split(",")
        ]
        fields = [each for each in fields if each]
        if rest is None or not _built_in_order(found, fields):
            raise MacroError(line, f"`{name}`: of classes, those that hold numbers and have an operator() alone")
        body = source[found.end() : end]
        for each in fields:
            body = re.sub(rf"\bthis\s*->\s*{each}\b|(?<![\w.>]){each}\b", f"self.{each}", body)
        blank = "\n" * (found["built"] or "").count("\n")
        head = re.sub(r"\b__host__\b|\b__device__\b|\binline\b", " ", found["head"])
        template = (found["template"] or "").strip()
        lines = "\n" * source.count("\n", found.start(), found.start("fields"))
        parameters = ", ".join(filter(None, [f"{name} self", found["parameters"].strip()]))
        said = (
            f"{lines}struct {name} {{{found['fields']}}}; {blank}{template.replace(chr(10), ' ')} __device__ {head} "
            f"{name}_call({parameters}) {{{body}{' ' + chr(10) * rest[0].count(chr(10))}"
        )
        source = source[: found.start()] + said + source[end + rest.end() :]
        source = re.sub(rf"\b{name}\s*<[^<>;]*>(?=\s*[({{]|\s+\w)", name, source) if template else source
    return source


def _built_in_order(found: re.Match, fields: list[str]) -> bool:
    """Does a constructor give its parameters to the fields one by one?"""
    if not found["built"]:
        return True
    given = [part.split()[-1].lstrip("&") for part in found["given"].split(",") if part.strip()]
    sets = re.findall(r"(\w+)\s*[({]\s*(\w+)\s*[)}]", found["sets"])
    return sets == list(zip(fields, given, strict=False)) and len(sets) == len(fields)


def _without_defines(source: str) -> str:
    """The text with what #define says in its places."""
    defined = [
        (name, given, re.sub(r"//.*|/\*.*?\*/", "", value).strip(), _line(source, found))
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
                _line(source, found),
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
