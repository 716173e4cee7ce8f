"""What a pitfall is, as data: the wrong code, the right code, and how each is looked at.

One file of kernels for each group (`arithmetic`, `memory_spaces`, ...), each ending in its `PITFALLS`; `ALL` in
`listing` gathers them. The tests prove every entry, and docs/pitfalls.md is written from them.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Said:
    """One thing a learner is told. kind: the finding, cause or outcome it belongs to."""

    kind: str
    says: str
    remedy: str = ""


@dataclass(frozen=True)
class Experiment:
    """Code to look at, and what looking at it says. code: what the documentation quotes, a function or plain text."""

    code: Callable | str
    run: Callable[[], list[Said]]
    launch: str = ""  # the launch, where the mistake is in it
    values: tuple[Any, ...] = ()  # arguments of a kernel that is only compiled

    @property
    def source(self) -> str:
        """The code as its author wrote it, without indentation, and the launch."""
        if isinstance(self.code, str):
            return self.code
        source = textwrap.dedent(inspect.getsource(getattr(self.code, "py_func", self.code))).strip()
        return f"{source}\n\n\n{self.launch}" if self.launch else source


@dataclass(frozen=True)
class Pitfall:
    """One mistake that a check explains by itself.

    number: as in docs/pitfalls.md. found_by: "compiler", "source", "trace", "order", "judge", "doctor", "interpreter".
    kind and says: what must be said of `wrong`, and not of `right`. An empty kind: the pitfall is one of other tools,
    and nothing must be said of either.
    """

    number: int
    title: str
    happens: str  # one or two sentences: what the code seems to do, and what it does
    found_by: str
    kind: str
    says: str
    wrong: Experiment
    right: Experiment


@dataclass(frozen=True)
class OnlyWithGPU:
    """A pitfall that shows only in time or in a CUDA context."""

    number: int
    title: str
    happens: str
