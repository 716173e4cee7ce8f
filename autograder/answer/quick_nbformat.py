"""nbformat without the grammar of internationalised web addresses, which takes two seconds to build at every start.

`jsonschema`, by which nbformat reads, builds it where it is installed; no notebook's schema asks for such an address.
"""

from __future__ import annotations

import sys

GRAMMAR = "rfc3987_syntax"

_hidden = GRAMMAR not in sys.modules
if _hidden:
    sys.modules[GRAMMAR] = None  # type: ignore[assignment]  # to Python: not installed
try:
    import nbformat
finally:
    if _hidden:
        del sys.modules[GRAMMAR]

__all__ = ["nbformat"]
