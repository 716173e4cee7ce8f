"""Statements: assignments in fixed and in drifting types, branches, loops, and every way to leave them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from simt.values.numba_rules import range_dtype

from .effects import own_cell, update_local, update_shared_counter
from .expr import Expr, is_integer
from .floats import unfused
from .limits import ADDED, FACTOR, MODULUS, STORED, limited

INDENT = "    "


@dataclass(frozen=True)
class Place:
    """Where a statement stands. depth: levels of nesting still allowed; returns: the line that leaves the function,
    or None where every thread must go on; in_kernel: whether the thread's own cells may be written."""

    depth: int
    in_loop: bool = False
    returns: Callable[[], str] | None = None
    in_kernel: bool = True

    def deeper(self, in_loop: bool | None = None) -> Place:
        return Place(self.depth - 1, self.in_loop if in_loop is None else in_loop, self.returns, self.in_kernel)


def block(w, place: Place, most: int = 3) -> list[str]:
    """One to `most` statements, in a scope of their own."""
    with w.inside():
        lines = []
        for _ in range(w.choices.between(1, most)):
            lines += statement(w, place)
        return lines


def indented(lines: list[str]) -> list[str]:
    return [INDENT + line for line in lines]


def statement(w, place: Place) -> list[str]:
    """One statement, as lines."""
    kinds = [assign, assign, temporary, augment, unpack]
    if w.scope.drifting:
        kinds += [drift, drift]
    if place.in_kernel:
        kinds += [effect, effect]
    if place.in_loop or (place.returns is not None and w.has("early")):
        kinds += [leave]
    if place.depth > 0:
        kinds += [branch, branch, counted_loop, loop_over_tuple]
        if w.has("whiles"):
            kinds += [while_loop]
    return w.choices.pick(kinds)(w, place)


def assign(w, place: Place) -> list[str]:
    """A variable gets a value of its type."""
    name, kind = w.choices.pick(list(w.scope.variables.items()))
    return [f"{name} = {w.of_type(kind).text}"]


def temporary(w, place: Place) -> list[str]:
    """A new name of the type its expression happens to have, used until the block ends."""
    value = any_number(w, place)
    name = w.fresh("t")
    w.constant(name, value.type, value.bits)
    return [f"{name} = {value.text}"]


def any_number(w, place: Place) -> Expr:
    """An expression of its natural type, which no later addition can be fused with."""
    if w.has("floats") and w.choices.chance(40):
        return unfused(w, w.floating())
    if w.choices.chance(20) and not w.portable:
        return w.condition()
    if w.portable:
        return w.of_type("int64")
    return w.integer()


def augment(w, place: Place) -> list[str]:
    """``x += ...`` on a variable whose type that does not change."""
    names = [(name, kind) for name, kind in w.scope.variables.items() if kind in ("int64", "float64")]
    if not names:
        return assign(w, place)
    name, kind = w.choices.pick(names)
    if kind == "int64":
        symbol = w.choices.pick(("+=", "-=", "*=", "^=", "&=", "|="))
        if symbol == "*=":
            return [f"{name} *= {limited(w, w.integer(), FACTOR).text}", f"{name} %= {MODULUS}"]
        return [f"{name} {symbol} {limited(w, w.integer(), ADDED if symbol in ('+=', '-=') else STORED).text}"]
    symbol = w.choices.pick(("+=", "-=", "*="))
    lines = [f"{name} {symbol} {unfused(w, w.floating()).text}"]
    return lines + ([f"{name} = abs({name})"] if symbol == "*=" else [])


def unpack(w, place: Place) -> list[str]:
    """Two variables of one type swap, or a tuple is taken apart."""
    names = list(w.scope.variables.items())
    first, kind = w.choices.pick(names)
    second = w.choices.pick([name for name, other in names if other == kind])
    if first != second and w.choices.chance(50):
        return [f"{first}, {second} = {second}, {first}"]
    left, right = w.of_type(kind).text, w.of_type("int64").text
    name = w.fresh("t")
    w.constant(name, "int64", STORED)
    if w.has("tuples") and w.choices.chance(50):
        pair = w.fresh("p")
        return [f"{pair} = ({left}, {right})", f"{first} = {pair}[0]", f"{name} = {pair}[1]"]
    return [f"{first}, {name} = {left}, {right}"]


def drift(w, place: Place) -> list[str]:
    """A variable gets a value of another type: numba gives it a type that holds all of them."""
    name = w.choices.pick(w.scope.drifting)
    if w.has("floats") and w.choices.chance(30):
        return [f"{name} = {unfused(w, w.floating()).text}"]
    if w.choices.chance(30):
        return [f"{name} = {name} + {w.choices.between(-3, 3)}"]
    kinds = [kind for kind in w.integer_types if kind != "uint64"]
    kind = w.choices.pick(kinds)
    return [f"{name} = {kind}({w.integer().text} % 100)"]


