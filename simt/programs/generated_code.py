"""Keeps the text of what a program makes with `exec`, `eval` or `compile`: numba reads bytecode, we read text."""

from __future__ import annotations
import __future__

import ast
import builtins
import contextlib
import itertools
import linecache
import sys
from collections.abc import Callable, Iterator
from functools import reduce
from operator import or_
from typing import Any

FUTURES = reduce(or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names))
NAMELESS = "<string>"  # what Python calls the file of a text


@contextlib.contextmanager
def text_kept() -> Iterator[None]:
    """Inside, every text that is compiled without a file has one in `linecache`, under a name of its own."""
    own = {name: getattr(builtins, name) for name in ("exec", "eval", "compile")}
    vars(builtins).update(exec=_running(own["exec"], "exec"), eval=_running(own["eval"], "eval"), compile=_compile)
    try:
        yield
    finally:
        vars(builtins).update(own)


_compiled, _numbers = builtins.compile, itertools.count(1)


def _named(text: str, name: str = NAMELESS) -> str:
    """Keep a text. Returns the name of its file, such as "<string 3>"."""
    name = f"{name[:-1]} {next(_numbers)}>"
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    return name


def _running(run: Callable, mode: str) -> Callable:
    """exec or eval, which also keeps a text. What it is not given, it takes from its caller, as Python does."""

    def run_kept(source, globals=None, locals=None, /, **options):
        __tracebackhide__ = True  # pytest leaves this frame out of what it shows
        frame = sys._getframe(1)
        if globals is None:
            globals, locals = frame.f_globals, frame.f_locals if locals is None else locals
        if isinstance(source, str):
            text = source.lstrip(" \t") if mode == "eval" else source
            source = _compiled(text, _named(text), mode, frame.f_code.co_flags & FUTURES, True)
        return run(source, globals, globals if locals is None else locals, **options)

    return run_kept


def _compile(source, filename, mode, flags=0, dont_inherit=False, optimize=-1, **options) -> Any:
    """`compile`, which also keeps a text whose file is a name in angle brackets that nobody else knows."""
    if not dont_inherit:
        flags |= sys._getframe(1).f_code.co_flags & FUTURES
    nameless = f"{filename}".startswith("<") and f"{filename}".endswith(">") and filename not in linecache.cache
    if isinstance(source, str) and nameless and not flags & ast.PyCF_ONLY_AST:
        filename = _named(source, f"{filename}")
    return _compiled(source, filename, mode, flags, True, optimize, **options)
