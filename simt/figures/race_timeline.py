"""A race as two threads on a timeline: what each does, and the line where nothing makes one wait for the other."""

from __future__ import annotations

from simt.events import Finding
from simt.figures.canvas import BLUE, GREY, INK, LINE, ORANGE, VERMILLION, WARNING
from simt.figures.errors import NothingToDraw

VERB = {"load": "reads", "store": "writes", "atomic": "updates"}


def draw(canvas, finding: Finding):
    """finding: one of kind "race". Raises: NothingToDraw for any other."""
    if finding.kind != "race":
        raise NothingToDraw(f"a timeline shows a race, and this finding is {finding.kind!r}: {finding.message}")
    surface = canvas(9.5, 3.1)
    accesses = finding.detail["accesses"]
    element = f"{finding.array}[{', '.join(map(str, finding.detail['index']))}]"
    labels = [
        f"{label}\n{_short(text)}" for label, (_, text, _) in zip(_labels(finding, element), accesses, strict=True)
    ]
    for y, x, who, label, access in zip((1.6, 0.0), (1.0, 5.4), finding.detail["who"], labels, accesses, strict=True):
        surface.axes.plot([0, 9.2], [y, y], color=LINE, linewidth=2, zorder=0)
        surface.words(0, y + 0.62, who[:1].upper() + who[1:], 10, INK, ha="left", fontweight="bold")
        surface.box(x, y - 0.42, 3.2, 0.84, BLUE if access[2] == "load" else ORANGE, label, 9, "white")
    missing = "nothing makes a block wait for another" if finding.detail["scope"] == "grid" else "no barrier here"
    surface.axes.plot([4.6, 4.6], [-0.55, 2.35], color=VERMILLION, linestyle=(0, (5, 3)), linewidth=2)
    surface.words(4.6, 2.55, missing, 10, WARNING, fontweight="bold")
    surface.words(9.1, -0.85, "time", 9, GREY, ha="right")
    surface.axes.annotate("", (9.2, -0.65), (0.0, -0.65), arrowprops={"arrowstyle": "->", "color": GREY})
    surface.frame((0, 9.3), (-1.1, 2.9))
    alt = f"{finding.message} {finding.remedy}".strip()
    surface.claim(_title(finding, element), _how_to_read(finding), alt, _body(finding, labels, missing))
    return surface.figure


def _body(finding: Finding, labels: list[str], missing: str) -> str:
    """Two rows of time, the second thread later, and what is missing between them."""
    first, second = (label.replace("\n", ", ") for label in labels)
    who, other = finding.detail["who"]
    names = [f"{each[:1].upper()}{each[1:]}" for each in (who, other)]
    width = max(map(len, names))
    gap = len(first) + 8
    return "\n".join(
        [
            f"{names[0]:<{width}}  --[ {first} ]----|{'-' * (len(second) + 6)}> time",
            f"{'':<{width}}  {'':<{gap}}  | {missing}",
            f"{names[1]:<{width}}  {'-' * (gap + 2)}|-[ {second} ]--> time",
        ]
    )


def _title(finding: Finding, element: str) -> str:
    if finding.detail["lost_update"]:
        return f"Two threads update {element}, and one of the updates can be lost"
    one, two = (VERB[kind] for _, _, kind in finding.detail["accesses"])
    if one == two:
        return f"Nothing decides which of two threads {one} {element} last"
    return f"Nothing decides who comes first: the thread that {one} {element} or the one that {two} it"


def _short(text: str) -> str:
    return text if len(text) <= 34 else f"{text[:31]}..."


def _labels(finding: Finding, element: str) -> tuple[str, str]:
    """What each thread does, and in which iteration of the loop where there is one."""
    before, after = "", ""
    if finding.detail["turn"] == "previous":
        before, after = ("", ", next iteration") if finding.detail["hazard"] == "WAR" else (", previous iteration", "")
    (line, _, kind), (other_line, _, other_kind) = finding.detail["accesses"]
    verbs = ("updates", "updates") if finding.detail["lost_update"] else (VERB[kind], VERB[other_kind])
    return f"line {line}{before}: {verbs[0]} {element}", f"line {other_line}{after}: {verbs[1]} {element}"


def _how_to_read(finding: Finding) -> str:
    if finding.detail["lost_update"]:
        return "an update reads, adds and writes; if both threads read before either writes, one addition is gone"
    if finding.detail["turn"] == "previous":
        return "the two happen in neighbouring iterations of a loop; on a GPU the order may be the other one"
    if finding.detail["turn"] == "same":
        return "both happen in one statement; on a GPU the order may be the other one"
    return "as it happened to run here; on a GPU the order may be the other one"
