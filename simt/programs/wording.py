"""A session in words, by source line."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from simt.analyses.findings import RANK
from simt.programs.excerpts import excerpts
from simt.programs.one_cause import told_once
from simt.programs.reports import Report, Where
from simt.programs.session import KernelUse, Session
from simt.programs.silences import Silences

WITHOUT_THEM = (
    "what those blocks would have written is missing, so no result of this run counts, nor a check that the program "
    "makes of one; a mistake that only they make was not seen"
)
NEIGHBOURS = 1  # lines before and after one that a finding names
COUNTED = (  # what a profile of a kernel begins with
    "global_load_requests",
    "global_load_sectors",
    "global_store_requests",
    "global_store_sectors",
    "shared_load_requests",
    "shared_store_requests",
    "divergent_branches",
)


def text_of(session: Session, counters: bool = False) -> str:
    """Everything that a session found, with what it left out."""
    told, notes, silenced = sorted_out(session)
    silences = session.silences()
    for report in session.reports:
        silences.covers(report)
    parts = [_headline(session, told, silenced)]
    parts += [finding_text(report, session.launches) for report in told]
    parts += _how_to_silence(told)
    parts += [f"note: {finding_text(report, session.launches)}" for report in notes]
    parts += [_silenced(report, silences) for report in silenced]
    parts += [f"{where_text(Where(one.file, one.line))}: this comment {why}" for one, why in silences.complaints()]
    parts += [f"not looked at: {remark}" for remark in (*session.remarks, *not_run(session))]
    if counters:
        parts += [kernel_text(use) for use in session.kernels.values()]
    return "\n\n".join(parts)


def sorted_out(session: Session) -> tuple[list[Report], list[Report], list[Report]]:
    """(findings, notes, silenced findings): causes before their consequences, then in the order of first sight,
    and what one mistake makes as one."""
    reports, silences = session.reports, session.silences()
    silenced = [report for report in reports if not report.note and silences.covers(report)]
    told = [report for report in reports if not report.note and report not in silenced]
    notes = [report for report in reports if report.note and not silences.covers(report)]
    first, then = (sorted(some, key=lambda report: RANK.get(report.kind, len(RANK))) for some in (told, notes))
    return told_once(first), told_once(then), silenced


def headline_of(session: Session) -> str:
    """How much was found, in how many launches."""
    told, _, silenced = sorted_out(session)
    return _headline(session, told, silenced)


def _headline(session: Session, told: list[Report], silenced: list[Report]) -> str:
    found = _count(len(told), "finding") if told else "no findings"
    quiet = f", {len(silenced)} silenced" if silenced else ""
    if not session.launches and not told:
        return "warpbook: no kernel was launched, so there was nothing to judge"
    kernels = _count(len(session.kernels), "kernel")
    return f"warpbook: {found}{quiet} in {_count(session.launches, 'launch', 'launches')} of {kernels}"


def finding_text(report: Report, n_launches: int) -> str:
    """One finding: where, the lines, what and why, what to do, which launches."""
    finding = report.finding
    lines = [f"{_places(report)}  {finding.kind.replace('_', ' ')}"]
    lines += _sources(report)
    lines += [f"  {finding.message}", *([f"  {report.remedy}"] if report.remedy else [])]
    lines.append(f"  {report.certainty[0].upper()}{report.certainty[1:]}.")
    if report.kernel:
        lines.append(f"  {launches_text(report, n_launches)}")
    return "\n".join(lines)


def launches_text(report: Report, n_launches: int) -> str:
    """Which kernel and arrays, in which launches, and how often."""
    first, at = report.launches[0], report.called_at[0]
    share = f"in {report.n_launches} of {n_launches} launches, first in" if report.n_launches > 1 else "in"
    where = f", launched at {where_text(at)}" if at.file else ""
    times = f"; {report.total:,} times" if report.total > 1 else ""
    what = "value" if report.kind == "frozen_value" else "array"
    array = f", {what}{'s' if len(report.arrays) > 1 else ''} {report.array}" if report.arrays else ""
    return f"Kernel {report.kernel}{array}: {share} launch {first}, {report.kernel}{report.shape}{where}{times}."


def kernel_text(use: KernelUse) -> str:
    """The counters of a kernel's launches together."""
    rows = [f"    {name.replace('_', ' ')}: {use.counters.get(name, 0):,}" for name in COUNTED]
    where = where_text(Where(use.file, use.line))
    return "\n".join([f"{where}  kernel {use.name}, {_count(use.launches, 'launch', 'launches')}", *rows])


def document_of(session: Session, counters: bool = False) -> dict[str, Any]:
    """The same as plain data."""
    reports = session.reports
    silences = session.silences()
    silenced = [report for report in reports if not report.note and silences.covers(report)]
    document: dict[str, Any] = {
        "launches": session.launches,
        "findings": [report.to_json() for report in reports if not report.note and report not in silenced],
        "notes": [report.to_json() for report in reports if report.note and not silences.covers(report)],
        "silenced": [
            {**report.to_json(), "reasons": [silence.reason for silence in silences.of(report)]} for report in silenced
        ],
        "comments": [{"file": one.file, "line": one.line, "says": why} for one, why in silences.complaints()],
        "not_looked_at": [*session.remarks, *not_run(session)],
    }
    if counters:
        document["kernels"] = [vars(use) for use in session.kernels.values()]
    return document


def not_run(session: Session) -> list[str]:
    """A sentence a kernel of which `sample` left blocks out, and one on what follows for the program's results."""
    partly = [use for use in session.kernels.values() if use.blocks_run < use.blocks]
    says = [
        f"of {use.name}, {use.blocks - use.blocks_run:,} of {_count(use.blocks, 'block')} did not run" for use in partly
    ]
    return [*says, WITHOUT_THEM] if partly else []


def _silenced(report: Report, silences: Silences) -> str:
    reasons = dict.fromkeys(silence.reason for silence in silences.of(report))
    others = "".join(f", {_short(where, report)}" for where in dict.fromkeys(report.places[1:]))
    return f"silenced: {_places(report)}{others}  {report.kind.replace('_', ' ')}: {'; '.join(reasons)}"


def _places(report: Report) -> str:
    return where_text(report.places[0]) if report.places else f"kernel {report.kernel}"


def _sources(report: Report) -> Iterable[str]:
    """The lines that a finding names, each after a ">", between their neighbours."""
    for file, lines in excerpts(report.places, NEIGHBOURS):
        if file != report.places[0].file:
            yield f"    {where_text(Where(file, next(line.number for line in lines if line.named)))}"
        for line in lines:
            yield f"  {'>' if line.named else ' '} {line.number}: {line.text}" if line.number else "    ..."


def _how_to_silence(told: list[Report]) -> list[str]:
    """One sentence for all that was found, with the kinds that were."""
    kinds = list(dict.fromkeys(report.kind for report in told))
    shown = " or ".join(f"# warpbook: ok {kind} - why this is right" for kind in kinds)
    return [f"What is right as it is, a comment at its line silences: {shown}"] if kinds else []


def _short(where: Where, report: Report) -> str:
    """The line; with its file where that is another than the first."""
    return str(where.line) if where.file == report.places[0].file else where_text(where)


def where_text(where: Where) -> str:
    """File and line, the file as seen from here."""
    if not where.file or where.file.startswith("<"):
        return f"{where.file}:{where.line}"
    path = os.path.relpath(where.file)
    return f"{where.file if path.startswith('..') else path}:{where.line}"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
