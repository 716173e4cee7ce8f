"""Slips of exercises whose oracle knows its task as rules: a mistake is the rules, but for some of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from autograder.contract import Slip, Values


def but_for(computes: Callable[[Values, Any], dict], right: Any) -> Callable[..., Slip]:
    """What makes slips: (misconception, says, some fields of the rules otherwise) -> Slip.

    computes: (values, rules) -> outputs by name; right: the rules of the task, a dataclass.
    """

    def slip(misconception: str, says: str, **otherwise: Any) -> Slip:
        return Slip(misconception, says, lambda values: computes(values, replace(right, **otherwise)))

    return slip
