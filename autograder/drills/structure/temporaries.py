"""Names that only stand for something: put in their place where that changes nothing, and numbered where they stay."""

from __future__ import annotations

from collections import Counter

from autograder.drills.structure.arithmetic import may_have_a_fraction, simplified
from autograder.drills.structure.forms import (
    AUTO,
    Form,
    all_of,
    called,
    is_num,
    names_addressed,
    names_in,
    parts,
    rebuilt,
    with_names,
)
from autograder.drills.structure.unrolled import written_in

PURE_CALLS = {"grid", "gridsize", "dim3", "sizeof", "min", "max", "this_grid", "float32", "int32", "popc", "__popc"}
ALLOCATIONS = {"shared.array", "local.array", "const.array_like", "this_grid"}
Block = tuple[Form, ...]


def is_constant(form: Form, changing: set[str]) -> bool:
    """The same value wherever it stands: no memory is read, nothing is called that does something."""
    pure = PURE_CALLS - ALLOCATIONS
    return not any(all_of(form, "index", "launch", "assign")) and called(form) <= pure and not names_in(form) & changing


def reads_only(form: Form) -> bool:
    """Memory may be read, but nothing is done."""
    return not any(all_of(form, "launch", "assign")) and called(form) <= PURE_CALLS


def once_declared(block: Block, keep: frozenset[str]) -> Block:
    """A name that has a value already is set the next time: Python declares nothing."""
    seen = set(keep)

    def walk(inner: Block) -> Block:
        found: list[Form] = []
        for each in inner:
            if each[0] == "let" and each[2] == AUTO and each[1] in seen:
                each = ("set", ("name", each[1]), each[3])
            elif each[0] == "let":
                seen.add(each[1])
            found.append(_inner(each, walk))
        return tuple(found)

    return walk(block)


def versions(block: Block, keep: frozenset[str]) -> Block:
    """A name that is declared anew, or set to what its old value gives, is another name from there on."""
    found: list[Form] = []
    rest = list(block)
    now: dict[str, str] = {}  # what a name is called from here on
    while rest:
        each = rest.pop(0)
        if each[0] == "set" and each[1][0] == "name" and each[1][1] in now and not _changes_deeper(each[1][1], rest):
            each = ("let", each[1][1], AUTO, each[2])
        if each[0] == "let" and each[1] not in keep:
            name, before = each[1], now.get(each[1])
            now[name] = name if before is None else f"{before}'"
            if before is not None:
                rest = [_renamed(later, before, now[name]) for later in rest]
                each = ("let", now[name], each[2], each[3])
        found.append(_inner(each, lambda inner: versions(inner, keep)))
    return tuple(found)


def _changes_deeper(name: str, rest: list[Form]) -> bool:
    return any(name in written_in(each) for each in rest if each[0] in ("if", "while"))


def _renamed(form: Form, name: str, fresh: str) -> Form:
    """A statement with another name in the place of one, where it is read; a declaration anew ends it."""
    changed = with_names(form, {name: ("name", fresh)})
    return ("set", form[1], changed[2]) if form[:2] == ("set", ("name", name)) else changed


def joined(block: Block) -> Block:
    """`float ms; ms = f();` as `float ms = f();`; the first value that a name is given declares it."""
    declared: dict[str, str] = {}
    found: list[Form] = []
    for place, each in enumerate(block):
        if each[0] == "declare" and not each[3] and not each[4] and _set_before_use(each[1], block[place + 1 :]):
            declared[each[1]] = each[2]
        elif each[0] == "let" and each[3][0] in ("num", "name") and _set_before_use(each[1], block[place + 1 :]):
            declared[each[1]] = each[2]  # its first value is never read
        elif each[0] == "set" and each[1][0] == "name" and each[1][1] in declared:
            found.append(("let", each[1][1], declared.pop(each[1][1]), each[2]))
        else:
            found.append(_inner(each, joined))
    return tuple(found)


