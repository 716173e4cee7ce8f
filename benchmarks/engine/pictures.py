"""Pictures of recorded engines: ResNet-50's images a second over batches, and every network beside torch.compile.

python -m benchmarks.engine.pictures writes docs/pictures/engine-curve.svg and engine-networks.svg.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from benchmarks.engine.page import RESULT, ROOT, curve_points, ratios

FOLDER = ROOT / "docs" / "pictures"
COLORS = {"INT8": "#0b6e4f", "FP16": "#6c91c2"}


def plots() -> Any:
    """pyplot, set to write the same file for the same data."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "warpbook"
    import matplotlib.pyplot as plt

    return plt


def draw_curve(plt: Any, found: dict[str, Any]) -> None:
    """Images a second over the batch."""
    points = curve_points(found)
    figure, axes = plt.subplots(figsize=(6, 3.2))
    axes.plot([batch for batch, _ in points], [rate for _, rate in points], "o-", color=COLORS["INT8"])
    for batch, rate in points:
        text = f"{rate / 1000:.0f}k"
        axes.annotate(text, (batch, rate), textcoords="offset points", xytext=(0, 7), ha="center", fontsize=8)
    axes.set_xscale("log", base=2)
    axes.set_xticks([batch for batch, _ in points], [str(batch) for batch, _ in points])
    axes.set_ylim(0, 1.15 * max(rate for _, rate in points))
    axes.set_xlabel("batch")
    axes.set_ylabel("images a second")
    axes.set_title(f"ResNet-50 in INT8 on one {found['device']}", fontsize=10)
    save(figure, "engine-curve")


def draw_networks(plt: Any, found: dict[str, Any]) -> None:
    """torch.compile's time over ours, a bar an engine."""
    rows = ratios(found)
    figure, axes = plt.subplots(figsize=(6, 0.24 * len(rows) + 1))
    places = range(len(rows))
    axes.barh(list(places), [ratio for _, ratio in rows], color=[COLORS[name.split()[1]] for name, _ in rows])
    axes.set_yticks(list(places), [name for name, _ in rows], fontsize=8)
    for place, (_, ratio) in zip(places, rows, strict=True):
        axes.text(ratio, place, f" {ratio:.2f}", va="center", fontsize=8)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.invert_yaxis()
    axes.set_xlabel("times as fast as torch.compile in FP16")
    save(figure, "engine-networks")


def save(figure: Any, name: str) -> None:
    figure.savefig(FOLDER / f"{name}.svg", bbox_inches="tight", metadata={"Date": None})


def main() -> None:
    argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0]).parse_args()
    found = json.loads(RESULT.read_text())
    draw_networks(plots(), found)
    if curve_points(found):
        draw_curve(plots(), found)


if __name__ == "__main__":
    main()
