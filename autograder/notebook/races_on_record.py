"""Races that were run on a named GPU, with the course's own answers: shown where there is none to race on."""

from __future__ import annotations

from typing import Any

from autograder.contract import Exercise
from autograder.notebook.recorded import document_of

RECORDED_ON = "nvidia-h200"  # benchmarks/results/nvidia-h200.json
HEADER = ("on record", "time", "rate", "of the copy rate", "naive", "library")


def race_on_record(exercise: Exercise) -> dict[str, Any]:
    """The row of the recorded race, with its device and date; {} where there is none."""
    document = document_of(RECORDED_ON)
    rows = (row for row in document.get("rows", ()) if row["exercise"] == exercise.id)
    return next(({**row, "device": document["device"], "date": document["date"]} for row in rows), {})


def as_cells(exercise: Exercise, row: dict[str, Any]) -> tuple[str, ...]:
    """The row as a table has it, in the order of HEADER."""
    return (
        exercise.function,
        f"{row['time_us']:,.1f} us",
        f"{row['rate_gbs']:,.0f} GB/s",
        f"{row['rate_gbs'] / row['copy_rate_gbs']:.0%}",
        f"{row['naive_us']:,.1f} us" if row.get("naive_us") else "",
        f"{row['library']} {row['library_us']:,.1f} us" if row.get("library_us") else "",
    )


def source_of(row: dict[str, Any]) -> str:
    """Where the figures are from: whose answers, which device, when."""
    return f"Recorded with the course's own answers on one {row['device']}, {row['date']}:"
