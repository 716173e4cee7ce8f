"""Which device to build for and to run on."""

from __future__ import annotations

import os

from minitrt.tactics.contract import Device

VARIABLE = "MINITRT_BACKEND"  # "reference": NumPy even where there is a GPU


def default_target() -> Device | None:
    """The first GPU; None without one, or where MINITRT_BACKEND says "reference"."""
    if os.environ.get(VARIABLE, "").lower() == "reference":
        return None
    from minitrt.device.driver import device_count, device_facts

    return device_facts() if device_count() else None
