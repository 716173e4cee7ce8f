"""Progress as a figure: the days of half a year, and strength by topic."""

from __future__ import annotations

from datetime import timedelta

from autograder.drills.learning.progress import Progress
from autograder.words import count_text

WEEKS = 26
WEAK, STRONG = "#b45309", "#1a7f5a"
ENOUGH = 0.75


def draw_progress(progress: Progress):
    """Two panels. Returns: matplotlib Figure; its label is a sentence of alt text."""
    import numpy as np
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 8), layout="constrained")
    top, bottom = figure.subplots(2, 1, height_ratios=[1, 3])
    monday = progress.today - timedelta(days=progress.today.weekday(), weeks=WEEKS - 1)
    counts = np.full((7, WEEKS), np.nan)
    for week in range(WEEKS):
        for weekday in range(7):
            day = monday + timedelta(weeks=week, days=weekday)
            if day <= progress.today:
                counts[weekday, week] = progress.days.get(day, 0)
    image = top.imshow(counts, aspect="equal", cmap="Greens", vmin=0, vmax=max(1, np.nanmax(counts)))
    top.set_yticks([0, 2, 4], ["Mon", "Wed", "Fri"])
    first_days = range(0, WEEKS, 4)
    top.set_xticks(list(first_days), [(monday + timedelta(weeks=week)).strftime("%d %b") for week in first_days])
    top.set_title(f"{count_text(progress.answers, 'answer')}, {count_text(progress.streak, 'day')} in a row")
    figure.colorbar(image, ax=top, label="answers a day")
    met = [each for each in progress.topics if each.met]
    scores = [each.strength.score for each in met]
    colours = [STRONG if score >= ENOUGH else WEAK for score in scores]
    bottom.bar([each.topic for each in met], scores, color=colours)
    bottom.axhline(ENOUGH, color="grey", linestyle="--", linewidth=1)
    told = "below this, a topic's cards come more often"
    bottom.text(0.01, ENOUGH + 0.01, told, color="grey", fontsize=8, transform=bottom.get_yaxis_transform())
    bottom.set_ylim(0, 1)
    bottom.set_ylabel("strength: recent answers, 0 to 1")
    bottom.tick_params(axis="x", rotation=90, labelsize=7)
    weakest = ", ".join(each.topic for each in progress.weakest()) or "none yet"
    bottom.set_title(f"Strength by topic; weakest: {weakest}")
    figure.set_label(f"A calendar of answers a day, and bars of strength by topic. The weakest are {weakest}.")
    return figure
