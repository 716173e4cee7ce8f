"""A drawing surface in data units: boxes, words, a title that makes a claim. Colours are safe for colour-blind eyes."""

from __future__ import annotations

from collections.abc import Iterable

# Okabe and Ito, "Color Universal Design", 2008
BLUE, ORANGE, VERMILLION, GREEN, SKY, YELLOW = "#0072B2", "#E69F00", "#D55E00", "#009E73", "#56B4E9", "#F0E442"
INK, GREY, PALE, LINE = "#1A1A1A", "#6B6B6B", "#EDEDED", "#C9C9C9"
# From dark to light, so that the order of lanes survives in grey print
LANE_SCALE = ("#08306B", "#0B559F", "#2B7BBA", "#539ECD", "#89BEDC", "#BAD6EB")


class Canvas:
    """One figure with one pair of axes."""

    def __init__(self, figure, axes) -> None:
        self.figure, self.axes = figure, axes

    def claim(self, title: str, detail: str = "", alt: str = "") -> None:
        """The title says what the picture shows; detail, in grey, how to read it; alt, what it holds in words."""
        heading = f"{title}\n" if detail else title
        self.axes.set_title(heading, loc="left", fontsize=12, fontweight="bold", color=INK)
        if detail:
            self.axes.text(
                0, 1, f"{detail}\n", transform=self.axes.transAxes, va="bottom", fontsize=9, color=GREY, linespacing=0.6
            )
        self.figure.alt = alt or title

    def box(
        self, x: float, y: float, width: float, height: float, fill: str, text: str = "", size: float = 8, edge=LINE
    ):
        """A rectangle with its lower left corner at (x, y), and words in its middle."""
        corners = ([x, x + width, x + width, x], [y, y, y + height, y + height])
        self.axes.fill(*corners, facecolor=fill, edgecolor=edge, linewidth=0.6)
        if text:
            self.words(x + width / 2, y + height / 2, text, size, contrasting(fill))

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


def contrasting(fill: str) -> str:
    """Black or white, whichever is easier to read on a colour."""
    red, green, blue = (int(fill[k : k + 2], 16) for k in (1, 3, 5))
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "white"


def lane_color(lane: int) -> str:
    """A colour for a lane, dark for lane 0 and lighter towards 31."""
    return LANE_SCALE[lane * len(LANE_SCALE) // 32]


def lane_list(lanes: list[int]) -> str:
    """ "3", "0-7" or "1, 5" (at most two, then dots)."""
    if len(lanes) == 1:
        return str(lanes[0])
    if lanes == list(range(lanes[0], lanes[-1] + 1)):
        return f"{lanes[0]}-{lanes[-1]}"
    return ", ".join(map(str, lanes[:2])) + (", ..." if len(lanes) > 2 else "")
