"""A finding at a line of a library's function, as numba's random numbers: told at the program's line that calls it."""

from __future__ import annotations

import re
from dataclasses import replace

from simt.cuda_api.generated import is_generated
from simt.events import Finding
from simt.programs.places import Functions, LinesSeen
from simt.programs.reports import Where

RANDOM = "xoroshiro128p"
SHARED_STATE = (
    "Give each thread a state of its own: create_xoroshiro128p_states for as many states as the launch has threads, "
    "and an index such as cuda.grid(1), or row * width + column, that no other thread has."
)


def told_at_home(finding: Finding, functions: Functions, seen: LinesSeen) -> tuple[Finding, tuple[Where, ...]]:
    """A finding, and the places of its lines: of a line of a library, the line of the program that calls it."""
    if is_generated(functions.kernel.file) and finding.detail.get("function") == functions.kernel.name:
        return _of_generated(finding, functions)
    places, calls = [], []
    for line in finding.lines:
        call = seen.call_of(finding.array, line, functions)
        calls.append(call)
        places.append(Where(functions.file_of(line, finding.array, seen), call[1] if call else line))
    if not any(calls):
        return finding, tuple(places)
    library = next(call[0] for call in calls if call)
    if finding.kind == "race" and library.startswith(RANDOM):
        finding = _shared_state(finding, library, places[0].line)
    else:
        remedy = SHARED_STATE if finding.kind == "out_of_bounds" and library.startswith(RANDOM) else finding.remedy
        says = f"{_in_own_lines(finding, calls)} That is inside `{library}`, which line {places[0].line} calls."
        finding = replace(finding, message=says, remedy=remedy)
    return replace(finding, lines=tuple(dict.fromkeys(one.line for one in places))), tuple(dict.fromkeys(places))


def _of_generated(finding: Finding, functions: Functions) -> tuple[Finding, tuple[Where, ...]]:
    """A finding in the kernel that is made around a function of the program, as one of the function's result."""
    home = next((one for one in functions.all if not is_generated(one.file)), functions.kernel)
    says = finding.message
    for line in finding.lines:
        says = re.sub(rf"\bat line {line}\b", f"as the result of `{home.name}`, at line {home.first},", says)
    detail = {**finding.detail, "function": home.name}
    return replace(finding, message=says, lines=(home.first,), detail=detail), (Where(home.file, home.first),)


def _in_own_lines(finding: Finding, calls: list[tuple[str, int] | None]) -> str:
    """What a finding says, with the lines of the program in place of those of a file that nobody has open."""
    told = finding.message
    for line, call in zip(finding.lines, calls, strict=True):
        if call is not None:
            told = re.sub(rf"\bat line {line}\b", f"at line {call[1]}", told)
    return told


def _shared_state(finding: Finding, library: str, line: int) -> Finding:
    """Two threads that draw from one state of the random numbers."""
    who = finding.message.partition(" both ")[0]
    who = who if who != finding.message else "Two threads"
    index = finding.detail.get("index")
    state = f"{finding.array}[{index[0]}]" if index else f"one element of {finding.array}"
    says = (
        f"{who} both draw random numbers from {state} at line {line} (`{library}`): they get the same numbers, or "
        "correlated ones, and the state is lost in between."
    )
    return replace(finding, message=says, remedy=SHARED_STATE)
