"""The common form of code as a reader of either language writes it, for a sentence about a part of it."""

from __future__ import annotations

from collections.abc import Iterable

from autograder.drills.structure.forms import Form

MOST_DECIMAL = 0xFFFF  # a mask is read in hexadecimal
INFIX = {"+", "-", "*", "/", "%", "<", "<=", "==", "!=", "&", "|", "^", "&&", "||", "<<", ">>"}


def listed(forms: Iterable[Form | str | None]) -> str:
    """Several of them, with commas between."""
    return ", ".join(map(spelled, forms))


def spelled(form: Form | str | None) -> str:
    """An expression or a statement on one line; a name of the code's own is `…`."""
    if not isinstance(form, tuple):
        return "" if form is None else str(form)
    head, parts = form[0] if form else "", form[1:]
    if head == "name":
        return "…" if str(parts[0]).startswith("local") and parts[0][5:].isdigit() else parts[0]
    if head == "num":
        whole = parts[1] == "i" and parts[0] > MOST_DECIMAL
        return hex(parts[0]) if whole else f"{parts[0]}f" if parts[1] == "f" else str(parts[0])
    if head in INFIX:
        return f" {head} ".join(map(spelled, parts))
    if head == "index":
        return f"{spelled(parts[0])}[{listed(parts[1:])}]"
    if head == "member":
        return f"{spelled(parts[0])}.{parts[1]}"
    if head == "addr":
        return f"&{spelled(parts[0])}"
    if head == "cast":
        return f"({parts[0]}){spelled(parts[1])}"
    if head == "call":
        return f"{parts[0]}({listed(parts[1:])})"
    if head == "keyword":
        return f"{parts[0]}={spelled(parts[1])}"
    if head == "tuple":
        return f"({listed(parts)})"
    if head == "launch":
        kernel, grid, block, stream, shared, *given = map(spelled, parts)
        return f"{kernel}<<<{grid}, {block}, {shared}, {stream}>>>({', '.join(given)})"
    if head == "do":
        return spelled(parts[0])
    if head in ("let", "set"):
        return f"{spelled(('name', parts[0]) if head == 'let' else parts[0])} = {spelled(parts[-1])}"
    if head == "declare":
        words = "".join("extern " if word == "extern" else f"__{word}__ " for word in parts[2].split())
        sizes = "".join(f"[{spelled(size)}]" for size in parts[3])
        return f"{words}{parts[1].replace('integer', 'int')} {spelled(('name', parts[0]))}{sizes}"
    return head
