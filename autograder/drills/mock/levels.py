"""What an interview is for: `--level junior` or `senior`, `--for kernels`, `inference` or `systems`."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.drills.deck.topics import all_topics

LEVELS = ("junior", "senior")
JOBS = {
    "kernels": ("A", "B5", "B7", "B8", "B9", "B10", "B11", "B12", "B13", "B14", "B15", "B16", "C", "D"),
    "inference": ("E", "D3", "D5", "D9", "D10", "C3", "C5", "B7", "B15"),
    "systems": (
        "A3", "A8", "B1", "B2", "B3", "B4", "B6", "B16", "B17", "C1", "C2", "C6", "C8", "C9", "E15", "E17", "F",
    ),
}  # fmt: skip
JUNIOR_TOPICS = (
    "A", "B1", "B2", "B3", "B5", "B7", "B8", "B12", "B14", "C1", "C3", "C6", "D1", "D2", "D4", "D5", "D7", "D8", "E1",
    "E2", "E4", "E7", "E21", "F4",
)  # fmt: skip
JUNIOR_TASKS = (
    "structure_of_arrays", "transpose", "row_sums", "tree_sum", "one_atomic_a_block", "shared_histogram",
    "fused_epilogue", "max_pool_2x2",
)  # fmt: skip
SENIOR_TASKS = (
    "transpose", "row_sums", "shuffle_sum", "stencil_sum", "shared_histogram", "requantise", "softmax", "layer_norm",
    "count_positive",
)  # fmt: skip
HIRED_FROM = {"": 70, "junior": 60, "senior": 75}  # of 100


def _named(names: Sequence[str]) -> set[str]:
    return {topic.id for topic in all_topics().values() if topic.id in names or topic.area in names}


def topics_of(chosen: Sequence[str], level: str, job: str) -> tuple[str, ...]:
    """The topics to ask about, in the order of the course; () for all. What was chosen by name goes before a level."""
    wanted = set(chosen) or (_named(JOBS[job]) if job else set())
    if level and not chosen:
        pool = wanted or set(all_topics())
        beginners = _named(JUNIOR_TOPICS)
        wanted = (pool & beginners if level == "junior" else {t for t in pool if t[0] != "A"}) or pool
    return tuple(name for name in all_topics() if name in wanted)


def tasks_of(level: str) -> tuple[str, ...]:
    """The coding tasks that suit a level; () for all."""
    return {"junior": JUNIOR_TASKS, "senior": SENIOR_TASKS}.get(level, ())
