"""The shape of a plan, checked before anything reads one: it comes out of a jail, so it may be anything."""

from __future__ import annotations

from typing import Any

MAX_STEPS = 4000


class NotAPlan(ValueError):
    """What came back is no plan; the message says which part."""


def checked(call: Any) -> dict[str, Any]:
    """A call's reply as a plan: "steps", "returned", "many" and "error", each of the right type, and nothing else.

    Whether a step can be done is for `replay` to say. Raises: NotAPlan.
    """
    _need(isinstance(call, dict), "the reply")
    steps, returned, error = call.get("steps"), call.get("returned"), call.get("error")
    _need(isinstance(steps, list) and len(steps) <= MAX_STEPS, "the list of steps")
    for step in steps:
        _need(
            isinstance(step, dict) and isinstance(step.get("do"), str) and isinstance(step.get("line"), int), "a step"
        )
    _need(isinstance(returned, list) and len(returned) <= MAX_STEPS, "what was returned")
    for part in returned:
        _need(part is None or (isinstance(part, dict) and len(part) == 1), "a returned value")
    _need(error is None or isinstance(error, dict), "the error")
    if error is not None:
        error = {"type": str(error.get("type")), "message": str(error.get("message")), "line": error.get("line")}
        _need(isinstance(error["line"], int), "the line of the error")
    return {"steps": steps, "returned": returned, "many": call.get("many") is True, "error": error}


def _need(holds: bool, what: str) -> None:
    if not holds:
        raise NotAPlan(f"{what} is not as it should be")
