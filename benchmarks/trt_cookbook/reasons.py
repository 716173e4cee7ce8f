"""Why a case of the cookbook does not come out as in TensorRT's log, by the beginning of its name."""

from __future__ import annotations

REASONS: dict[str, str] = {}


def why_different(case: str) -> str:
    """The reason on record, or "" for a difference that nobody has explained yet."""
    return next((why for name, why in REASONS.items() if case.startswith(name)), "")
