"""What depends on how sizes compare: the smaller, the larger, whether, and one of two. All of ints or sizes.

Truth is 0 or 1, so that "and" is a product and "not" is 1 minus. What bounds or algebra prove is an int.
"""

from __future__ import annotations

from math import gcd, inf

import numpy as np

from minitrt.shapes.size import Number, Size, atom, bounds, order, quotient, within

FUNCTIONS = {  # the meaning of atoms that are functions, for numbers
    "floor": lambda a, b: a // b if b else 0,
    "at least 0": lambda a: max(a, 0),
    "above 0": lambda a: int(a > 0),
    "is 0": lambda a: int(a == 0),
    "one of": lambda condition, yes, no: yes if condition else no,
    "scaled": lambda n, scale: int(np.floor(n * np.float32(scale))),
}


def at_least_zero(a: Number) -> Number:
    """max(a, 0); of a and -a one has the atom, so that what they have in common cancels."""
    low, high = bounds(a)
    if low >= 0:
        return a
    if high <= 0:
        return 0
    assert isinstance(a, Size)
    if leading(a) < 0:
        return within(at_least_zero(-a) + a, 0, high)
    shared = gcd(*a.terms.values())
    if shared > 1:
        return shared * at_least_zero(quotient(a, shared))
    return atom("at least 0", (a,), 0, high)


def largest(*numbers: Number) -> Number:
    found = numbers[0]
    for each in numbers[1:]:
        (low, high), (least, most) = bounds(found), bounds(each)
        found = within(each + at_least_zero(found - each), max(low, least), max(high, most))
    return found


def smallest(*numbers: Number) -> Number:
    found = numbers[0]
    for each in numbers[1:]:
        (low, high), (least, most) = bounds(found), bounds(each)
        found = within(found - at_least_zero(found - each), min(low, least), min(high, most))
    return found


def above(a: Number, b: Number = 0) -> Number:
    """a > b, as 0 or 1."""
    difference = a - b
    low, high = bounds(difference)
    if low > 0 or high <= 0:
        return int(low > 0)
    assert isinstance(difference, Size)
    if leading(difference) < 0:
        return 1 - above(1 - difference)
    constant, shared = difference.terms.get((), 0), common_factor(difference)
    if shared > 1:  # g * p + c > 0 just where p > floor(-c / g)
        return above(quotient(difference - constant, shared), -constant // shared)
    return atom("above 0", (difference,), 0, 1)


def equal(a: Number, b: Number = 0) -> Number:
    """a = b, as 0 or 1."""
    difference = a - b
    low, high = bounds(difference)
    if isinstance(difference, int):
        return int(difference == 0)
    if low > 0 or high < 0 or difference.terms.get((), 0) % common_factor(difference):
        return 0
    difference = -difference if leading(difference) < 0 else difference
    return atom("is 0", (quotient(difference, gcd(*difference.terms.values())),), 0, 1)


def chosen(condition: Number, yes: Number, no: Number) -> Number:
    """yes where the condition, 0 or 1, is 1; else no."""
    if isinstance(condition, int):
        return yes if condition else no
    if yes == no or (isinstance(yes, int) and isinstance(no, int)):
        return no + condition * (yes - no)
    (low, high), (least, most) = bounds(yes), bounds(no)
    return atom("one of", (condition, yes, no), min(low, least), max(high, most))


def truncated_quotient(a: Number, b: Number) -> Number | None:
    """a / b towards zero, as integers divide in C; None where nothing is known of the sign of b."""
    if bounds(b)[0] < 0:
        return -truncated_quotient(a, -b) if bounds(b)[1] < 0 else None
    if bounds(b)[1] == 0:
        return 0
    return quotient(at_least_zero(a), b) - quotient(at_least_zero(-a), b)


def truth(a: Number) -> Number:
    """Whether it is not 0."""
    return a if bounds(a) == (0, 1) else 1 - equal(a)


def scaled(n: Number, scale: float) -> Number:
    """floor(n * scale) for n >= 0 and scale >= 0 in single precision."""
    if isinstance(n, Size) and not float(scale).is_integer():
        return atom("scaled", (n, float(scale)), 0, inf)
    return n * int(scale)


def depends_on_choice(a: Number) -> bool:
    """Whether some of it changes where sizes compare otherwise, not by sums, products and quotients alone."""
    if not isinstance(a, Size):
        return False
    atoms = {each for product in a.terms for each in product}
    return any(
        each.kind not in ("size", "unknown", "floor") or each.kind == "floor" and any(map(depends_on_choice, each.args))
        for each in atoms
    )


def leading(a: Size) -> int:
    """The factor of the first product, which says which of a and -a is written."""
    return a.terms[max(a.terms, key=order)]


def common_factor(a: Size) -> int:
    """Of all products but the constant."""
    return gcd(*(factor for atoms, factor in a.terms.items() if atoms))
