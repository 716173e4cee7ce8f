"""A verdict of the course as a drill tells it: without the calls of a notebook, which a drill has not."""

from __future__ import annotations

CALLS = ("q.hint(", "q.show(")


def told(outcome) -> str:
    """The verdict without the lines that advise a call, such as q.hint()."""
    return "\n".join(line for line in str(outcome).splitlines() if not any(call in line for call in CALLS))
