"""What IPython shows of an error in a learner's cell: the learner's lines, without the way through our own code."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any

from autograder.programs.script import OUR_FOLDERS, without_ours

OUR_OWN = (AssertionError, AttributeError, KeyError, NameError)  # raised in our code, a mistake of ours: shown whole


def hide_ours() -> None:
    """From now on, errors that stop a cell are shown without our frames; once a session, and only in IPython."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None and not getattr(shell, "custom_exceptions", (Exception,)):
        shell.set_custom_exc((Exception,), _show)


def _show(shell: Any, kind: type, error: BaseException, frames: TracebackType, tb_offset: int | None = None) -> None:
    """In place of IPython's own: the same, of a shorter traceback."""
    shell.showtraceback((kind, error, of_the_learner(error, frames)), running_compiled_code=True)


def of_the_learner(error: BaseException, frames: TracebackType | None) -> TracebackType | None:
    """The frames that are not ours, for an error and those that led to it; all where the mistake is ours."""
    if isinstance(error, OUR_OWN) and _ends_in_ours(frames):
        return frames
    for one in (error.__cause__, error.__context__):
        if one is not None:
            one.__traceback__ = without_ours(one.__traceback__)
    return without_ours(frames) or frames


def _ends_in_ours(frames: TracebackType | None) -> bool:
    """Whether our own code raised an error."""
    while frames is not None and frames.tb_next is not None:
        frames = frames.tb_next
    return frames is not None and frames.tb_frame.f_code.co_filename.startswith(OUR_FOLDERS)
