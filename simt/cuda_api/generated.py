"""Functions made of text, whose source is kept where the interpreter and tracebacks look for it."""

from __future__ import annotations

import itertools
import linecache
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from simt.cuda_api.placeholders import kernel_names

CUDA = SimpleNamespace(__simt_cuda__=True, **kernel_names())  # what generated kernels call cuda: they launch nothing
_serial = itertools.count()
_files: set[str] = set()


def function_from(text: str, name: str, title: str, **names: Any) -> Callable:
    """The function `name` of some source text. title: of its file, in angle brackets; names: its globals."""
    file_name = f"<{title} {next(_serial)}>"
    _files.add(file_name)
    linecache.cache[file_name] = (len(text), None, text.splitlines(True), file_name)
    namespace = {"cuda": CUDA, **names}
    exec(compile(text, file_name, "exec"), namespace)
    return namespace[name]


def is_generated(file: str) -> bool:
    """Whether a kernel's file is text of ours, around a function of the program."""
    return file in _files


def name_for(function: Callable) -> str:
    """What a kernel around a function of the program is called."""
    name = getattr(function, "__name__", "")
    return f"vectorized_{name}" if name.isidentifier() else "vectorized"
