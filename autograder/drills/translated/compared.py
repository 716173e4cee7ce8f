"""What a piece of code says otherwise than an accepted form, where every part of it is known.

Calls in a row, with their arguments, are what host code does: numbers stand for sizes, so that `n * 4` is
`n * sizeof(float)`, and the first statement that differs is told. Code with a call that is not known is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from autograder.drills.structure import CPP, StructureError, both
from autograder.drills.structure.arithmetic import simplified
from autograder.drills.structure.compare import alike
from autograder.drills.structure.forms import Form, all_of, called, names_in, num, parts, rebuilt, with_names
from autograder.drills.translated.spelled import INFIX, listed, spelled

SIZES = {"n": 1_021, "blocks": 37, "g": 41, "bin": 3, "i": 5}
POINTER_BYTES = 8
ALSO_KNOWN = {
    "malloc", "free", "memcpy", "cudaMallocHost", "cudaMallocManaged", "cudaPeekAtLastError", "cudaThreadExit",
    "cudaMemcpyFromSymbol", "cudaStreamQuery", "cudaGetLastError", "cudaStreamSynchronize", "cudaDeviceSynchronize",
    "cudaFree", "sizeof", "__syncthreads", "threadfence_block", "threadfence_system", "threadfence", "syncthreads",
    "syncwarp", "local.array", "shared.array", "const.array", "device_array", "pinned_array", "mapped_array",
    "managed_array", "to_device", "zeros", "pinned", "synchronize", "wait", "record", "cg.this_block", "cg.this_grid",
    "sync", "copy_to_host", "copy_to_device",
}  # fmt: skip
TYPES = {"float32", "float64", "int32", "int64", "float16", "None"}
OPEN = INFIX | {"select", "cast", "max", "min", "abs", "not"}
PYTHON_LAUNCH = re.compile(r"(\w+)<<<(.+?), (.+?), (.+?), (.+?)>>>")
STRAIGHT = ("let", "set", "do", "declare", "def")
LAUNCH = ("The kernel", "The grid", "The block", "The stream", "The dynamic shared memory")


def difference(language: str, answer: str, forms: Iterable[str], names: Iterable[str] = ()) -> str | None:
    """A sentence about the first difference to the nearest form; None where the code is not known altogether."""
    forms, names = list(forms), list(names)
    try:
        pairs = [both(language, answer, form, names) for form in forms]
    except StructureError:
        return None
    calls = ALSO_KNOWN | {call for _, wanted in pairs for call in called(wanted)}
    known = {*names, *TYPES, *(name for _, wanted in pairs for name in names_in(wanted))}
    if not _is_known(pairs[0][0], calls, known):
        return None
    told = [found for found in (_told(*pair) for pair in pairs) if found]
    if len(told) < len(pairs):
        return None
    at, said = max(told, key=lambda each: each[0])
    said = said if language == CPP else PYTHON_LAUNCH.sub(r"\1[\2, \3, \5, \4]", said)
    line = _line_of(pairs[0][0], at, answer) if "\n" in answer.strip() and not said.startswith("Missing") else 0
    return f"Line {line}: {said}" if line else said


def _line_of(block: tuple, at: int, answer: str) -> int:
    """The line of one of the statements, found by what it calls or declares; 0 where it cannot be told from others."""

    def name_of(statement: Form) -> str:
        inside = _inside(statement)
        name = inside[1][1] if inside[0] == "launch" else inside[1]
        return name.rpartition(".")[2] if isinstance(name, str) and not name.startswith("local") else ""

    if at >= len(block) or not (name := name_of(block[at])):
        return 0
    before = sum(name_of(each) == name for each in block[:at])
    opening = r"\s*(?:\(|<<<|\[)" if block[at][0] != "declare" else ""
    places = [answer.count("\n", 0, found.start()) + 1 for found in re.finditer(rf"\b{name}\b{opening}", answer)]
    return places[before] if before < len(places) else 0


def _is_known(block: tuple, calls: set[str], names: set[str]) -> bool:
    """Statements in a row, whose every call and every name is known?"""
    own = {each[1] for each in all_of(block, "let", "declare", "param")}
    others = {name for name in names_in(block) - own - names if not name.startswith("cuda")}
    return bool(block) and all(each[0] in STRAIGHT for each in block) and called(block) <= calls and not others


def _numbers(block: Form) -> Form:
    """The same with numbers in the place of sizes."""

    def put(each: Form) -> Form:
        return num(POINTER_BYTES) if each[:2] == ("call", "sizeof") else each

    return simplified(rebuilt(with_names(block, {name: num(value) for name, value in SIZES.items()}), put))


def _open(form: Form) -> bool:
    """Is there arithmetic that no number came out of?"""
    return any(isinstance(each, tuple) and each[:1] and each[0] in OPEN for each in parts(form))


def _told(given: tuple, wanted: tuple) -> tuple[int, str] | None:
    """How many statements agree, and what is said of the first that does not."""
    if given[:1] and given[0][0] == "def":
        heads = wanted[0][0] == "def" and len(given) == len(wanted) == 1
        said = _of_a_head(given[0], wanted[0]) if heads else ""
        return (0, said) if said else None
    if alike(_without_kinds(given), _without_kinds(wanted)) and (pair := _constants(given, wanted)):
        return len(given), f"A constant of another type: `{spelled(pair[0])}`, not `{spelled(pair[1])}`."
    mine, theirs = _numbers(given), _numbers(wanted)
    agreed = next(
        (at for at, pair in enumerate(zip(mine, theirs, strict=False)) if not alike(*pair)), min(len(mine), len(theirs))
    )
    if agreed == len(mine) == len(theirs):
        return None
    left = [each for at, each in enumerate(mine) if not any(alike(each, other) for other in theirs)]
    lacking = [at for at, each in enumerate(theirs) if not any(alike(other, each) for other in mine)]
    if _open(tuple(left)) or any(_open(theirs[at]) for at in lacking):
        return None
    if (
        agreed < len(mine)
        and agreed < len(theirs)
        and (said := _of_one(given[agreed], wanted[agreed], mine[agreed], theirs[agreed]))
    ):
        return agreed, said
    if lacking:
        return agreed, f"Missing: `{spelled(wanted[lacking[0]])}`."
    if left:
        return agreed, f"Not asked for: `{spelled(given[mine.index(left[0])])}`."
    if sorted(map(repr, mine)) == sorted(map(repr, theirs)):
        return agreed, f"In another order: `{spelled(given[agreed])}` comes before `{spelled(wanted[agreed])}`."
    if len(mine) > len(theirs):
        return agreed, f"Not asked for: `{spelled(given[agreed])}`."
    return None


def _without_kinds(block: tuple) -> tuple:
    return rebuilt(block, lambda each: ("num", float(each[1]), "") if each[:1] == ("num",) else each)


def _constants(given: tuple, wanted: tuple) -> tuple[Form, Form] | None:
    """The first numbers that are of different types, in forms that are alike otherwise."""
    pairs = zip(all_of(given, "num"), all_of(wanted, "num"), strict=False)
    return next((pair for pair in pairs if pair[0][2] != pair[1][2]), None)


def _of_one(given: Form, wanted: Form, mine: Form, theirs: Form) -> str:
    """What differs within two statements of a kind; "" where they are of different kinds."""
    given, wanted, mine, theirs = (_inside(each) for each in (given, wanted, mine, theirs))
    if given[:1] == ("launch",) == wanted[:1]:
        return _of_a_launch(given, wanted, mine, theirs)
    if given[:1] == ("call",) == wanted[:1] and given[1] == wanted[1]:
        return _of_a_call(given, wanted, mine, theirs)
    if given[0] == wanted[0] and given[0] in ("declare", "let", "call"):
        return f"`{spelled(given)}` where `{spelled(wanted)}` is asked for."
    return ""


def _inside(statement: Form) -> Form:
    """What a statement works out, where that is a call or a launch."""
    inside = statement[1] if statement[0] == "do" else statement[-1] if statement[0] in ("let", "set") else ()
    return inside if isinstance(inside, tuple) and inside[:1] in (("call",), ("launch",)) else statement


def _of_a_launch(given: Form, wanted: Form, mine: Form, theirs: Form) -> str:
    for place, what in enumerate(LAUNCH, 1):
        if not alike(mine[place], theirs[place]):
            return f"{what} of the launch is `{spelled(given[place])}`, not `{spelled(wanted[place])}`."
    return f"The kernel is handed `{listed(given[6:])}`, not `{listed(wanted[6:])}`."


def _of_a_call(given: Form, wanted: Form, mine: Form, theirs: Form) -> str:
    if len(given) != len(wanted):
        return f"`{given[1]}` is handed `{listed(given[2:])}`, not `{listed(wanted[2:])}`."
    place = next((at for at in range(2, len(mine)) if not alike(mine[at], theirs[at])), 0)
    if not place:  # the type of what it gives back
        return ""
    return f"Argument {place - 1} of `{given[1]}` is `{spelled(given[place])}`, not `{spelled(wanted[place])}`."


def _of_a_head(given: Form, wanted: Form) -> str:
    """Name, marks and parameters of a kernel."""
    if given[1] != wanted[1]:
        return f"The kernel is called `{given[1]}`, not `{wanted[1]}`."
    if not alike(given[:4] + ((), ()), wanted[:4] + ((), ())):
        if not given[2]:
            return f"It is not marked; it should be `{listed(wanted[2])}`."
        return f"It is marked `{listed(given[2])}`, not `{listed(wanted[2])}`."
    if len(given[4]) != len(wanted[4]):
        return f"The number of parameters is {len(given[4])}, not {len(wanted[4])}."
    for place, (mine, theirs) in enumerate(zip(given[4], wanted[4], strict=True), 1):
        if not alike(mine, theirs):
            return f"Parameter {place} is `{_parameter(mine)}`, not `{_parameter(theirs)}`."
    return ""


def _parameter(form: Form) -> str:
    promises = {"const": "const", "restrict": "__restrict__"}
    return " ".join([*(promises.get(each, each) for each in form[3]), form[2].replace("integer", "int")])
