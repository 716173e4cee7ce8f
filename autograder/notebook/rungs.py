"""The table at the end of a unit: every rung this session climbed, against the library and this GPU's limit."""

from __future__ import annotations

from autograder import exercises
from autograder.backend import gpu_available
from autograder.contract import Exercise
from autograder.notebook import display, progress, races_on_record
from autograder.outcome import Speed

HEADER = ("rung", "verdict", "time", "rate", "of the copy rate", "library", "points")
NOT_MEASURED = "not measured here"


def ladder(unit: str):
    """Show what this session's checks and races found for each exercise of a unit: a table, and a chart of speeds.

    unit: as in "06_reductions". Returns: matplotlib Figure, or None where nothing was timed.
    Raises: autograder.exercises.UnknownExerciseError, naming the nearest units.
    """
    rungs = exercises.of_unit(unit)
    display.table(HEADER, [_row(rung) for rung in rungs])
    timed = [(rung, progress.record(rung.id).speed) for rung in rungs]
    timed = [(rung, speed) for rung, speed in timed if speed is not None and speed.rate_gbs is not None]
    if not timed:
        display.text("No rung was timed in this session: time needs a GPU and a q.race(...) of a right answer.")
        _show_records(rungs)
        return None
    from simt import figures

    limit = max(speed.copy_rate_gbs for _, speed in timed)
    bars = [bar for rung, speed in timed for bar in _bars(rung, speed)]
    return figures.ladder(bars, limit, f"copy rate of this GPU ({timed[0][1].device})")


def _show_records(rungs: tuple[Exercise, ...]) -> None:
    """What a named GPU needed for the rungs that race, where that is on record."""
    on_record = [(rung, row) for rung in rungs if (row := races_on_record.race_on_record(rung))]
    if on_record:
        display.text(races_on_record.source_of(on_record[0][1]))
        display.table(races_on_record.HEADER, [races_on_record.as_cells(*one) for one in on_record])


def _bars(rung: Exercise, speed: Speed) -> list[tuple[str, float]]:
    """(name, GB/s) for a timed rung: the naive version, the learner's and the library, all over the same bytes."""
    n_bytes = speed.details["bytes"]
    others = {f"{rung.function}, naive": speed.naive_us} if speed.naive_us else {}
    libraries = speed.details.get("libraries", {})
    times = {**others, rung.function: speed.time_us, **libraries}
    return [(name, n_bytes / time_us / 1e3) for name, time_us in times.items()]


def _row(rung: Exercise) -> tuple[str, ...]:
    seen = progress.record(rung.id)
    outcome, speed = seen.outcome, seen.speed
    verdict = outcome.shown_as.words if outcome else "not checked yet"
    earned = (outcome.points if outcome else 0.0) + (speed.points if speed else 0.0)
    with_a_gpu = rung.speed.points if rung.speed else 0.0
    points = f"{earned:g} of {rung.points + with_a_gpu:g}"
    if with_a_gpu and not gpu_available():
        points = f"{earned:g} of {rung.points:g} ({with_a_gpu:g} more with a GPU)"
    if speed is None or speed.time_us is None:
        return rung.function, verdict, NOT_MEASURED if rung.speed else "", "", "", "", points
    libraries = "; ".join(f"{name} {time_us:,.1f} us" for name, time_us in speed.details.get("libraries", {}).items())
    share = f"{speed.rate_gbs / speed.copy_rate_gbs:.0%}"
    return (
        rung.function,
        verdict,
        f"{speed.time_us:,.1f} us",
        f"{speed.rate_gbs:,.0f} GB/s",
        share,
        libraries,
        points,
    )
