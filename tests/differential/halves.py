"""float16 expressions: sums, differences, and products that are not added to anything."""

from __future__ import annotations

from .expr import Expr
from .leaves import element, name_of


def half(w, depth: int) -> Expr:
    """A float16."""
    if depth <= 0 or w.choices.chance(30):
        return leaf(w, depth)
    return w.choices.pick((leaf, addition, product, of_float, unary))(w, depth - 1)


def leaf(w, depth: int) -> Expr:
    def accepts(kind: str) -> bool:
        return kind == "float16"

    found = name_of(w, accepts) if w.choices.chance(50) else element(w, accepts, depth)
    return found or Expr(f"float16({w.choices.between(-16, 16) / 4})", "float16")


def unfused(value: Expr) -> Expr:
    return Expr(f"float16(float32({value.text}))", "float16") if value.product else value


def addition(w, depth: int) -> Expr:
    symbol = w.choices.pick(("+", "-"))
    left, right = unfused(w.half(depth)), unfused(w.half(depth))
    return Expr(f"({left.text} {symbol} {right.text})", "float16")


def product(w, depth: int) -> Expr:
    left, right = w.half(depth), w.half(depth)
    return Expr(f"({left.text} * {right.text})", "float16", product=True)


def of_float(w, depth: int) -> Expr:
    """Rounded from a wider type."""
    return Expr(f"float16({w.floating(depth).text})", "float16")


def unary(w, depth: int) -> Expr:
    value = w.half(depth)
    return Expr(f"(-{value.text})", "float16", product=value.product)
