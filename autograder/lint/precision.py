"""Float64 creep: which lines of a float32 kernel the GPU computes in double precision, and what made them so.

Two witnesses must agree on a line: the PTX has float64 arithmetic there, and type inference has a float64 operation
there. The first alone may be libdevice at work (sinf reduces huge arguments in double precision), the second alone is
often narrowed back to float32 by the optimiser (x * 0.5, x / 3).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from autograder.lint.compiler import Typed
from autograder.lint.machine_code.ptx import Instruction
from autograder.lint.report import NOTE, WARNING, LintFinding
from autograder.lint.signature import describe
from autograder.lint.typed_ir import FloatingPoint, Origin
from autograder.words import listed

MISCONCEPTION = "float64_arithmetic"
_SIN_REDUCTION = "0d3BF921FB54442D19"  # pi/2 * 2**-64: the one double-precision product inside sinf, cosf and tanf
_WHOLE = "Every argument is made of whole numbers here: keep what is worked out of them whole, as int32(0) and // do."
_COST = "On most GPUs float64 runs at a small fraction of the float32 rate."


def float64_findings(
    signature: Sequence[Any], typed: Iterable[Typed], code: Sequence[Instruction]
) -> Iterator[LintFinding]:
    """One finding per cause, each naming every line it spoils; none when an array of the kernel is float64 itself."""
    arguments = [describe(argument) for argument in signature]
    if any(text.startswith(("float64[", "complex")) for text in arguments):
        return
    has_single = any(text.startswith(("float32", "float16")) for text in arguments)
    lines_by_origin = defaultdict(set)
    functions = list(typed)
    for function in functions:
        for line, origins in _double_lines(function, code):
            for at, origin in _seen_from_the_kernel(function, line, origins, functions):
                if origin.kind != "argument" or has_single:
                    lines_by_origin[origin].add(at)
    findings = _by_cause(lines_by_origin)
    yield from findings if has_single else (replace(one, remedy=_WHOLE) for one in findings)


def _seen_from_the_kernel(
    function: Typed, line: int, origins: Iterable[Origin], functions: Sequence[Typed]
) -> Iterator[tuple[int, Origin]]:
    """(line, origin) of a float64 operation; of a device function that is handed one, those of its calls.

    functions: the kernel first, then the device functions that it calls. A line of another file is told by its calls.
    """
    kernel = functions[0].function
    away = function.function.__code__.co_filename != kernel.__code__.co_filename
    calls = [] if function.function is kernel else list(_calls_of(function, functions))
    for origin in origins:
        if origin.kind == "argument" and calls:
            for caller, at, given in calls:
                handed = given.get(origin.text, frozenset())
                yield from _seen_from_the_kernel(caller, at if away else line, handed, functions)
        elif away and calls:
            yield from ((at, origin) for _, at, _ in calls)
        else:
            yield line, origin


def _calls_of(function: Typed, functions: Sequence[Typed]) -> Iterator[tuple[Typed, int, dict[str, frozenset[Origin]]]]:
    """(caller, line, origins of the arguments) of every call of a device function."""
    for caller in functions:
        if caller is not function:
            yield from ((caller, *call) for call in FloatingPoint(caller).calls_of(function.function))


def _double_lines(function: Typed, code: Sequence[Instruction]) -> Iterator[tuple[int, frozenset[Origin]]]:
    """(line, origins) of the operations that are float64 both in the types and in the machine code."""
    file = function.function.__code__.co_filename
    computed = {
        place.line
        for instruction in code
        if instruction.computes_in("f64") and _SIN_REDUCTION not in instruction.operands
        for place in instruction.places
        if place.is_in(file)
    }
    for operation in FloatingPoint(function).operations():
        if operation.line in computed:
            yield operation.line, operation.origins


def _by_cause(lines_by_origin: dict[Origin, set[int]]) -> Iterator[LintFinding]:
    """Causes of one kind that spoil the same lines make one finding: a line with five literals is one mistake."""
    groups = defaultdict(list)
    for origin, lines in lines_by_origin.items():
        together = origin.kind in ("literal", "integer", "constant", "array", "argument", "explicit")
        key = (origin.kind, tuple(sorted(lines)), "" if together else origin.variable or origin.text)
        groups[key].append(origin)
    order = list(_SENTENCES)
    for (kind, spoilt, _), origins in sorted(groups.items(), key=lambda item: (order.index(item[0][0]), item[0][1])):
        yield _finding(kind, spoilt, sorted(origins, key=lambda origin: origin.text))


def _finding(kind: str, lines: tuple[int, ...], origins: list[Origin]) -> LintFinding:
    first, severity = origins[0], NOTE if kind == "explicit" else WARNING
    texts = list(dict.fromkeys(origin.text for origin in origins))
    quoted = listed([f"`{text}`" for text in texts])
    because, remedy = _SENTENCES[kind]
    parts = {
        "quoted": quoted,
        "are": "are float64" if len(texts) > 1 else "is a float64",
        "integers": "are integers, and an integer" if len(texts) > 1 else "is an integer, and an integer",
        "arrays": f"arrays {quoted} are" if len(texts) > 1 else f"array {quoted} is",
        "text": first.text,
        "variable": first.variable,
        "what": _kind_of(first),
        "converted": listed([f"float32({text})" for text in texts]),
    }
    says = f"{_computed(lines)} because {because.format(**parts)}. {_COST}"
    if kind == "explicit":
        says = f"{_computed(lines)}, as {quoted} asks. {_COST}"
    own = (first.line,) if kind in ("start", "paths", "literal") and first.line not in lines else ()
    return LintFinding("float64_arithmetic", MISCONCEPTION, says, remedy.format(**parts), (*own, *lines), severity)


_SENTENCES: dict[str, tuple[str, str]] = {
    "start": (
        "`{variable}` starts as {what}: joined with float32 values it is a float64",
        "Write {variable} = float32({text}).",
    ),
    "paths": (
        "`{variable}` is {what} on one path and another type on the other, which together make a float64",
        "Give it one type on every path, as in {variable} = float32({text}).",
    ),
    "argument": ("the argument {quoted} {are}, which is what a Python float becomes", "Pass np.float32(...) instead."),
    "literal": ("{quoted} {are}", "Write {converted}."),
    "constant": ("the constant {quoted} {are}", "Convert it where it is defined: {text} = float32(...)."),
    "array": (
        "the {arrays} float64, which NumPy makes of Python's numbers",
        "Give it the dtype where it is made: {text} = np.array(..., np.float32).",
    ),
    "integer": ("{quoted} {integers} with a float32 gives a float64", "Write {converted}."),
    "integer_function": ("{quoted} takes an integer and gives a float64", "Convert its argument with float32(...)."),
    "division": (
        "{quoted} divides integers, and / always gives a float64 then",
        "Use // for whole numbers, or convert both with float32(...).",
    ),
    "explicit": ("", "Leave it out, or write float32: keep float64 where the extra digits are needed."),
}


def _kind_of(origin: Origin) -> str:
    """ "the integer 0", "0.1, a float64"."""
    if origin.text.lstrip("-").isdigit():
        return f"the integer {origin.text}"
    return "a float64" if origin.text == origin.variable else f"{origin.text}, a float64"


def _computed(lines: tuple[int, ...]) -> str:
    if len(lines) == 1:
        return f"Line {lines[0]} is computed in double precision"
    return f"Lines {listed([str(line) for line in lines])} are computed in double precision"
