"""How far a long build is, on one line of a terminal."""

from __future__ import annotations

import sys
import time
from typing import TextIO

import minitrt as trt

EVERY_S, WIDTH = 0.1, 78


class Progress(trt.IProgressMonitor):
    """Writes "Building Engine > Tactic Selection 17 of 54" over itself.

    On a terminal ten times a second; elsewhere one line a phase, so that a log stays short.
    """

    def __init__(self, out: TextIO | None = None):
        super().__init__()
        self.out = sys.stderr if out is None else out
        self.live = self.out.isatty()
        self.steps: dict[str, int] = {}
        self.told = 0.0

    def phase_start(self, phase_name, parent_phase, num_steps):
        self.steps[phase_name] = num_steps
        self.tell(f"{phase_name}: {num_steps} steps", always=True)

    def step_complete(self, phase_name, step):
        path = " > ".join(self.steps)
        if self.live:
            self.tell(f"{path} {step + 1} of {self.steps[phase_name]}")
        return True

    def phase_finish(self, phase_name):
        self.steps.pop(phase_name, None)
        if self.live and not self.steps:
            self.out.write("\r" + " " * WIDTH + "\r")
            self.out.flush()

    def tell(self, text: str, always: bool = False) -> None:
        now = time.monotonic()
        if not always and now - self.told < EVERY_S:
            return
        self.told = now
        self.out.write(f"\r{text[:WIDTH]:{WIDTH}}" if self.live else text + "\n")
        self.out.flush()
