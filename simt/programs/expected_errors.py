"""Refused launches that a test asked for: where the test of `unittest` passes, its author meant them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simt.programs.session import Session

REFUSED = ("invalid_launch", "unsupported")


def running_test() -> Any:
    """What `unittest` keeps of the test that runs now, with `success` as it is so far; None where none runs."""
    case = sys.modules.get("unittest.case")
    if case is None:
        return None
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code is case.TestCase.run.__code__:
            return getattr(frame.f_locals.get("self"), "_outcome", None)
        frame = frame.f_back
    return None


class ExpectedErrors:
    """Remembers which tests' launches were refused until their results are known."""

    def __init__(self) -> None:
        self._tests: list[tuple[Any, Sequence[tuple]]] = []
        self._elsewhere: set[tuple] = set()

    def refused(self, keys: Sequence[tuple]) -> None:
        """A launch was refused for these reasons; those that no test can have expected are kept apart."""
        test = running_test() if keys else None
        if test is not None:
            self._tests.append((test, keys))
        else:
            self._elsewhere.update(keys)

    def told_to(self, session: Session) -> None:
        """Each test is done: what was refused in those that passed, and nowhere else, was expected."""
        failed = {key for test, keys in self._tests if not test.success for key in keys}
        passed = {key for test, keys in self._tests if test.success for key in keys}
        expected = passed - failed - self._elsewhere
        session.heard((one for one in session.reports if one.key in expected), expected=True)
        self._tests.clear()
