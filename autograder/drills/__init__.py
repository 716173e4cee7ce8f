"""Drills: interview practice, ten minutes a day. In a notebook: `from autograder import drills; drills.session()`."""

from __future__ import annotations

__all__ = ["progress_figure", "session"]


def session(language: str = "en", topics: str | None = None, seed: int | None = None):
    """The drill as a widget of JupyterLab; it takes up a sitting that was interrupted.

    language: "en", "zh" or "both"; topics: as on the command line, "B7, C"; seed: for the same cards and values again.
    Returns: ipywidgets.VBox. Raises: UnknownTopicError for a topic that there is not, ValueError for a language.
    """
    from autograder.drills.deck.model import CHOICES_OF_LANGUAGE
    from autograder.drills.deck.topics import chosen
    from autograder.drills.faces.widget import DrillWidget
    from autograder.drills.learning import sitting
    from autograder.drills.learning.place import file_of
    from autograder.drills.learning.store import Store

    if language not in CHOICES_OF_LANGUAGE:
        raise ValueError(f"drills.session: language is {language!r}; choose from {', '.join(CHOICES_OF_LANGUAGE)}.")
    wanted = chosen([topics] if topics else None)
    return DrillWidget(sitting.begin(Store(file_of()), language, wanted, seed)).box


def progress_figure():
    """The days of half a year and strength by topic. Returns: matplotlib Figure."""
    from autograder.drills.faces.progress_figure import draw_progress
    from autograder.drills.learning.place import file_of
    from autograder.drills.learning.progress import progress_of
    from autograder.drills.learning.store import Store, now

    with Store(file_of()) as store:
        return draw_progress(progress_of(store, now()))
