"""Says now and then which launch a program has come to: a GPU's second may be an interpreter's hour."""

from __future__ import annotations

import time
from typing import TextIO

from autograder.machine.beside import Beside
from simt.programs.session import Session
from simt.programs.wording import where_text

FIRST_S = 5.0  # then after twice as long, and so on
ADVICE = "An interpreter takes far longer than a GPU: a smaller problem shows the same mistakes{sample}."
SAMPLE = ", and --sample N runs about N blocks of each launch"  # where it would leave some out


class StillRunning(Beside):
    """From `__enter__` to `__exit__`, a line on `out` after first_s seconds, 2 first_s, 4 first_s and so on."""

    def __init__(self, session: Session, out: TextIO, first_s: float = FIRST_S) -> None:
        self._session, self._out, self._first_s = session, out, first_s
        super().__init__(self._tell)

    def _tell(self) -> None:
        began, advised = time.monotonic(), False
        while not self.over_within(max(self._first_s, time.monotonic() - began)):
            now, launch = f"warpbook: after {time.monotonic() - began:.0f} s", self._session.under_way()
            if launch is None:
                print(f"{now} between launches: the program itself is at work.", file=self._out, flush=True)
                continue
            name, called_at, far = launch
            sample = SAMPLE if self._session.could_sample() else ""
            advice = "" if advised else f" {ADVICE.format(sample=sample)}"
            said = f"{now} in {name}, launched at {where_text(called_at)}{': ' if far else ''}{far}.{advice}"
            print(said, file=self._out, flush=True)
            advised = True
