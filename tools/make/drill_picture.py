"""Draw docs/drill-card.svg: a card in a terminal of 80 columns, answered and marked, as `make drill` shows it.

python -m tools.make.drill_picture
"""

from __future__ import annotations

import sys

from autograder.drills.faces.terminal import Terminal
from autograder.drills.learning.sitting import Sitting
from autograder.drills.learning.store import Store, now
from tools.parts.terminal_svg import drawn, terminal, write
from tools.parts.units import ROOT

PICTURE = ROOT / "docs" / "drill-card.svg"
CARD, SEED, TYPED = "b7.stride", 6, "4"


def picture() -> str:
    """The SVG."""
    console = terminal(80)

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
    return drawn(console, "make drill", "drill")


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit code."""
    return write(PICTURE, picture, __doc__.splitlines()[0], arguments)


if __name__ == "__main__":
    sys.exit(main())
