"""A drawing surface in data units: boxes, words, a title that makes a claim. Colours are safe for colour-blind eyes."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

# Okabe and Ito, "Color Universal Design", 2008
BLUE, ORANGE, VERMILLION, GREEN, SKY = "#0072B2", "#E69F00", "#D55E00", "#009E73", "#56B4E9"
INK, GREY, PALE, LINE = "#1A1A1A", "#6B6B6B", "#EDEDED", "#C9C9C9"
WARNING = "#A84A00"  # vermillion for words on white
# From dark to light, so that the order of lanes survives in grey print
LANE_SCALE = ("#08306B", "#0B559F", "#2B7BBA", "#539ECD", "#89BEDC", "#BAD6EB")


TITLE_SIGNS = 10  # of a title that fit on an inch
LINE_INCHES = 0.21  # height of another line of a title
SQUARE = ((0, 0), (1, 0), (1, 1), (0, 1), (0, 0))  # corners of a closed path
Rectangle = tuple[float, float, float, float]  # x, y of the lower left corner, width, height


class Canvas:
    """One pair of axes of a drawing. `claim` comes last: it draws what was collected."""

    def __init__(self, figure, axes) -> None:
        self.figure, self.axes = figure, axes
        self._boxes: dict[tuple[str, str], list[Rectangle]] = {}

    def claim(self, title: str, detail: str = "", alt: str = "", body: str = "") -> None:
        """The title says what the picture shows; detail, in grey, how to read it.

        alt: what the picture holds, in a sentence or two; body: the picture itself as text.
        """
        self.draw_boxes()
        lines = textwrap.wrap(title, int(TITLE_SIGNS * self.figure.get_figwidth()))
        self.figure.set_figheight(self.figure.get_figheight() + LINE_INCHES * (len(lines) - 1))
        heading = "\n".join(lines) + "\n" * bool(detail)
        self.axes.set_title(heading, loc="left", fontsize=12, fontweight="bold", color=INK)
        if detail:
            self.axes.text(
                0, 1, f"{detail}\n", transform=self.axes.transAxes, va="bottom", fontsize=9, color=GREY, linespacing=0.6
            )
        self.figure.alt = (alt or title).replace("`", "")
        self.figure.words = "\n".join(part for part in (title, detail, body and f"\n{body}") if part)

    def box(
        self, x: float, y: float, width: float, height: float, fill: str, text: str = "", size: float = 8, edge=LINE
    ):
        """A rectangle with its lower left corner at (x, y), and words in its middle."""
        self._boxes.setdefault((fill, edge), []).append((x, y, width, height))
        if text:
            self.words(x + width / 2, y + height / 2, text, size, contrasting(fill))

    def draw_boxes(self) -> None:
        """Draw all boxes of one colour as one shape, which keeps an SVG small."""
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        for (fill, edge), boxes in self._boxes.items():
            corners = [(x + w * right, y + h * up) for x, y, w, h in boxes for right, up in SQUARE]
            codes = [Path.MOVETO, *[Path.LINETO] * 3, Path.CLOSEPOLY] * len(boxes)
            self.axes.add_patch(PathPatch(Path(corners, codes), facecolor=fill, edgecolor=edge, linewidth=0.6))
        self._boxes = {}

    def words(self, x: float, y: float, text: str, size: float = 8, color: str = INK, **where) -> None:
        """Text centred on a point, unless `ha` and `va` say otherwise."""
        self.axes.text(x, y, text, **{"ha": "center", "va": "center", "fontsize": size, "color": color, **where})

    def frame(self, x: tuple[float, float], y: tuple[float, float], square: bool = False) -> None:
        """Limits of the axes, without ticks and borders; `square` gives both the same scale."""
        self.axes.set(xlim=x, ylim=y, xticks=[], yticks=[])
        if square:
            self.axes.set_aspect("equal")
        self.bare("top", "right", "bottom", "left")

    def bare(self, *sides: str) -> None:
        for side in sides:
            self.axes.spines[side].set_visible(False)

    def legend(self, entries: Iterable[tuple[str, str]]) -> None:
        """(colour, meaning) below the picture."""
        handles = [self.axes.fill([], [], facecolor=color, edgecolor=LINE, label=label)[0] for color, label in entries]
        self.figure.legend(handles=handles, loc="outside lower left", ncols=len(handles), frameon=False, fontsize=9)


def grid_text(
    rows: Sequence[Sequence[str]], row_names: Sequence[str], column_names: Sequence[str] = (), over: str = ""
) -> str:
    """Cells as text, right-aligned in columns of one width; "" is drawn as a dot. over: what the columns are."""
    cells = [[cell or "." for cell in row] for row in rows]
    width = max(len(cell) for row in [*cells, column_names] for cell in row)
    left = max(len(name) for name in [over, *row_names])
    lines = [(name, row) for name, row in zip(row_names, cells, strict=True)]
    if column_names:
        lines.insert(0, (over, list(column_names)))
    return "\n".join(f"{name:>{left}}  {' '.join(f'{cell:>{width}}' for cell in row)}".rstrip() for name, row in lines)


def contrasting(fill: str) -> str:
    """Black or white, whichever is easier to read on a colour."""
    return max((INK, "white"), key=lambda ink: contrast(ink, fill))


def contrast(one: str, other: str) -> float:
    """How well words of one colour are read on another: 1 to 21, as WCAG 2.2 defines it; small words need 4.5."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    """Relative luminance, 0 for black and 1 for white. color: "#RRGGBB" or "white"."""
    digits = "#FFFFFF" if color == "white" else color
    parts = [int(digits[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def lane_color(lane: int) -> str:
    """A colour for a lane, dark for lane 0 and lighter towards 31."""
    return LANE_SCALE[lane * len(LANE_SCALE) // 32]


def lane_list(lanes: list[int]) -> str:
    """ "3", "0-7" or "1, 5" (at most two, then dots); "" for nobody."""
    if not lanes:
        return ""
    if len(lanes) == 1:
        return str(lanes[0])
    if lanes == list(range(lanes[0], lanes[-1] + 1)):
        return f"{lanes[0]}-{lanes[-1]}"
    return ", ".join(map(str, lanes[:2])) + (", ..." if len(lanes) > 2 else "")
