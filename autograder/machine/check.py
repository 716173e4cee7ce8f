"""One thing that `warpbook doctor` looks at, and what it found."""

from __future__ import annotations

from dataclasses import dataclass

OK, LIMITED, BROKEN = "ok", "limited", "broken"


@dataclass(frozen=True)
class Check:
    """One thing the course needs. status: "ok", "limited" (works without it, and says what is missing) or "broken"."""

    name: str
    status: str
    says: str
    mend: str = ""  # the command to run, "" where nothing needs mending
