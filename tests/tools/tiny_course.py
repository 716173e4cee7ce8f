"""The contracts of the fixture course, two tiny units."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

FIXTURES = Path(__file__).parent / "fixtures"

SCALE = SimpleNamespace(id="scale.scale", function="scale", points=4.0, speed=SimpleNamespace(points=1.5))


def tiny_contracts(unit_id: str) -> tuple:
    """The contracts of the fixture units, with only the fields a build reads."""
    return (SCALE,) if unit_id == "01_scale" else ()