def _set_before_use(name: str, rest: Block) -> bool:
    for each in rest:
        if each[0] == "set" and each[1] == ("name", name):
            return name not in names_in(each[2])
        if name in names_in(each):
            return False
    return False


def _inner(form: Form, change) -> Form:
    """A statement with its inner blocks changed."""
    if form[0] == "if":
        return ("if", form[1], change(form[2]), change(form[3]))
    if form[0] == "while":
        return ("while", form[1], change(form[2]))
    return (*form[:5], change(form[5])) if form[0] == "def" else form


def without_temporaries(block: Block, keep: frozenset[str]) -> Block:
    """The block with names replaced by what they stand for, until nothing more can be."""
    for _ in range(200):
        changed = _one_less(block, keep)
        if changed is None:
            return tuple(_inner(each, lambda inner: without_temporaries(inner, keep)) for each in block)
        block = changed
    return block


def _one_less(block: Block, keep: frozenset[str]) -> Block | None:
    writes = Counter(name for each in block for name in _all_written(each))
    changing = {name for name, count in writes.items() if count > 1} | _written_deeper(block)
    for place, each in enumerate(block):
        if each[0] != "let" or each[1] in keep or each[1] in changing:
            continue
        name, rest = each[1], block[place + 1 :]
        uses = sum(part == ("name", name) for later in rest for part in parts(later))
        if not uses and each[3][0] == "num":
            return (*block[:place], *rest)  # a constant that nobody uses
        if not uses or not _may_move(each, uses, rest, changing):
            continue
        value = simplified(_typed(each[2], each[3]))
        return (*block[:place], *(simplified(with_names(later, {name: value})) for later in rest))
    return None


def _all_written(form: Form) -> list[str]:
    lets = [each[1] for each in all_of(form, "let")]
    return lets + [each[1][1] for each in all_of(form, "set") if each[1][0] == "name"]


def _written_deeper(block: Block) -> set[str]:
    """Names that are given a value inside a loop or a branch, or whose address is taken."""
    deep = {name for each in block if each[0] in ("if", "while") for name in written_in(each)}
    return deep | names_addressed(block)


def _may_move(let: Form, uses: int, rest: Block, changing: set[str]) -> bool:
    """A constant may go anywhere; what reads memory or does something, only into the statement that comes next."""
    if is_constant(let[3], changing):
        return True
    if names_in(let[3]) & changing and not _until_used(let[1], rest, 1):
        return False
    if reads_only(let[3]):
        return _until_used(let[1], rest, uses)
    return uses == 1 and _until_used(let[1], rest, 1) and rest[0][0] in ("let", "set", "do", "if")


def _until_used(name: str, rest: Block, uses: int) -> bool:
    """Are all uses in the statement that comes next, outside of any loop or branch?"""
    if not rest:
        return False
    following = rest[0]
    if following[0] == "while":
        return False
    seen = following[1] if following[0] == "if" else following
    return sum(part == ("name", name) for part in parts(seen)) == uses


def _typed(kind: str, value: Form) -> Form:
    """A value as its name holds it: a name of another width changes it."""
    if kind == "float" and is_num(value):
        return ("cast", "float", value)
    if kind in ("double", "half", "__half", "short", "char", "int8_t") or (
        kind == "integer" and may_have_a_fraction(value)
    ):
        return ("cast", kind, value)
    return value


def numbered(block: Block, keep: frozenset[str]) -> Block:
    """Names of the code's own, by the order in which they appear."""
    order: dict[str, str] = {}
    for each in parts(block):
        own = isinstance(each, tuple) and each[:1] in (("let",), ("declare",)) and each[1] not in keep
        if own or (isinstance(each, tuple) and each[:1] == ("param",)):  # a parameter is known by its place
            order.setdefault(each[1], f"local{len(order)}")

    def put(form: Form) -> Form:
        if form[:1] == ("name",) and len(form) == 2:
            return ("name", order.get(form[1], form[1]))
        if form[:1] in (("let",), ("declare",), ("param",)):
            return (form[0], order.get(form[1], form[1]), *form[2:])
        return form

    return rebuilt(block, put)