def effect(w, place: Place) -> list[str]:
    """Something another thread cannot see, or that does not depend on the order of threads."""
    return w.choices.pick((own_cell, update_local, update_shared_counter))(w) or assign(w, place)


def leave(w, place: Place) -> list[str]:
    """Some threads break, continue or return."""
    words: list[str | Callable[[], str]] = ["break", "continue"] if place.in_loop else []
    if place.returns is not None and w.has("early"):
        words.append(place.returns)
    word = w.choices.pick(words)
    test = w.condition(1).text
    return [f"if {test}:", INDENT + (word if isinstance(word, str) else word())]


def branch(w, place: Place) -> list[str]:
    lines = [f"if {w.condition().text}:", *indented(block(w, place.deeper()))]
    if w.choices.chance(25):
        lines += [f"elif {w.condition().text}:", *indented(block(w, place.deeper(), 2))]
    if w.choices.chance(50):
        lines += ["else:", *indented(block(w, place.deeper()))]
    return lines


def counted_loop(w, place: Place) -> list[str]:
    """``for k in range(...)``: up, down, or not at all."""
    counter = w.fresh("k")
    few = f"{w.integer(1).text} % {w.choices.between(2, 5)}"
    bounds, kind = str(w.choices.between(1, 4)), "int64"
    form = w.choices.below(6)
    if form == 1:
        bounds = few
    elif form == 2 and not w.portable:
        stop = w.choices.pick(w.integer_types)
        bounds, kind = f"{stop}({few})", range_dtype((np.dtype(stop),)).name
    elif form == 3:
        bounds = f"{few}, {w.choices.between(0, 9)}, {w.choices.between(2, 4)}"
    elif form == 4:
        bounds = f"{w.choices.between(0, 7)}, {few} - 3, {w.choices.pick((-2, -1, -3))}"
    elif form == 5:
        bounds = f"{few}, {w.choices.between(0, 4)}"
    return looped(w, place, f"for {counter} in range({bounds}):", [], counter, kind)


def loop_over_tuple(w, place: Place) -> list[str]:
    """``for k in (3, 1, 2)``."""
    if not w.has("tuples"):
        return counted_loop(w, place)
    counter, items = w.fresh("k"), [str(w.choices.between(-4, 9)) for _ in range(w.choices.between(2, 3))]
    return looped(w, place, f"for {counter} in ({', '.join(items)}):", [], counter, "int64")


def while_loop(w, place: Place) -> list[str]:
    """A loop that ends after a few turns at most, or when a condition stops holding."""
    counter = w.fresh("k")
    test = f"{counter} < {w.integer(1).text} % 5" if w.choices.chance(50) else f"{counter} < {w.choices.between(1, 4)}"
    if w.choices.chance(40):
        test += f" and {w.condition(1).text}"
    first = "int64(0)" if w.portable else "0"
    return [f"{counter} = {first}", *looped(w, place, f"while {test}:", [f"{counter} += 1"], counter, "int64")]


def looped(w, place: Place, head: str, first: list[str], counter: str, kind: str) -> list[str]:
    """A loop around a block that knows the counter."""
    with w.inside():
        if w.portable:
            first = [*first, f"{counter}i = int64({counter})"]
            counter += "i"
        w.constant(counter, kind, 8)
        lines = [head, *indented([*first, *block(w, place.deeper(in_loop=True))])]
    if w.choices.chance(10):
        with w.inside():
            lines += ["else:", *indented(assign(w, place))]
    return lines


def declare_variables(w) -> list[str]:
    """Four to six variables with first values, and maybe one whose type drifts."""
    lines = []
    kinds = ["int64", *(w.choices.pick(w.types) for _ in range(w.choices.between(3, 5)))]
    for kind in kinds:
        name = w.fresh("v")
        lines.append(f"{name} = {kind}({w.of_type(kind, 1).text})" if is_plain(kind) else start(w, name, kind))
        w.variable(name, kind)
    if w.has("drift"):
        w.scope.drifting = (w.fresh("d"),)
        lines.append(f"{w.scope.drifting[0]} = {w.choices.between(0, 5)}")
    return lines


def is_plain(kind: str) -> bool:
    return is_integer(kind) or kind in ("float64", "float32")


def start(w, name: str, kind: str) -> str:
    return f"{name} = {w.of_type(kind, 1).text}"
