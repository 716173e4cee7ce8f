"""Warpbook's autograder: `exercise(id)` is where a notebook starts.

Importing this package loads nothing, and changes only what `numba.cuda` will be where its successor is the compiler in
use (`simt.compilers`). The first of the names below that a notebook asks for makes
`numba.cuda` launches, arrays, streams and events run over `simt` where there is no GPU (`autograder.backend`), so the
course's notebooks work unmodified.
"""

from __future__ import annotations

import contextlib
import importlib
from typing import TYPE_CHECKING, Any

from simt import compilers

with contextlib.suppress(compilers.CompilerError):  # whoever needs a compiler hears of it: `autograder.backend`
    compilers.install()

if TYPE_CHECKING:
    from autograder.machine.health import doctor
    from autograder.notebook.question import exercise
    from autograder.notebook.rungs import ladder

__all__ = ["doctor", "exercise", "ladder"]

HOMES = {  # public name -> the module that defines it; none of them may be a module's name as well
    "doctor": "autograder.machine.health",
    "exercise": "autograder.notebook.question",
    "ladder": "autograder.notebook.rungs",
}


def __getattr__(name: str) -> Any:
    """A public name, loaded when it is first asked for."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from autograder import backend
    from autograder.machine import namesake

    namesake.warn()
    backend.prepare()
    found = globals()[name] = getattr(importlib.import_module(HOMES[name]), name)
    return found


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return sorted({*globals(), *__all__})
