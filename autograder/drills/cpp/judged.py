"""A verdict on the translation, told about the C++: its lines, and what it calls things."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace

from autograder.drills.cpp.body import RESERVED
from autograder.drills.cpp.functions import Translated
from autograder.drills.cpp.kinds_of_number import BITS, FLOATS
from autograder.outcome import Cause, Outcome

LINES = re.compile(r"\b([Ll]ines?) (\d+(?:(?:, | and |, and | to )\d+)*)")
NARROW = {"int8": "a char", "uint8": "an unsigned char", "int16": "a short", "uint16": "an unsigned short"}
CASTS = {"int32": "(int)", "uint32": "(unsigned int)", "int64": "(long long)", "uint64": "(unsigned long long)"}
CASTS |= {
    "float32": "(float)",
    "float64": "(double)",
    **{name: f"({kind.split(' ', 1)[1]})" for name, kind in NARROW.items()},
}
CALLED = (
    (re.compile(r"`?\bcuda\.(syncthreads|syncwarp|threadfence|threadfence_block)\(\)`?"), r"__\1()"),
    (re.compile(r"\bcuda\.(shfl_\w+|ballot_sync|any_sync|all_sync)\b"), r"__\1"),
    (re.compile(r"(?<=`)(shfl_\w+|ballot_sync|any_sync|all_sync|syncthreads\w*|syncwarp)(?=`)"), r"__\1"),
    (re.compile(r", and a negative index counts from the end: it silently means [^.]*"), ", before the array begins"),
    (re.compile(r"(?<=a place in )u?int(?:8|16)\b"), lambda found: NARROW[found[0]]),
    (re.compile(rf"(?<=`)({'|'.join(CASTS)})(?=`)"), lambda found: CASTS[found[0]]),
    (re.compile(r"\bfloat32\((\d+\.\d*)\)"), r"\1f"),
    (re.compile(r"\bas cuda\.grid gives it"), "as blockIdx and threadIdx give it"),
    (re.compile(r"\bcuda\.grid\(1\)"), "blockIdx.x * blockDim.x + threadIdx.x"),
    (re.compile(r"\bcuda\.gridsize\(1\)"), "gridDim.x * blockDim.x"),
    (re.compile(r"\bcuda\.(threadIdx|blockIdx|blockDim|gridDim)\b"), r"\1"),
    (re.compile(r"\bcuda\.shared\.array\([^()]*\)"), "__shared__"),
    (re.compile(r"\bcuda\.atomic\.(add|sub|max|min|exch)\b"), lambda found: f"atomic{found[1].capitalize()}"),
    (re.compile(r"\bcuda\.atomic\.cas\b"), "atomicCAS"),
    (re.compile(r"`(?:load|store)16\([^`]*`"), "This float4"),
)  # fmt: skip
FLAT = re.compile(r"^(\w+) = (\w+)\.reshape\(\2\.size\)$", re.MULTILINE)
SIZE = re.compile(r"^ *(\w+) = \w+\((\w+\.shape\[\d\])\)$", re.MULTILINE)
OTHER_SIZE = re.compile(r"Changing line \d+ alone makes every case right: `(\w+\.shape\[\d\])` asks along")
QUOTED = re.compile(r"`([^`\n]+)`")
SIGNS = ((r"\band\b", "&&"), (r"\bor\b", "||"), (r"\bnot ", "!"))


class _Plain(ast.NodeTransformer):
    """Without the conversions that the translation writes out, and with C's division."""

    def visit_Call(self, node: ast.Call):
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == "float64":
            return ast.Call(ast.Name("double"), node.args, [])
        if name in (*BITS, *FLOATS) and len(node.args) == 1:
            return node.args[0]
        if name in ("c_quotient", "c_remainder"):
            return ast.BinOp(node.args[0], ast.Div() if name == "c_quotient" else ast.Mod(), node.args[1])
        return node

    def visit_BinOp(self, node: ast.BinOp):
        self.generic_visit(node)
        return ast.BinOp(node.left, ast.Div(), node.right) if isinstance(node.op, ast.FloorDiv) else node


