"""What an element of an array cannot hold."""

from __future__ import annotations

import difflib
import re

from simt.refusals import Refusal


def no_element(value: object, dtype: str) -> Refusal:
    """A value that one element cannot hold: None, a tuple, or an array. dtype: of the element."""
    if value is None:
        return Refusal("no_element", f"Cannot store nothing in an element of type {dtype}.", "")
    if isinstance(value, tuple):
        remedy = "Take one of its parts, as in t[0]."
        return Refusal("no_element", f"Cannot store a tuple in an element of type {dtype}.", remedy)
    return array_in_element(dtype)


def record_in_element(dtype: str) -> Refusal:
    """dtype: a number's, as in "int64"."""
    says = f"Cannot store a record in an element of type {dtype}."
    return Refusal("no_element", says, "Take one of its fields, as in r.x.")


def number_in_record() -> Refusal:
    """points[i] = 2."""
    says = "Cannot store a number in a whole record."
    return Refusal("no_element", says, "Name one of its fields, as in points[i].x = 2.")


def array_in_element(dtype: str) -> Refusal:
    """dst[0] = src. dtype: of the element."""
    remedy = "Index it, as in x[i], so that each thread takes one element."
    return Refusal("array_in_element", f"Cannot store a whole array in an element of type {dtype}.", remedy)


def row_of(written: str) -> tuple[str, str] | None:
    """What "x[i]" of an array of several axes is, and what to write; None for what has no single index."""
    found = re.fullmatch(r"(\w+)\[[^\[\]:,]+\]", written)
    return ("a row of an array", f"Index every axis, as in {found[1]}[i, j].") if found else None


def tuple_by_tuple(cell: str) -> Refusal:
    """x[i, 0] of a tuple, which has one axis."""
    return Refusal(
        "index_type",
        f"`{cell}` gives a tuple several indices at once, and a tuple takes one.",
        "Index what it holds in brackets of their own, as in x[i][0].",
    )


def no_such_item(written: str, length: int) -> Refusal:
    """written: "x.shape[2]", of a tuple of `length` items."""
    whose, _, index = written.removesuffix("]").rpartition("[")
    if whose.endswith((".shape", ".strides")):
        axes = "1 axis" if length == 1 else f"{length} axes"
        says = f"`{written}` asks for axis {index}, and {whose.rpartition('.')[0]} has {axes} here."
        return Refusal("no_such_item", says, "Axes count from 0: give it an array of as many axes as the kernel takes.")
    says = f"`{written}` asks for an item that is not there: the tuple has {length}."
    return Refusal("no_such_item", says, "Items count from 0.")


def no_field(name: str, fields: tuple[str, ...]) -> Refusal:
    """name: "vel", of a record that has `fields`."""
    near = difflib.get_close_matches(name, fields, 1, 0.5)
    remedy = f"Did you mean `{near[0]}`?" if near else "Name one of these; its dtype says which there are."
    return Refusal("unknown_attribute", f"The record has no field `{name}`: it has {', '.join(fields)}.", remedy)
