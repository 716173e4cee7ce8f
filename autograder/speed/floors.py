"""Why a time is not believed. It then goes to review: an odd clock earns nobody a zero, and nobody full points.

Pure functions of what a timing process said, for the judge that asked it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.speed.decision import Decision
from autograder.speed.footprint import Device

FASTER_THAN_POSSIBLE = 1.05  # times the rate at which this device moves bytes, and the speed of whoever is fastest else
WALL_US, WALL_SHARE = 20.0, 0.03  # by how much the host's clock may say more than the device's, beyond what is usual
MAX_DISCARDED = 0.30  # share of the rounds
NOISY, CLOCKS, IMPLAUSIBLE = "noisy", "clocks", "implausible"
OF_THE_MACHINE = (NOISY, CLOCKS)  # may come from a busy machine, so that another try, with the same floors, may tell


@dataclass(frozen=True)
class Doubt:
    """Why a time is for review. kind: IMPLAUSIBLE, or one of OF_THE_MACHINE."""

    kind: str
    says: str


def doubts(result: Mapping[str, Any], device: Device, found: Decision | None) -> list[Doubt]:
    """What speaks against believing a timing process's answer. Empty where nothing does."""
    asked = (_implausible(result, device), _clocks(result, device), _noise(device, found))
    return [doubt for doubt in asked if doubt is not None]


def _implausible(result: Mapping[str, Any], device: Device) -> Doubt | None:
    """Faster than the bytes can move, and than anybody else who moved them in the same rounds.

    What the cache may still hold after a launch is given away.
    """
    times = {name: _median(samples) for name, samples in result["times_us"].items() if len(samples)}
    rate = max(result["bytes"] / (1e-6 * times["copy"]), device.read_rate)
    least_us = 1e6 * max(0, result["bytes"] - device.l2_bytes) / rate
    others = [time_us for name, time_us in times.items() if name not in ("yours", "copy")]
    floor_us = min([least_us, *others]) / FASTER_THAN_POSSIBLE
    if times["yours"] >= floor_us:
        return None
    return Doubt(
        IMPLAUSIBLE,
        f"{times['yours']:,.1f} us is less than the {least_us:,.1f} us that this device needs to move the data at all",
    )


def _clocks(result: Mapping[str, Any], device: Device) -> Doubt | None:
    """The device's clock says much less than the host's.

    By how much it always says less was measured before the rounds; a busy machine looks at its clock later, at that of
    the reference in the same rounds as well.
    """
    gap_us = _gap_us(result, "yours")
    if gap_us is None:
        return None
    beyond = gap_us - max(device.gap_us, _gap_us(result, "reference") or 0.0)
    if beyond <= max(WALL_US, WALL_SHARE * _median(result["times_us"]["yours"])):
        return None
    return Doubt(CLOCKS, f"the host's clock counted {beyond:,.0f} us more for a launch than the device's own events")


def _gap_us(result: Mapping[str, Any], name: str) -> float | None:
    """By how much the host's clock says more for a launch; None where it was not looked at."""
    times, walls = (np.asarray(result.get(kind, {}).get(name, ()), float) for kind in ("times_us", "walls_us"))
    return _median(walls - times) if len(walls) and len(walls) == len(times) else None


def _noise(device: Device, found: Decision | None) -> Doubt | None:
    if device.noisy:
        return Doubt(NOISY, device.noisy)
    if found is None or found.discarded_share <= MAX_DISCARDED:
        return None
    return Doubt(NOISY, f"in {found.discarded_share:.0%} of the rounds a copy did not take as long as it usually does")


def _median(samples: Sequence[float] | np.ndarray) -> float:
    return float(np.median(np.asarray(samples, float)))
