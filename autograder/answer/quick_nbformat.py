"""nbformat without the grammar that `address_grammar` tells of, whatever is imported before or after."""

from __future__ import annotations

from autograder.answer import address_grammar

_hidden = address_grammar.hide()
try:
    import nbformat
finally:
    if _hidden:
        address_grammar.show()

__all__ = ["nbformat"]
