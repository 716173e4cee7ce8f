"""Draw docs/run.svg: a program with a race, and what `warpbook run` says about it, in a terminal.

python -m tools.make.run_picture
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from rich.text import Text

from autograder.machine.scratch import ScratchFolder
from tools.parts.terminal_svg import drawn, terminal, write
from tools.parts.units import ROOT

PICTURE = ROOT / "docs" / "run.svg"
NAME, WIDTH = "sums.py", 104  # columns
PROGRAM = """\
import numpy as np
from numba import cuda, float32

@cuda.jit
def block_sums(src, sums):
    s = cuda.shared.array(256, float32)
    t = cuda.threadIdx.x
    s[t] = src[cuda.grid(1)]
    cuda.syncthreads()
    d = 128
    while d > 0:
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        sums[cuda.blockIdx.x] = s[0]

sums = cuda.device_array(4, np.float32)
block_sums[4, 256](cuda.to_device(np.ones(1024, np.float32)), sums)
print("the sum is", sums.copy_to_host().sum())
"""
LINE_ITSELF = re.compile(r"^  > .*$", re.MULTILINE)


def said() -> str:
    """What `warpbook run` prints about the program; the last line, which is the same for every program, left out."""
    with ScratchFolder("picture") as scratch:
        Path(scratch, NAME).write_text(PROGRAM, encoding="utf-8")
        command = [sys.executable, "-m", "autograder.cli", "run", NAME]
        done = subprocess.run(command, cwd=scratch, capture_output=True, text=True)
    return done.stdout.rstrip().rpartition("\n")[0].rstrip()


def picture() -> str:
    """The SVG."""
    console = terminal(WIDTH)
    told = Text(f"$ warpbook run {NAME}\n{said()}")
    told.highlight_regex(LINE_ITSELF, "bold yellow")
    told.highlight_regex(r"\$ .*|Put .*", "bold green")
    console.print(told)
    return drawn(console, "warpbook run", "run")


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit code."""
    return write(PICTURE, picture, __doc__.splitlines()[0], arguments)


if __name__ == "__main__":
    sys.exit(main())
