"""Functions made of text, whose source is kept where the interpreter and tracebacks look for it."""

from __future__ import annotations

import itertools
import linecache
from collections.abc import Callable
from typing import Any

_serial = itertools.count()


def function_from(text: str, name: str, title: str, **names: Any) -> Callable:
    """The function `name` of some source text. title: of its file, in angle brackets; names: its globals."""
    from simt.cuda_api import cuda

    file_name = f"<{title} {next(_serial)}>"
    linecache.cache[file_name] = (len(text), None, text.splitlines(True), file_name)
    namespace = {"cuda": cuda, **names}
    exec(compile(text, file_name, "exec"), namespace)
    return namespace[name]
