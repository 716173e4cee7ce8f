"""A race as two threads on a timeline: what each does, and the line where nothing makes one wait for the other."""

from __future__ import annotations

from simt.events import Finding
from simt.figures.canvas import BLUE, GREY, INK, LINE, ORANGE, VERMILLION
from simt.figures.errors import NothingToDraw

VERB = {"load": "reads", "store": "writes", "atomic": "updates"}


def draw(canvas, finding: Finding):
    """finding: one of kind "race". Raises: NothingToDraw for any other."""
    if finding.kind != "race":
        raise NothingToDraw(f"a timeline shows a race, and this finding is {finding.kind!r}: {finding.message}")
    surface = canvas(9.5, 3.1)
    element = f"{finding.array}[{', '.join(map(str, finding.detail['index']))}]"
    names = [name[:1].upper() + name[1:] for name in finding.detail["who"]]
    for track, (x, name, access) in enumerate(zip((1.0, 5.4), names, finding.detail["accesses"], strict=True)):
        _track(surface, 1.6 - 1.6 * track, x, name, access, element)
    missing = "nothing makes a block wait for another" if finding.detail["scope"] == "grid" else "no barrier here"
    surface.axes.plot([4.6, 4.6], [-0.55, 2.35], color=VERMILLION, linestyle=(0, (5, 3)), linewidth=2)
    surface.words(4.6, 2.55, missing, 10, VERMILLION, fontweight="bold")
    surface.words(9.1, -0.85, "time, as it happened to run", 9, GREY, ha="right")
    surface.axes.annotate("", (9.2, -0.65), (0.0, -0.65), arrowprops={"arrowstyle": "->", "color": GREY})
    surface.frame((0, 9.3), (-1.1, 2.9))
    first, second = finding.detail["accesses"]
    one, two = VERB[first[2]], VERB[second[2]]
    title = f"Nothing decides who comes first: the thread that {one} {element} or the one that {two} it"
    if one == two:
        title = f"Nothing decides which of two threads {one} {element} last"
    surface.claim(title, _turn(finding), f"{finding.message} {finding.remedy}".strip())
    return surface.figure


def _track(surface, y: float, x: float, name: str, access: tuple[int, str, str], element: str) -> None:
    line, text, kind = access
    surface.axes.plot([0, 9.2], [y, y], color=LINE, linewidth=2, zorder=0)
    surface.words(0, y + 0.62, name, 10, INK, ha="left", fontweight="bold")
    fill = BLUE if kind == "load" else ORANGE
    surface.box(x, y - 0.42, 3.2, 0.84, fill, f"line {line}: {VERB[kind]} {element}\n{_short(text)}", 9, "white")


def _short(text: str) -> str:
    return text if len(text) <= 34 else f"{text[:31]}..."


def _turn(finding: Finding) -> str:
    turn, hazard = finding.detail["turn"], finding.detail["hazard"]
    if turn == "previous":
        return (
            "the two happen in neighbouring turns of a loop"
            if hazard != "WAR"
            else "the second happens in the next turn of the loop"
        )
    if turn == "same":
        return "both happen in one statement"
    return "on a GPU the order may be the other one"
