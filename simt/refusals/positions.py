"""A thread's place that stands where it is no number: without its axis, or without its call."""

from __future__ import annotations

from simt.refusals import Refusal


def position_as_number(written: str, text: str) -> Refusal:
    """written: "cuda.threadIdx", used as one number in `text`."""
    return Refusal(
        "position_as_number",
        f"`{written}` is three numbers, x, y and z, and `{text}` takes it for one.",
        f"Write {written}.x.",
    )


def grid_not_called(written: str, name: str = "") -> Refusal:
    """written: "cuda.grid", without a call; name: what it is assigned to, "" where a number stands elsewhere."""
    whose = f"`{name}` is to be a number" if name else "a number is needed here"
    return Refusal(
        "grid_not_called",
        f"`{written}` without parentheses is the function itself, and {whose}.",
        f"Call it with the number of dimensions: {f'{name} = ' if name else ''}{written}(1).",
    )


def grid_in_one_name(written: str, name: str) -> Refusal:
    """written: "cuda.grid(2)", assigned to one `name`."""
    return Refusal(
        "grid_in_one_name",
        f"`{written}` gives one number a dimension, and `{name}` takes them all at once.",
        "Give each a name, as in x, y = cuda.grid(2), or ask for one: cuda.grid(1).",
    )
