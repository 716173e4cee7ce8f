"""A dimension that is known only at run time, as a number to compute with: a polynomial of atoms, in canonical form.

An atom is a size that is given (`N`), or what no polynomial says: floor(a / b), max(a, 0), whether a > 0 or a = 0, one
of two numbers. Everything else is a sum of their products, so that what is the same for every size comes out as an int:
``(n + 3) * 2 - 2 * n`` is 6, ``n * s * 768 // (n * s)`` is 768. Each atom has bounds, and what they prove is an int,
too; a question they do not answer raises `Undecided`. A dimension is an int or a Size, never a Size of one value.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from math import gcd, inf, prod
from typing import Any
from weakref import WeakValueDictionary

MOST_TERMS = 64  # of a polynomial; a longer one is unknown
NUMBERS = count()
KNOWN: WeakValueDictionary[tuple, Atom] = WeakValueDictionary()


class Undecided(ValueError):
    """An answer depends on sizes that are not known yet."""


class Unknown:
    """A number, not whole perhaps, of which nothing is known."""

    def __index__(self) -> int:
        raise Undecided("a number is known only when sizes are given")

    __int__ = __bool__ = __float__ = __index__


UNKNOWN = Unknown()


class Atom:
    """One unknown number. kind: "size" (args: its name) or a function of `choices.py`; args: its operands.

    Made by `atom`, which gives the same object for the same kind and operands.
    """

    __slots__ = ("__weakref__", "args", "high", "kind", "low", "number")

    def __init__(self, kind: str, args: tuple, low: float, high: float):
        self.kind, self.args, self.low, self.high, self.number = kind, args, low, high, next(NUMBERS)

    def __lt__(self, other: Atom) -> bool:
        return self.number < other.number


class Size:
    """A sum of products. terms: {atoms, sorted: factor}; low, high: bounds, both included, inf where there is none."""

    __slots__ = ("_hash", "high", "low", "terms")

    def __init__(self, terms: dict[tuple[Atom, ...], int], low: float, high: float):
        self.terms, self.low, self.high = terms, low, high
        self._hash = hash(frozenset(terms.items()))

    def __eq__(self, other: object) -> bool:
        """Whether it is the same number for every size."""
        return isinstance(other, Size) and self.terms == other.terms

    def __hash__(self) -> int:
        return self._hash

    def __add__(self, other: int | Size) -> int | Size:
        terms = dict(self.terms)
        for atoms, factor in terms_of(other).items():
            terms[atoms] = terms.get(atoms, 0) + factor
        (low, high), (more, most) = bounds(self), bounds(other)
        return made(terms, low + more, high + most)

    __radd__ = __add__

    def __neg__(self) -> int | Size:
        return made({atoms: -factor for atoms, factor in self.terms.items()}, -self.high, -self.low)

    def __sub__(self, other: int | Size) -> int | Size:
        return self + -other

    def __rsub__(self, other: int | Size) -> int | Size:
        return -self + other

    def __mul__(self, other: int | Size) -> int | Size:
        terms: dict[tuple[Atom, ...], int] = {}
        for one, factor in self.terms.items():
            for two, other_factor in terms_of(other).items():
                atoms = tuple(sorted(one + two))
                terms[atoms] = terms.get(atoms, 0) + factor * other_factor
        return made(terms, *product_of_bounds(bounds(self), bounds(other)))

    __rmul__ = __mul__

    def __floordiv__(self, other: int | Size) -> int | Size:
        return quotient(self, other)

    def __rfloordiv__(self, other: int) -> int | Size:
        return quotient(other, self)

    def __mod__(self, other: int | Size) -> int | Size:
        return remainder(self, other)

    def __rmod__(self, other: int) -> int | Size:
        return remainder(other, self)

    def __lt__(self, other: int | Size) -> bool:
        return decided(self - other, lambda low, high: True if high < 0 else False if low >= 0 else None)

    def __gt__(self, other: int | Size) -> bool:
        return decided(self - other, lambda low, high: True if low > 0 else False if high <= 0 else None)

    def __le__(self, other: int | Size) -> bool:
        return not self > other

    def __ge__(self, other: int | Size) -> bool:
        return not self < other

    def __index__(self) -> int:
        raise Undecided(f"{self} is known only when sizes are given")

    __int__ = __bool__ = __float__ = __index__

    def __repr__(self) -> str:
        return text(self)


Number = int | Size


def symbol(name: str, low: float = 0, high: float = inf) -> Number:
    """The size that is called `name`: the same for the same name and bounds."""
    return atom("size", (name,), low, high)


def unknown(low: float = 0, high: float = inf) -> Number:
    """A number of which nothing else is known: every one is its own."""
    return atom("unknown", (next(NUMBERS),), low, high)


def atom(kind: str, args: tuple, low: float, high: float) -> Number:
    """One unknown number within bounds."""
    key = kind, args, low, high
    found = KNOWN.get(key)
    if found is None:
        found = KNOWN[key] = Atom(kind, args, low, high)
    return made({(found,): 1}, low, high)


def made(terms: dict[tuple[Atom, ...], int], low: float = -inf, high: float = inf) -> Number:
    """A sum as an int where it is one for every size; low, high: bounds that the caller knows."""
    terms = {atoms: factor for atoms, factor in terms.items() if factor}
    if len(terms) > MOST_TERMS:
        return unknown(low, high)
    if not terms or terms.keys() == {()}:
        return terms.get((), 0)
    lows, highs = zip(*(term_bounds(atoms, factor) for atoms, factor in terms.items()), strict=True)
    low, high = max(low, sum(lows)), min(high, sum(highs))
    return int(low) if low == high else Size(terms, low, high)


def term_bounds(atoms: tuple[Atom, ...], factor: int) -> tuple[float, float]:
    found: tuple[float, float] = (factor, factor)
    for each in atoms:
        found = product_of_bounds(found, (each.low, each.high))
    return found


def product_of_bounds(one: tuple[float, float], two: tuple[float, float]) -> tuple[float, float]:
    corners = [0 if 0 in (a, b) else a * b for a in one for b in two]  # 0 * inf is 0: no size is infinite
    return min(corners), max(corners)


def terms_of(number: Number) -> dict[tuple[Atom, ...], int]:
    return number.terms if isinstance(number, Size) else {(): int(number)}


def bounds(number: Number) -> tuple[float, float]:
    return (number.low, number.high) if isinstance(number, Size) else (number, number)


def decided(difference: Number, rule: Callable[[float, float], bool | None]) -> bool:
    """Raises: Undecided where bounds do not tell."""
    answer = rule(*bounds(difference))
    if answer is None:
        raise Undecided(f"{difference} may be positive or not")
    return answer


def quotient(a: Number, b: Number) -> Number:
    """floor(a / b). Where b is not known, it is taken for what one may divide by: not 0."""
    if isinstance(b, int):
        return a // b if isinstance(a, int) else divided(a, b) if b > 0 else divided(-a, -b)
    exact = exact_quotient(a, b)
    if exact is not None:
        return exact
    (low, high), (least, _) = bounds(a), bounds(b)
    if low < 0 or least < 0:
        return atom("floor", (a, b), -inf, inf)
    return 0 if high < least else atom("floor", (a, b), 0, high // max(least, 1) if high < inf else inf)


def divided(a: Number, b: int) -> Number:
    """floor(a / b) for b > 0: what divides leaves the bracket, and floors of floors become one."""
    if b == 1 or isinstance(a, int):
        return a if b == 1 else a // b
    whole = {atoms: factor // b for atoms, factor in a.terms.items() if not factor % b or not atoms}
    rest = {atoms: factor for atoms, factor in a.terms.items() if factor % b and atoms}
    constant = a.terms.get((), 0) % b
    outside, inside = made(whole), made({**rest, (): constant})
    if isinstance(inside, int) or (inside.low >= 0 and inside.high < b):
        return outside + (inside // b if isinstance(inside, int) else 0)
    shared = gcd(b, *rest.values())
    if shared > 1:
        smaller = made({(): constant // shared, **{atoms: factor // shared for atoms, factor in rest.items()}})
        return outside + divided(smaller, b // shared)
    (only, factor), *more = rest.items()
    if not more and factor == 1 and len(only) == 1 and only[0].kind == "floor" and isinstance(only[0].args[1], int):
        inner, by = only[0].args
        return outside + divided(inner + constant * by, by * b)
    low, high = (n // b if abs(n) < inf else n for n in (inside.low, inside.high))
    total_low, total_high = (n // b if abs(n) < inf else n for n in bounds(a))
    found = outside + atom("floor", (inside, b), low, high)
    return within(found, total_low, total_high)


def within(number: Number, low: float, high: float) -> Number:
    """The same number, with bounds that the caller knows."""
    return number if isinstance(number, int) else made(number.terms, max(low, number.low), min(high, number.high))


def remainder(a: Number, b: Number) -> Number:
    """a modulo b, of the sign of b."""
    found = a - b * quotient(a, b)
    return within(found, 0, bounds(b)[1] - 1) if bounds(b)[0] >= 0 else found


def exact_quotient(a: Number, b: Size) -> Number | None:
    """a / b where it is a polynomial, by long division; else None."""
    rest, found = a, 0
    lead = max(b.terms, key=order)
    for _ in range(MOST_TERMS):
        if isinstance(rest, int) and rest == 0:
            return found
        top = max(terms_of(rest), key=order)
        factor, left = divmod(terms_of(rest)[top], b.terms[lead])
        missing = list(top)
        for each in lead:
            if each not in missing:
                return None
            missing.remove(each)
        if left:
            return None
        step = made({tuple(missing): factor})
        found, rest = found + step, rest - step * b
    return None


def order(atoms: tuple[Atom, ...]) -> tuple:
    """Of monomials: by degree, then by atoms; a product keeps it."""
    return len(atoms), tuple(-each.number for each in atoms)


def text(number: Any, depth: int = 3) -> str:
    """As a person would write it; what is nested too deeply is "..."."""
    if not isinstance(number, Size):
        return str(number)
    if not depth:
        return "..."
    parts = []
    for atoms, factor in sorted(number.terms.items(), key=lambda term: (not term[0], order(term[0]))):
        names = [atom_text(each, depth) for each in atoms]
        parts.append(" * ".join([*([str(factor)] if factor != 1 or not atoms else []), *names]))
    return " + ".join(parts).replace("-1 * ", "-").replace("+ -", "- ")


def atom_text(each: Atom, depth: int) -> str:
    if each.kind == "size":
        return str(each.args[0])
    if each.kind == "unknown":
        return "?"
    return f"{each.kind}({', '.join(text(arg, depth - 1) for arg in each.args)})"


def value_at(number: Any, values: Callable[[Atom], int], functions: dict[str, Callable[..., int]]) -> int:
    """The number for given sizes. values: of atoms of kind "size" and "unknown"; functions: of all other kinds."""
    if not isinstance(number, Size):
        return number

    def of(each: Atom) -> int:
        if each.kind in functions:
            return functions[each.kind](*(value_at(arg, values, functions) for arg in each.args))
        return values(each)

    return sum(factor * prod(map(of, atoms)) for atoms, factor in number.terms.items())
