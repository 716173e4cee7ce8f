"""Findings that one mistake makes are told once: the same advice, for the same arrays of the same kernel."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace

from simt.programs.reports import Report, Where

SHARED = (
    "race",
    "out_of_bounds",
    "barrier_divergence",
    "uninitialised_read",
)  # kinds that one mistake makes several of


def told_once(reports: Iterable[Report]) -> list[Report]:
    """The reports, those of one cause as one: in the words of the first, with the lines of all."""
    causes: dict[Hashable, list[Report]] = {}
    for report in reports:
        causes.setdefault(_cause(report), []).append(report)
    return [_merged(*some) if len(some) > 1 else some[0] for some in causes.values()]


def _cause(report: Report) -> Hashable:
    finding = report.finding
    if report.kind not in SHARED or not finding.remedy or not report.places:
        return report.key
    return (
        report.kind,
        report.note,
        finding.remedy,
        report.certainty,
        report.kernel,
        report.array,
        report.places[0].file,
    )


def _merged(first: Report, *others: Report) -> Report:
    lines = [line for one in others if (line := _own_line(one, first.places)) is not None]
    also = f" The same holds at {_listed(sorted(set(lines)))}." if lines else ""
    places = tuple(dict.fromkeys((*first.places, *(where for one in others for where in one.places))))
    merged = replace(first, finding=replace(first.finding, message=first.finding.message + also), places=places)
    merged.arrays, merged.n_launches = first.arrays, max(one.n_launches for one in (first, *others))
    merged.total = first.total + sum(one.total for one in others)
    return merged


def _listed(lines: list[int]) -> str:
    """ "line 7" or "lines 7, 9 and 12"."""
    *most, last = map(str, lines)
    return f"lines {', '.join(most)} and {last}" if most else f"line {last}"


def _own_line(report: Report, known: tuple[Where, ...]) -> int | None:
    """The first line of a report that the one told before it does not name."""
    return next((where.line for where in report.places if where not in known), None)
