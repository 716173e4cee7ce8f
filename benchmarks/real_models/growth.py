"""How much memory a process takes for something, at the most, beside what it held before."""

from __future__ import annotations

from pathlib import Path

RESET_PEAK = "5"  # proc(5): the peak becomes what is held now


class Growth:
    """`mb()` is the most that this process held since this was made, above what it held then; Linux alone tells."""

    def __init__(self) -> None:
        Path("/proc/self/clear_refs").write_text(RESET_PEAK)
        self.before_kb = kb_of("VmRSS")

    def mb(self) -> float:
        return max(0, kb_of("VmHWM") - self.before_kb) / 1024 * 1.048576


def kb_of(name: str) -> int:
    """A number of /proc/self/status."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))
