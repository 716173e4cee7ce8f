"""A session as a page: the worst first, each finding with its lines and their neighbours."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from simt.programs.excerpts import excerpts
from simt.programs.reports import Report, Where
from simt.programs.session import Session
from simt.programs.wording import headline_of, launches_text, not_run, sorted_out, where_text

NEIGHBOURS = 3  # lines before and after
STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "pre{background:#f4f4f4;color:#222;padding:.6rem;overflow-x:auto}mark{background:#ffd7a8;color:#000}"
    "h2 small{font-weight:normal}.how{color:#555}"
)


def page_of(session: Session) -> str:
    """The whole page, which needs no other file."""
    told, notes, silenced = sorted_out(session)
    parts = [f"<h1>{escape(headline_of(session))}</h1>"]
    parts += [_section(report, session.launches) for report in told]
    parts += ["<h1>Notes</h1>"] if notes else []
    parts += [_section(report, session.launches) for report in notes]
    parts += ["<h1>Silenced by comments</h1>"] if silenced else []
    parts += [_section(report, session.launches) for report in silenced]
    left = [*session.remarks, *not_run(session)]
    parts += ["<h1>Not looked at</h1>", "<ul>", *(f"<li>{escape(one)}</li>" for one in left), "</ul>"] if left else []
    body = "\n".join(parts)
    title = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>warpbook run</title>'
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head>{title}<style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n'
    )


def _section(report: Report, n_launches: int) -> str:
    finding, kind = report.finding, report.kind.replace("_", " ")
    at = where_text(report.places[0]) if report.places else f"kernel {report.kernel}"
    how = [f"{report.certainty[0].upper()}{report.certainty[1:]}."]
    how += [launches_text(report, n_launches)] if report.kernel else []
    how += [] if report.note else [f"If it is all right, write at the line: # warpbook: ok {report.kind} - and why."]
    return "\n".join(
        [
            f"<h2>{escape(kind)} <small>{escape(at)}</small></h2>",
            f"<p>{escape(finding.message)}</p>",
            *([f"<p><b>{escape(report.remedy)}</b></p>"] if report.remedy else []),
            *_sources(report.places),
            f'<p class="how">{escape(" ".join(how))}</p>',
        ]
    )


def _sources(places: Iterable[Where]) -> Iterable[str]:
    """The lines of a finding with their neighbours, a block for each file."""
    for _, lines in excerpts(places, NEIGHBOURS):
        rows = [escape(f"{line.number:5} {line.text}") if line.number else "..." for line in lines]
        marked = [f"<mark>{row}</mark>" if line.named else row for row, line in zip(rows, lines, strict=True)]
        yield f"<pre>{chr(10).join(marked)}</pre>"
