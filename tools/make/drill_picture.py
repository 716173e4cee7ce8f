"""Draw docs/drill-card.svg: a card in a terminal of 80 columns, answered and marked, as `make drill` shows it.

python -m tools.make.drill_picture
"""

from __future__ import annotations

import argparse
import io
import re
import sys

from rich.console import Console

from autograder.drills.faces.terminal import Terminal
from autograder.drills.learning.sitting import Sitting
from autograder.drills.learning.store import Store, now
from tools.parts.units import ROOT

PICTURE = ROOT / "docs" / "drill-card.svg"
CARD, SEED, TYPED = "b7.stride", 6, "4"
FONT_OF_THE_WEB = re.compile(r"@font-face \{.*?\}", re.DOTALL)  # a picture loads nothing


def picture() -> str:
    """The SVG."""
    console = Console(record=True, width=80, file=io.StringIO(), force_terminal=True, highlight=False)

    def type_it(prompt: str) -> str:
        console.print(f"{prompt}{TYPED}")
        return TYPED

    face = Terminal("en", console, type_it)
    with Store(":memory:") as store:
        sitting = Sitting(store, "en", [(CARD, SEED)])
        sitting.number = store.open_session("drill", {}, now())
        question = sitting.current()
        face.put(question, face.say("card", number=3, count=9))
        face.show(question, face.ask_until_readable(question, sitting))
    drawn = console.export_svg(title="make drill", unique_id="drill")
    return "\n".join(line.rstrip() for line in FONT_OF_THE_WEB.sub("", drawn).splitlines()) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit code."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args(
        arguments
    )
    PICTURE.write_text(picture(), encoding="utf-8")
    print(f"Wrote {PICTURE.relative_to(ROOT)}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
