"""Shows a difference by line: what every assignment of the kernel gave, in the first thread that ends differently."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .compare import Difference, canonical, differences
from .program import Argument, Program

ASSIGNED = re.compile(r"^( *)([vtd]\d+)(, [vt]\d+)? (?:[-+*/&|^]?=) .*$")
Runner = Callable[[Program], list]


def report(program: Program, left: Runner, right: Runner, names: tuple[str, str]) -> str:
    """The program with line numbers, its first differing cells, and both values beside every line that differs.

    left, right: run a program and give back its arguments. names: what to call the two.
    """
    found = differences(program, left(program), right(program))
    lines = [f"{names[0]} and {names[1]} differ:", *(f"  {difference}" for difference in found), ""]
    thread = thread_of(program, found)
    remarks = values_by_line(program, left, right, names, thread)
    for number, line in enumerate(program.source.splitlines(), 1):
        lines.append(f"{number:3}  {line}")
        lines += [f"     {' ' * (len(line) - len(line.lstrip()))}# ^ {text}" for text in remarks.get(number, [])]
    return "\n".join([*lines, "", *program.text().splitlines()[len(program.source.splitlines()) :]])


def thread_of(program: Program, found: list[Difference]) -> int:
    """The thread whose own cell differs first; 0 where only shared cells do."""
    for difference in found:
        if difference.array.startswith("out"):
            return difference.index[0] % int(np.prod(program.grid) * np.prod(program.block))
    return 0


def values_by_line(program: Program, left: Runner, right: Runner, names, thread: int) -> dict[int, list[str]]:
    """{line: remarks} for the lines of the kernel whose last assigned value differs between the two."""
    probed, probes = with_probes(program)
    try:
        ours, theirs = left(probed), right(probed)
    except Exception as error:  # a probe is one more statement, which may not compile
        return {1: [f"no values by line: {type(error).__name__}"]}
    remarks = {}
    for line, (name, argument, column) in probes.items():
        one, other = (canonical(values[argument])[thread, column] for values in (ours, theirs))
        if one.tobytes() != other.tobytes():
            text = f"thread {thread}: {name} is {one!r} on {names[0]} and {other!r} on {names[1]}"
            remarks[line] = [text]
    return remarks


def with_probes(program: Program) -> tuple[Program, dict[int, tuple[str, int, int]]]:
    """The program, with an output that keeps what each thread assigned last in each line of the kernel.

    Returns: that program, and {line in `program`: (name assigned, position of the argument, column in it)}.
    """
    kinds: dict[str, int] = {}
    lines, probes, threads = [], {}, int(np.prod(program.grid) * np.prod(program.block))
    in_kernel = False
    for number, line in enumerate(program.source.splitlines(), 1):
        lines.append(line)
        in_kernel |= line.startswith("def kernel(")
        match = ASSIGNED.match(line) if in_kernel else None
        if match is None:
            continue
        kind = program.types.get(match[2], "float64")
        column = kinds[kind] = kinds.get(kind, -1) + 1
        lines.append(f"{match[1]}probe_{kind}[i, {column}] = {match[2]}")
        probes[number] = (match[2], len(program.arguments) + list(kinds).index(kind), column)
    more = tuple(Argument(f"probe_{kind}", kind, (threads, last + 1), None, True) for kind, last in kinds.items())
    head = "".join(f", {argument.name}" for argument in more) + "):"
    source = "\n".join(line.replace("):", head) if line.startswith("def kernel(") else line for line in lines)
    return replace(program, source=source, arguments=(*program.arguments, *more)), probes
