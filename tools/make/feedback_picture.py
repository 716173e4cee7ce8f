"""Take docs/feedback.png: the top of a student's page as `make demo` writes it first.

    python -m tools.make.feedback_picture

Needs Playwright (``python tools/set_up.py --dev``) and Chromium.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from autograder.classroom import course
from autograder.classroom.demo import command, sample_class
from autograder.machine.scratch import ScratchFolder
from tools.parts.lab_server import browser_page
from tools.parts.units import ROOT

PICTURE = ROOT / "docs" / "feedback.png"
WIDTH, HEIGHT = 1000, 700  # CSS pixels


def take(picture: Path, scratch: Path) -> None:
    """Judge the student whose page the demo shows first, and keep what a window shows of that page."""
    page = sample_class.first_page(scratch, course.unit(command.SHOWN[0]))
    with browser_page(scratch / "profile", WIDTH, HEIGHT) as window:
        window.goto(page.as_uri())
        window.screenshot(path=picture)


def main(options: list[str] | None = None) -> int:
    """Take it, and say where it is."""
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args(options)
    with ScratchFolder("feedback") as scratch:
        take(PICTURE, Path(scratch))
    print(f"wrote {PICTURE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
