"""A matplotlib Figure that notebooks show as SVG, terminals as text, and everybody can have in words.

Matplotlib is imported when the first figure is drawn and not before.
"""

from __future__ import annotations

import base64
import re
from functools import cache
from html import escape
from io import BytesIO, StringIO
from typing import Any

from simt.figures.canvas import Canvas
from simt.text.notebook import OPEN_CODE, publish

LOOKS: dict[Any, Any] = {  # text stays text, so that it can be searched, copied and read aloud
    "svg.fonttype": "none",
    "svg.hashsalt": "warpbook",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "sans-serif"],
    "font.monospace": ["DejaVu Sans Mono", "Consolas", "monospace"],
}
NUMBER_OF_AN_AXIS = r"$\mathdefault{"  # as matplotlib writes powers of ten
PNG_DPI = 110
SHOWN = 0.9
# JupyterLab fits an SVG into its column only where it lies in the page, and shows this one as an image.
FITS = "<style>.jp-RenderedSVG img{max-width:100%;height:auto}</style>"


def canvas(width: float, height: float) -> Canvas:
    """An empty drawing with one pair of axes. width, height: inches."""
    figure = empty(width, height)
    return Canvas(figure, figure.add_subplot())


def empty(width: float, height: float):
    """An empty drawing. width, height: inches. Returns: matplotlib Figure with `alt` and `words`."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure = _drawing_class()(figsize=(width, height), facecolor="white", layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _narrower(svg: str) -> str:
    """The same picture at SHOWN of its size: beside a file browser, JupyterLab cuts off what is wider."""
    return re.sub(
        r'(width|height)="([\d.]+)pt"', lambda size: f'{size[1]}="{SHOWN * float(size[2]):.1f}pt"', svg, count=2
    )


def _spaced(svg: str) -> str:
    """Browsers drop spaces at the ends of an SVG's words, and all but one between them: keep them."""

    def kept(words: re.Match) -> str:
        return words[1] + re.sub(r"^ +| +$| {2,}", lambda spaces: "\N{NO-BREAK SPACE}" * len(spaces[0]), words[2])

    return re.sub(r"(<text[^>]*>)([^<]*)", kept, svg)


def _as_it_stands(figure) -> None:
    """Take words as they are: what a kernel's line has between dollars is no formula, but an axis' number is.

    Backticks, which set code off where a picture is told in words, are not drawn.
    """
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        text.set_text(text.get_text().replace("`", ""))
        if "$" in text.get_text() and not text.get_text().startswith(NUMBER_OF_AN_AXIS):
            text.set_parse_math(False)


def _svg_of(drawing) -> str:
    """An SVG for a page, which says aloud what the picture holds."""
    from matplotlib import rc_context

    out = StringIO()
    with rc_context(LOOKS):
        drawing.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    svg = out.getvalue()
    svg = _spaced(_narrower(svg[svg.index("<svg") :]))
    said = escape(drawing.alt)
    head = f'<svg role="img" aria-label="{said}" style="background:#fff;max-width:100%;height:auto"'
    opened = svg.index(">") + 1
    return f"{head}{svg[4:opened]}<title>{said}</title>{svg[opened:]}"


@cache
def _drawing_class():
    from matplotlib.figure import Figure

    class Drawing(Figure):
        """alt: what the picture holds, in a sentence or two, to be read aloud. words: the picture as text, to print."""

        alt = ""
        words = ""

        def __repr__(self) -> str:
            return self.words or super().__repr__()

        __str__ = __repr__

        def savefig(self, *arguments, **options) -> None:
            _as_it_stands(self)
            super().savefig(*arguments, **options)

        def _repr_png_(self) -> bytes:
            out = BytesIO()
            self.savefig(out, format="png", dpi=PNG_DPI)
            return out.getvalue()

        def _repr_svg_(self) -> str:
            return _svg_of(self)

        def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
            """SVG, and for pages that do not trust it PNG, and text."""
            png = base64.b64encode(self._repr_png_()).decode()
            return {"image/svg+xml": self._repr_svg_(), "image/png": png, "text/plain": self.words}

        def _ipython_display_(self) -> None:
            """The picture, and below it the same in words, folded away. A browser reads no alt text of an SVG aloud."""
            publish(self._repr_mimebundle_())
            fold = f"<details><summary>In words</summary><p>{escape(self.alt)}</p>{OPEN_CODE}{escape(self.words)}</pre>"
            publish({"text/html": f"{FITS}{fold}</details>", "text/plain": self.alt})

    return Drawing
