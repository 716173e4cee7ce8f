"""Where a worker's own seconds go: how long each stage of judging an answer takes, and what waits within it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch


def stages() -> dict[str, list[tuple[Any, str]]]:
    """Part of an answer's judging -> (object, attribute) of what does it. "of which" lies within the others."""
    from autograder.classroom.jail import host_functions, interpreter, pictures, visit
    from autograder.classroom.sealed import compiling, fixing, launching, stage, timing
    from autograder.classroom.sealed.sets import drawing, kept, shared

    return {
        "fixing": [(fixing, "fix")],
        "interpreting": [(interpreter, "interpret")],
        "recording": [(host_functions, "_record")],
        "drawing_a_picture": [(pictures, "with_picture")],
        "on_the_gpu": [(stage.Sealed, "run_on_gpu")],
        "ready_to_time": [(timing._Race, "prepared")],
        "profile": [(timing, "profiled")],
        "of_which_jail_starts": [(visit._Jail, "open")],
        "of_which_launcher_starts": [(launching.Launcher, "hello")],
        "of_which_compiling": [(compiling, "compiled")],
        "sets": [(shared, "_shared")],
        "of_which_drawing": [(drawing, "made")],
        "of_which_oracle": [(drawing, "judged")],
        "of_which_keeping": [(kept, "keep")],
        "of_which_putting": [(timing._Race, "_put")],
    }


@contextmanager
def timed() -> Iterator[dict[str, float]]:
    """While the block runs, how long each part took is added up here, in s, over all threads."""
    took: dict[str, float] = {}
    with ExitStack() as stack:
        for part, places in stages().items():
            for owner, name in places:
                stack.enter_context(patch.object(owner, name, _beside(getattr(owner, name), part, took)))
        yield took


def _beside(call: Callable, part: str, took: dict[str, float]) -> Callable:
    """The same, with its time under that part."""

    def clocked(*arguments: Any, **options: Any) -> Any:
        begun = time.monotonic()
        try:
            return call(*arguments, **options)
        finally:
            took[part] = took.get(part, 0.0) + time.monotonic() - begun

    return clocked
