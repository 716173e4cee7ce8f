"""Truth values: comparisons of like and unlike types, chains, and, or, not, membership."""

from __future__ import annotations

from .expr import Expr
from .integers import computed
from .leaves import element, name_of

COMPARISONS = ("<", "==", ">", "!=", "<=", ">=")


def condition(w, depth: int) -> Expr:
    """A bool."""
    kinds = [comparison, comparison, chain]
    if depth > 0:
        kinds += [connected, negated, membership]
        if w.has("floats"):
            kinds += [of_floats, of_floats] if w.portable else [of_floats, of_floats, mixed, test_of_float]
        if w.has("complex"):
            kinds.append(of_complex)
        if w.has("halves"):
            kinds.append(of_halves)
    kinds += [flag, flag_element]
    found = w.choices.pick(kinds)(w, depth - 1)
    return found or comparison(w, depth - 1)


def comparison(w, depth: int) -> Expr:
    left, right = computed(w.integer(depth)), w.integer(depth)
    return Expr(f"({left.text} {w.choices.pick(COMPARISONS)} {right.text})", "bool")


def of_floats(w, depth: int) -> Expr:
    left, right = w.floating(depth), w.floating(depth)
    return Expr(f"({left.text} {w.choices.pick(COMPARISONS)} {right.text})", "bool")


def of_halves(w, depth: int) -> Expr:
    left, right = w.half(depth), w.half(depth)
    return Expr(f"({left.text} {w.choices.pick(COMPARISONS)} {right.text})", "bool")


def of_complex(w, depth: int) -> Expr:
    left, right = w.complex_number(depth), w.complex_number(depth)
    return Expr(f"({left.text} {w.choices.pick(('==', '!='))} {right.text})", "bool")


def mixed(w, depth: int) -> Expr:
    left, right = w.floating(depth), w.integer(depth)
    return Expr(f"({left.text} {w.choices.pick(COMPARISONS)} {right.text})", "bool")


def test_of_float(w, depth: int) -> Expr:
    name = w.choices.pick(("isnan", "isinf", "isfinite"))
    return Expr(f"math.{name}({w.floating(depth).text})", "bool")


def chain(w, depth: int) -> Expr:
    values = [computed(w.integer(max(depth, 0))).text for _ in range(3)]
    symbols = [w.choices.pick(("<=", "<")) for _ in range(2)]
    return Expr(f"({values[0]} {symbols[0]} {values[1]} {symbols[1]} {values[2]})", "bool")


def connected(w, depth: int) -> Expr:
    left, right = w.condition(depth), w.condition(depth)
    return Expr(f"({left.text} {w.choices.pick(('and', 'or'))} {right.text})", "bool")


def negated(w, depth: int) -> Expr:
    return Expr(f"(not {w.condition(depth).text})", "bool")


def membership(w, depth: int) -> Expr:
    word = w.choices.pick(("in", "not in"))
    items = ", ".join(str(w.choices.between(0, 9)) for _ in range(3))
    return Expr(f"({computed(w.integer(depth)).text} {word} ({items}))", "bool")


def flag(w, depth: int) -> Expr | None:
    """A bool variable, or a number as a truth value."""
    if w.choices.chance(30):
        return Expr(f"bool({computed(w.integer(max(depth, 0))).text})", "bool")
    return name_of(w, lambda kind: kind == "bool")


def flag_element(w, depth: int) -> Expr | None:
    return element(w, lambda kind: kind == "bool", max(depth, 0))
