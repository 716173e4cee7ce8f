"""An expression of exactly the type that a variable, an element or a parameter wants."""

from __future__ import annotations

from .complexes import part, stored
from .expr import Expr, is_integer, kind_of
from .floats import unfused
from .limits import STORED, fits, limited


def of_type(w, wanted: str, depth: int) -> Expr:
    """Of type `wanted`, safe to store: not a product that a later addition could be fused with."""
    kind = kind_of(wanted)
    if kind == "b":
        value = w.condition(depth)
        return Expr(f"bool({value.text})", "bool") if w.portable else value
    if kind == "c":
        return stored(w, wanted, depth)
    if wanted == "float16":
        value = w.half(depth)
        return Expr(f"float16(float32({value.text}))", wanted) if value.product else value
    if is_integer(wanted):
        value = w.integer(depth)
        if wanted == "int64":
            value = limited(w, value, STORED)
        same = value.type == wanted and not w.portable
        return value if same else Expr(f"{wanted}({value.text})", wanted, bits=fits(wanted, value.bits))
    return _floating(w, wanted, depth)


def _floating(w, wanted: str, depth: int) -> Expr:
    if w.has("complex") and w.choices.chance(20):
        value = part(w, depth)
    elif w.has("halves") and w.choices.chance(20):
        value = Expr(f"float32({w.half(depth).text})", "float32")
    else:
        value = unfused(w, w.floating(depth))
    if value.type == wanted and not w.portable:
        return value
    return Expr(f"{wanted}({value.text})", wanted)