def plain(quoted: str) -> str:
    """An expression of the translation as its C++ was written: `int32(c_quotient(i, 5))` is `i / 5`."""
    try:
        text = ast.unparse(_Plain().visit(ast.parse(quoted, mode="eval")))
    except SyntaxError:
        return quoted
    for word, sign in SIGNS:
        text = re.sub(word, sign, text)
    return text


def teller(
    translated: Translated, source: str, sizes: dict[str, str], line: Callable[[int], int]
) -> Callable[[str], str]:
    """What says a sentence about the translation as one about the answer."""
    arrays = dict(FLAT.findall(translated.source.replace("    ", "")))
    lengths = {shape: name for shape, name in sizes.items() if shape.partition(".")[0] not in arrays.values()}

    renamed = [
        word for word in RESERVED if re.search(rf"\b{word}\b", source) and not re.search(rf"\b{word}_\b", source)
    ]
    own_names = re.compile(rf"\b({'|'.join(renamed)})_\b") if renamed else None

    def told(text: str) -> str:
        for flat, array in arrays.items():
            text = re.sub(rf"\b{flat} is a part of {array}, with\b", f"{array} has", text)
            text = re.sub(rf"\b{flat}\b", array, text)
        for shape, name in lengths.items():
            text = re.sub(rf"{re.escape(shape)}|\b{shape.partition('.')[0]}\.size\b", name, text)
        text = own_names.sub(r"\1", text) if own_names else text
        text = QUOTED.sub(lambda found: f"`{plain(found[1])}`", text)
        text = LINES.sub(lambda found: f"{found[1]} {_once(found[2], line)}", text)
        for pattern, said in CALLED:
            text = pattern.sub(said, text)
        return text

    return told


def in_cpp(outcome: Outcome, translated: Translated, source: str) -> Outcome:
    """The outcome of judging `translated`, in the lines and words of `source`."""

    def line(number: int) -> int:
        return translated.places[number - 1] if 0 < number <= len(translated.places) else number

    sizes = {shape: name for name, shape in SIZE.findall(translated.source)}
    told = teller(translated, source, sizes, line)
    causes = tuple(
        _of_a_size(replace(cause, says=told(cause.says[: found.start()])), sizes[found[1]], source)
        if (found := OTHER_SIZE.search(cause.says)) and found[1] in sizes
        else replace(
            cause, says=told(cause.says), remedy=told(cause.remedy), edit="",
            lines=tuple(dict.fromkeys(line(each) for each in cause.lines)),
        )
        for cause in outcome.causes
    )  # fmt: skip
    return replace(
        outcome, causes=causes, observed=told(outcome.observed), notes=tuple(map(told, outcome.notes)),
        next_step=told(outcome.next_step), source=source, first_line=1,
        cases=tuple(replace(case, detail=told(case.detail)) for case in outcome.cases),
    )  # fmt: skip


def _of_a_size(cause: Cause, name: str, source: str) -> Cause:
    """Sizes are arguments in C++: who asks along another axis in Python took the wrong one of them.

    cause: with what else it says, "" where that is all.
    """
    body = source[source.index("{", source.index("__global__")) :]
    first = source[: -len(body)].count("\n") + 1
    lines = [first + at for at, line in enumerate(body.split("\n")) if re.search(rf"\b{name}\b", line)]
    says = f"{cause.says}Every case comes right with another size in the place of `{name}`."
    return replace(
        cause, says=says, remedy=f"Ask of each use of `{name}` whose length it is.", lines=tuple(lines), edit=""
    )


def _once(numbers: str, line) -> str:
    """Several lines of Python may be one of C++: it is named once."""
    found = list(dict.fromkeys(line(int(number)) for number in re.findall(r"\d+", numbers)))
    if " to " in numbers:
        return " to ".join(map(str, found))
    return " and ".join(filter(None, [", ".join(map(str, found[:-1])), str(found[-1])]))
