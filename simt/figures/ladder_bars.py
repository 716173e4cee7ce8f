"""The rungs of a unit as bars under the roof that no kernel can pass."""

from __future__ import annotations

from collections.abc import Sequence

from simt.figures.canvas import BLUE, INK, SKY, VERMILLION, WARNING

BAR = 40  # signs of the longest bar of the text


def draw(canvas, rows: Sequence[tuple[str, float]], limit: float, limit_name: str, unit: str):
    """rows: (name, rate), first rung first. limit: a rate in the same unit, with the name of its source.

    Raises: ValueError for no rows or a limit that is not positive.
    """
    if not rows or limit <= 0:
        raise ValueError("a ladder needs at least one rung and a positive limit")
    surface = canvas(9.5, 1.7 + 0.42 * len(rows))
    axes = surface.axes
    fastest = max(range(len(rows)), key=lambda k: rows[k][1])
    for row, (_, rate) in enumerate(rows):
        axes.barh(row, rate, height=0.66, color=BLUE if row == fastest else SKY)
        inside = rate > 0.75 * limit
        color = "white" if inside and row == fastest else INK
        text = f"{rate:,.0f} {unit}, {rate / limit:.0%}"
        surface.words(rate + (-0.01 if inside else 0.01) * limit, row, text, 9, color, ha="right" if inside else "left")
    axes.axvline(limit, color=VERMILLION, linewidth=2, linestyle=(0, (5, 3)))
    surface.words(0.99 * limit, -0.72, f"{limit_name}: {limit:,.0f} {unit}", 9, WARNING, ha="right", fontweight="bold")
    axes.set(xlim=(0, 1.04 * max(limit, rows[fastest][1])), ylim=(len(rows) - 0.4, -1.05), xlabel=unit)
    axes.set_yticks(range(len(rows)), [name for name, _ in rows], fontsize=10)
    axes.tick_params(axis="y", length=0)
    surface.bare("top", "right", "left")
    name, rate = rows[fastest]
    alt = (
        "Bars: "
        + "; ".join(f"{name} {rate:,.0f} {unit}" for name, rate in rows)
        + f". Limit: {limit_name}, {limit:,.0f} {unit}."
    )
    body = _body([*rows, (limit_name, limit)], unit)
    surface.claim(f"{name} reaches {rate / limit:.0%} of the limit", "", alt, body)
    return surface.figure


def _body(rows: Sequence[tuple[str, float]], unit: str) -> str:
    """A bar of signs a row; the last row is the limit."""
    width, top = max(len(name) for name, _ in rows), max(rate for _, rate in rows)
    bars = (f"{name:<{width}}  {'#' * round(BAR * rate / top):<{BAR}}  {rate:,.0f} {unit}" for name, rate in rows)
    return "\n".join(bars)
