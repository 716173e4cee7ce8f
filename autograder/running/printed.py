"""What a learner's code printed, as a verdict shows it: one run of one case, which it names, and not too much."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator

MOST_LINES = 20
STEPS_SHOW = ", and q.step() shows every thread"  # in a notebook
WIDEST = 200  # characters of a line


@contextlib.contextmanager
def unheard() -> Iterator[None]:
    """Run an answer once more, for a picture or a guess, without what it prints: the verdict has shown that."""
    with contextlib.redirect_stdout(io.StringIO()):
        yield


def as_shown(text: str, case: str) -> str:
    """The first lines of what one run on a case printed, under a line that names it; "" for nothing."""
    lines = text.rstrip().splitlines()
    if not any(lines):
        return ""
    head = f"Your code printed at {case}"
    if len(lines) > MOST_LINES:
        head = f"Your code printed {len(lines):,} lines at {case}; these are the first {MOST_LINES}{STEPS_SHOW}"
    return "\n".join([f"{head}:", *(line[:WIDEST] for line in lines[:MOST_LINES])])
