"""What the real compiler makes of a kernel's accesses to memory and of its branches: tables of instructions, no GPU
needed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from autograder.lint import unavailable_reason
from autograder.notebook import display

ARCHITECTURE = "sm_90"
_ACCESS = re.compile(r"(?P<kind>ld|st)\.(?:\w+\.)*?(?:global|shared|local)\b")
_BRANCH = re.compile(r"(?:bra|selp\.f\d+)$")
JUMPS = "jumps, with the lanes whose condition holds; loops jump back with it, too"
SELECTS = "keeps one of two numbers: all lanes go the same way"
_WIDTH = re.compile(r"\.(?:v(?P<parts>[24])\.)?[a-z](?P<bits>\d+)$")


def memory_instructions(kernel: Callable, *arguments: Any) -> dict[str, int]:
    """Show the loads and stores in a kernel's compiled code, and return them with how often each is written there.

    arguments: of a launch, for their types; arrays may be of any length.
    Returns: {"ld.global.f32": 4, ...}; {} with the reason shown where nothing is here to compile it.
    """
    return _shown(kernel, arguments, _ACCESS, "bytes per lane", bytes_of)


def branch_instructions(kernel: Callable, *arguments: Any) -> dict[str, int]:
    """Show what is left of a kernel's conditions: jumps that lanes may disagree about, and selects of floats.

    arguments and result as in `memory_instructions`: {"bra": 3, "selp.f32": 1}; neither of them where there is none.
    """
    return _shown(kernel, arguments, _BRANCH, "what it does", lambda opcode: JUMPS if opcode == "bra" else SELECTS)


def _shown(
    kernel: Callable, arguments: tuple, wanted: re.Pattern, column: str, about: Callable[[str], Any]
) -> dict[str, int]:
    """A table of the instructions that match, and what the column says about each; the counts by opcode."""
    if reason := unavailable_reason():
        display.text(f"What the compiler makes of {kernel.__name__} is not shown here: {reason}")
        return {}
    from autograder.lint.compiler import lower, to_ptx
    from autograder.lint.machine_code.ptx import instructions
    from autograder.lint.signature import signature_of

    ptx = to_ptx(lower(kernel, signature_of(arguments), ARCHITECTURE), ARCHITECTURE)
    found = Counter(each.opcode for each in instructions(ptx) if wanted.match(each.opcode))
    display.text(f"{kernel.__name__}, compiled for {ARCHITECTURE}:")
    display.table(("instruction", "times", column), [(code, count, about(code)) for code, count in found.items()])
    return dict(found)


def bytes_of(opcode: str) -> int:
    """What one lane moves with a load or a store, as 16 for "ld.global.v4.f32"."""
    width = _WIDTH.search(opcode)
    return int(width["parts"] or 1) * int(width["bits"]) // 8 if width else 0
