"""What the machine code lets run at once: loops of the PTX, and the longest chain of dependent work in each.

A chain is what one iteration of a loop hands to the next: a running total, or an index that was loaded. All else in an
iteration may overlap. Measured by following every register through iterations; branches are read straight on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from autograder.lint.machine_code.in_flight import loads_in_flight
from autograder.lint.machine_code.ptx import Instruction, all_instructions, instructions

_LABEL = re.compile(r"^(\$L\w+):")
_BRANCH = re.compile(r"\bbra(?:\.uni)?\s+(\$L\w+);")
_REGISTER = re.compile(r"%[a-z]+\d+")
_WIDTH = re.compile(r"(?:\.v(\d))?\.[bfsu](\d+)$")
_NO_RESULT = frozenset("st bra ret bar membar fence red exit prefetch trap call".split())
_FLOATS = ("f16", "f32", "f64", "f16x2")
TURNS = 8

Weight = Callable[[Instruction], int]


def independent_operations(ptx: str) -> float:
    """Operations on floats per iteration, over those that wait for one another, in the loop where most can overlap.

    0.0 where no loop computes with floats. Loops in which nothing waits count only where all are like that: the
    compiler makes copies of a loop for turns that never come.
    """
    return _most_at_once(ptx, _computes)


def independent_loads(ptx: str) -> float:
    """Loads from global memory per iteration, over those that wait for one another, as for operations."""
    return _most_at_once(ptx, _loads)


def widest_load_bytes(ptx: str) -> int:
    """Bytes per thread of the widest load from global memory; 0 without one."""
    widths = (_WIDTH.search(one.opcode) for one in all_instructions(ptx) if _loads(one))
    return max((int(found[1] or 1) * int(found[2]) // 8 for found in widths if found), default=0)


def _computes(instruction: Instruction) -> int:
    return int(any(instruction.computes_in(kind) for kind in _FLOATS) and instruction.operation not in ("setp", "set"))


def _loads(instruction: Instruction) -> int:
    return int(instruction.opcode.startswith("ld.global"))


@lru_cache(maxsize=1)
def _innermost(ptx: str) -> tuple[Sequence[Instruction], ...]:
    """The bodies of loops that hold no other loop, of the kernel that was asked about last."""
    return tuple(_bodies(ptx))


def _bodies(ptx: str) -> Iterator[Sequence[Instruction]]:
    """Each from a label to the branch back to it."""
    lines = ptx.splitlines()
    labels: dict[str, int] = {}
    end_of_last = -1
    for number, line in enumerate(lines):
        if label := _LABEL.match(line):
            labels[label[1]] = number
        branch = _BRANCH.search(line)
        if branch and labels.get(branch[1], -1) > end_of_last:
            end_of_last = number
            yield list(instructions("\n".join(lines[labels[branch[1]] : number])))


def _most_at_once(ptx: str, weight: Weight) -> float:
    """The weights of a loop's body over those of its longest chain, where that is most."""
    loops = [(sum(map(weight, body)), _chain(body, weight)) for body in _innermost(ptx)]
    chained = [total / chain for total, chain in loops if chain]
    return float(max(chained or [total for total, _ in loops], default=0))


def _chain(body: Sequence[Instruction], weight: Weight) -> float:
    """By how much the longest chain grows with each iteration, once every register has met every other."""
    depths: dict[str, int] = {}
    longest = []
    steps = [(weight(one), *_registers(one)) for one in body if one.operation not in _NO_RESULT]
    for _ in range(2 * TURNS):
        for adds, written, read in steps:
            deepest = max([depths.get(register, 0) for register in read], default=0) + adds
            for register in written:
                depths[register] = deepest
        longest.append(max(depths.values(), default=0))
    return (longest[-1] - longest[TURNS - 1]) / TURNS


def _registers(instruction: Instruction) -> tuple[list[str], list[str]]:
    """What an instruction writes, and what it reads."""
    written, _, read = _sides(instruction.operands)
    return _REGISTER.findall(written), _REGISTER.findall(read)


def _sides(operands: str) -> tuple[str, str, str]:
    """What is written, a comma, what is read; several results stand in braces."""
    if operands.startswith("{"):
        return operands.partition("},")
    return operands.partition(",")


MEASURES: Mapping[str, Callable[[str], float]] = {
    "independent_operations": independent_operations,
    "independent_loads": independent_loads,
    "loads_in_flight": loads_in_flight,
    "widest_load_bytes": widest_load_bytes,
}
