"""What syntax is compiled to: closures that run one node for the active lanes of an environment."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.values import Value

    # Of an expression: gives its value.
    Run = Callable[[Env, Mask], Value]
    # Of statements: gives the lanes that survive them, None when nobody is left.
    Body = Callable[[Env, Mask], Mask | None]
