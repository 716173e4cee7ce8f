"""A session as SARIF 2.1.0, so that a code host shows its findings on the lines of a pull request.

Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from simt.programs.reports import Report, Where
from simt.programs.session import Session

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MEANING = {
    "race": "Two threads, or two operations of host code, touch one element with nothing that orders them.",
    "out_of_bounds": "An index is outside its array.",
    "uninitialised_read": "A thread reads what nobody wrote.",
    "barrier_divergence": "Some threads of a block miss a barrier.",
    "deadlock": "A loop never ends.",
    "invalid_launch": "A GPU refuses the launch.",
    "unsupported": "numba does not compile the kernel.",
    "warp_mask": "A warp operation names lanes that do not take part.",
    "write_to_input": "A kernel changes its input.",
}


def sarif_of(session: Session) -> dict[str, Any]:
    """The document. Silenced findings are in it, suppressed with their reasons."""
    reports, silences = [report for report in session.reports if report.places], session.silences()
    results = []
    for report in reports:
        reasons = [silence.reason for silence in silences.of(report)]
        results.append(_result(report) | ({"suppressions": [_suppressed(one) for one in reasons]} if reasons else {}))
    kinds = sorted({report.kind for report in reports})
    rules = [{"id": kind, "shortDescription": {"text": MEANING.get(kind, kind.replace("_", " "))}} for kind in kinds]
    driver = {"name": "warpbook", "rules": rules}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}


def _result(report: Report) -> dict[str, Any]:
    finding = report.finding
    parts = [finding.message, report.remedy, f"{report.certainty[0].upper()}{report.certainty[1:]}."]
    first, *others = map(_location, dict.fromkeys(report.places))
    return {
        "ruleId": report.kind,
        "level": "note" if report.note else "error",
        "message": {"text": " ".join(filter(None, parts))},
        "locations": [first],
        **({"relatedLocations": others} if others else {}),
    }


def _location(where: Where) -> dict[str, Any]:
    path = os.path.relpath(where.file) if where.file and not where.file.startswith("<") else where.file
    uri = Path(path).as_posix() if path else "unknown"
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": max(where.line, 1)}}}


def _suppressed(reason: str) -> dict[str, str]:
    return {"kind": "inSource", "justification": reason}
