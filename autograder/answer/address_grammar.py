"""The grammar of internationalised web addresses, which takes seconds to build and which no notebook needs.

`jsonschema`, by which nbformat reads, builds it where it is installed; no notebook's schema asks for such an address.
"""

from __future__ import annotations

import sys

NAME = "rfc3987_syntax"


def hide() -> bool:
    """Let Python take the grammar for not installed, unless it is imported already; whether that is new."""
    new = NAME not in sys.modules
    if new:
        sys.modules[NAME] = None  # type: ignore[assignment]
    return new


def show() -> None:
    """Let it be imported again."""
    del sys.modules[NAME]
