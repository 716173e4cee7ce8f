"""What numba refuses of a `range`."""

from simt.refusals import Refusal


def indexed(cell: str) -> Refusal:
    """cell: the whole expression, as in "steps[2]"."""
    says = f"`{cell or 'range(...)[k]'}` takes one number out of a range, which numba does not do."
    return Refusal("wrong_types", says, "Compute it: start + k * step. Or go over the range in a loop.")


def made_a_tuple() -> Refusal:
    """tuple(range(4))"""
    says = "`tuple` of a range has no length that numba knows when it compiles."
    return Refusal("wrong_types", says, "Go over the range in a loop, or use a constant above the kernel.")


def compared() -> Refusal:
    """range(3) == range(n)"""
    return Refusal("wrong_types", "Numba does not compare ranges.", "Compare their ends, as in r.stop == s.stop.")
