"""How many loads a thread has under way at most before it must wait for one, read from the PTX.

A thread issues in order and waits at the first instruction that uses what a load brings. The assembler moves loads up
within a stretch of straight code, but not past a store to the same memory, a barrier or a branch: those end a stretch.
A short guard around loads alone is no branch: it becomes a condition of each load. And a branch makes nobody wait, so
loads of several stretches add up, as long as nothing uses their values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from autograder.lint.machine_code.ptx import Instruction, instructions

_LABEL = re.compile(r"^(\$L\w+):")
_BRANCH = re.compile(r"^\s*(@)?.*\bbra(?:\.uni)?\s+(\$L\w+);")
_ENDS = re.compile(r"^\s*(?:ret|exit|trap);")
_REGISTER = re.compile(r"%[a-z]+\d+")
_ORDERS = frozenset("bar barrier membar fence atom red call".split())
_MOST_GUARDED = 16  # instructions that a guard without a branch may hold

Flying = frozenset[str]  # registers whose loads are under way


@dataclass
class _Stretch:
    """Straight code from a label or branch to the next, and where it may go on: indices of later stretches."""

    lines: list[str] = field(default_factory=list)
    goes_to: list[int] = field(default_factory=list)


def loads_in_flight(ptx: str) -> int:
    """The most values that loads from global memory have under way for one thread at once; 0 without any load.

    Where ways through the code meet, the one with more under way counts. A loop is followed once: what one iteration
    leaves under way for the next is not added.
    """
    stretches = _stretches(ptx)
    entering: list[Flying] = [frozenset()] * len(stretches)
    most = 0
    for number, stretch in enumerate(stretches):
        flying, peak = _follow(stretch, entering[number])
        most = max(most, peak)
        for following in stretch.goes_to:
            entering[following] = max(entering[following], flying, key=len)
    return most


def _stretches(ptx: str) -> list[_Stretch]:
    """The code cut at labels and branches, with the ways forward: each stretch comes after all that lead to it."""
    found, at_label, jumps = [_Stretch()], {}, []
    falls_through = True
    for line in _without_short_guards(ptx.splitlines()):
        label, branch = _LABEL.match(line), _BRANCH.match(line)
        if label or not falls_through:
            _begin(found, falls_through)
            falls_through = True
        if label:
            at_label[label[1]] = len(found) - 1
        elif branch:
            jumps.append((len(found) - 1, branch[2]))
            falls_through = bool(branch[1])
            if falls_through:
                _begin(found, True)
        elif _ENDS.match(line):
            falls_through = False
        else:
            found[-1].lines.append(line)
    for source, name in jumps:
        if at_label.get(name, -1) > source:
            found[source].goes_to.append(at_label[name])
    return found


def _without_short_guards(lines: list[str]) -> list[str]:
    """The lines without branches that only skip a few loads and what computes their addresses."""
    at_label = {found[1]: number for number, line in enumerate(lines) if (found := _LABEL.match(line))}
    targets = [found[2] for line in lines if (found := _BRANCH.match(line))]
    dropped: set[int] = set()
    for number, line in enumerate(lines):
        branch = _BRANCH.match(line)
        if branch and branch[1] and targets.count(branch[2]) == 1:
            end = at_label.get(branch[2], -1)
            if end > number and _loads_alone(lines[number + 1 : end]):
                dropped |= {number, end}
    return [line for number, line in enumerate(lines) if number not in dropped]


def _loads_alone(lines: list[str]) -> bool:
    """Whether these lines store nothing, order nothing and go nowhere, and are few."""
    code = list(instructions("\n".join(lines)))
    plain = not any(one.operation in {"st", "bra", "ret", *_ORDERS} for one in code)
    return plain and len(code) <= _MOST_GUARDED and not any(_LABEL.match(line) for line in lines)


def _begin(found: list[_Stretch], falls_through: bool) -> None:
    """Add a stretch, which the last one runs into or not."""
    found.append(_Stretch())
    if falls_through:
        found[-2].goes_to.append(len(found) - 1)


def _follow(stretch: _Stretch, flying: Flying) -> tuple[Flying, int]:
    """What is under way after a stretch, and the most that ever was."""
    peak = len(flying)
    for part in _parts(stretch):
        loads, others = _scheduled(part)
        now = set(flying)
        for one in loads:
            now.update(_written(one))
        peak = max(peak, len(now))
        for one in others:
            if one.operation == "mov" and now.intersection(_read(one)):
                now.update(_written(one))  # another name of the same register
                now.difference_update(_read(one))
            else:
                now.difference_update(_read(one))
        flying = frozenset(now)
    return flying, peak


def _parts(stretch: _Stretch) -> Iterator[list[Instruction]]:
    """The instructions of a stretch, cut after each that no load may pass."""
    part: list[Instruction] = []
    for one in instructions("\n".join(stretch.lines)):
        part.append(one)
        if one.opcode.startswith("st.global") or one.operation in _ORDERS:
            yield part
            part = []
    yield part


def _scheduled(part: list[Instruction]) -> tuple[list[Instruction], list[Instruction]]:
    """(loads that need no other load of this part, all the rest in order): the first can all go out at once."""
    waited_for: set[str] = set()
    loads, others = [], []
    for one in part:
        if one.opcode.startswith("ld.global") and waited_for.isdisjoint(_read(one)):
            loads.append(one)
            waited_for.update(_written(one))
        else:
            others.append(one)
            if one.opcode.startswith("ld.global") or not waited_for.isdisjoint(_read(one)):
                waited_for.update(_written(one))
    return loads, others


def _written(one: Instruction) -> list[str]:
    """The registers that an instruction gives a value; a store and a barrier write none."""
    if one.operation in ("st", "bar", "barrier", "membar", "fence", "red"):
        return []
    head = one.operands.partition("},")[0] if one.operands.startswith("{") else one.operands.partition(",")[0]
    return _REGISTER.findall(head)


def _read(one: Instruction) -> list[str]:
    """The registers that an instruction uses."""
    if not _written(one):
        return _REGISTER.findall(one.operands)
    tail = one.operands.partition("},")[2] if one.operands.startswith("{") else one.operands.partition(",")[2]
    return _REGISTER.findall(tail)
