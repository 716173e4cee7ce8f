"""Take docs/screenshot.png: unit 04 in JupyterLab, a kernel without its barrier, and the verdict on it.

    python -m tools.make.screenshot

Needs Playwright (``python tools/set_up.py --dev``) and Chromium.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from autograder import exercises
from autograder.exercises.catalogue import answers_for
from autograder.machine.scratch import ScratchFolder
from tools.parts.lab_server import browser_page, running_lab
from tools.parts.notebook_page import cell, run, wait_until_idle, write
from tools.parts.units import ROOT

PICTURE = ROOT / "docs" / "screenshot.png"
EXERCISE = exercises.find("shared_memory.reverse_blocks")
ANSWER = "no_barrier"
WIDTH, HEIGHT = 1000, 700  # CSS pixels
SETTLED_MS = 1_000


def take(picture: Path, scratch: Path) -> None:
    """Write the wrong answer into the released notebook, check it, and keep what the window shows."""
    answer = next(answer for answer in answers_for(EXERCISE) if answer.name == ANSWER)
    path = f"course/{EXERCISE.unit}/{EXERCISE.unit}.ipynb"
    served = scratch / "warpbook"
    shutil.copytree(ROOT / "course", served / "course")
    with running_lab(served, scratch) as lab, browser_page(scratch / "profile", WIDTH, HEIGHT) as page:
        page.goto(lab.url(f"lab/tree/{path}"))
        wait_until_idle(page)
        page.keyboard.press("Control+B")  # the file browser gives its room to the notebook
        run(page, "from autograder import exercise")
        kernel, check = f"def {EXERCISE.function}", f"q.check({EXERCISE.function})"
        write(page, kernel, answer.program.source.strip())
        run(page, kernel)
        run(page, check)
        page.keyboard.press("Escape")
        page.wait_for_timeout(SETTLED_MS)
        cell(page, kernel).evaluate("cell => cell.scrollIntoView({block: 'start'})")
        page.wait_for_timeout(SETTLED_MS)
        page.screenshot(path=picture)


def main(options: list[str] | None = None) -> int:
    """Take it, and say where it is."""
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args(options)
    with ScratchFolder("screenshot") as scratch:
        take(PICTURE, Path(scratch))
    print(f"wrote {PICTURE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
