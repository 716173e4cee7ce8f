"""Showing things in a notebook. IPython is imported when something is shown and not before."""

from __future__ import annotations

import sys

OPEN_CODE = '<pre style="overflow-x:auto;white-space:pre;padding:.4em">'  # JupyterLab would break its lines


def in_notebook() -> bool:
    """True inside an IPython kernel, which can show HTML."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return shell is not None and hasattr(shell, "kernel")


def publish(bundle: dict[str, str], key: str | None = None):
    """Show a thing by its forms, MIME type -> text. key: a name under which it can be replaced.

    Returns: IPython's display handle, whose `update(bundle, raw=True)` replaces it; None without a key.
    """
    from IPython.display import display

    return display(bundle, raw=True, display_id=key) if key else display(bundle, raw=True)


def show(thing) -> None:
    """Show an object as a notebook does by itself."""
    from IPython.display import display

    display(thing)
