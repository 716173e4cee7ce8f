"""A lint report as plain text: what is wrong first, then the numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autograder.lint.report import CompileError, LintFinding, LintReport


def to_text(report: LintReport) -> str:
    """The report as lines of text, one architecture a row."""
    head = f"{report.kernel}({', '.join(report.signature)})"
    if not report.available:
        return f"{head}: not compiled here. {report.reason}"
    if report.error:
        return f"{head}: does not compile\n{_paragraph(report.error)}"
    paragraphs = [_paragraph(finding) for finding in report.findings]
    return "\n".join([f"{head}: compiles", *paragraphs, *_table(report)])


def _paragraph(said: CompileError | LintFinding) -> str:
    severity = getattr(said, "severity", "error")
    place = f", line {said.lines[0]}" if said.lines else ""
    remedy = f"\n    {said.remedy}" if said.remedy else ""
    return f"  {severity}: {said.kind}{place}\n    {said.says}{remedy}"


def _table(report: LintReport) -> list[str]:
    rows: list[tuple[str, ...]] = [("", "registers", "spilled bytes", "stack bytes", "shared bytes", "constant bytes")]
    for name, facts in report.facts.items():
        numbers = (
            facts.registers,
            facts.spill_bytes,
            facts.stack_frame_bytes,
            facts.shared_bytes,
            facts.constant_bytes,
        )
        rows.append((name, *map(str, numbers)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
