"""An Outcome as plain text, for terminals, logs and screen readers."""

from __future__ import annotations

import textwrap

from autograder.outcome import BudgetResult, Cause, Outcome
from autograder.report import wording

WIDTH = 110  # characters
NOTES_SHOWN = 3


def render_text(outcome: Outcome) -> str:
    """The verdict as a learner reads it, most useful first. Returns lines joined by newlines, no trailing one."""
    lines = [outcome.headline or f"{outcome.exercise}: {outcome.shown_as.words}"]
    lines += _indented(outcome.observed, 2)
    if outcome.causes:
        lines += _cause(outcome, outcome.causes[0])
        lines += _indented(wording.others_sentence(outcome), 2)
    told = wording.missed_budget(outcome)
    said = {outcome.causes[0].says} if told else set()
    for budget in wording.telling_budgets(outcome):
        if budget.met or wording.allowed(budget) != told:
            lines += _budget(budget, said)
    if outcome.speed is not None:
        lines += _indented(outcome.speed.says, 2)
    lines += _indented(wording.printed_sentence(outcome), 2)
    if outcome.passed:
        lines += _indented(wording.compile_sentence(outcome), 2)
    for note in outcome.notes[:NOTES_SHOWN]:
        lines += _indented(f"Note: {note}", 2)
    tally = [part for part in (wording.cases_sentence(outcome), wording.points_sentence(outcome)) if part]
    lines += _indented("; ".join(tally), 2)
    if outcome.facts.get("why"):
        lines += _indented(f"Why it is right: {outcome.facts['why']}", 2)
    lines += _indented(outcome.next_step, 2)
    return "\n".join(lines)


def _cause(outcome: Outcome, cause: Cause) -> list[str]:
    """The cause, its first line of source, what happens there, and one thing to do."""
    head = wording.title(cause)
    if cause.lines:
        head += f", line {cause.lines[0]}   {wording.source_line(outcome, cause.lines[0])}"
    says = f"{wording.missed_budget(outcome)} {cause.says}".strip() if cause.kind == "over_budget" else cause.says
    return [f"  {head.rstrip()}", *_indented(says, 7), *_indented(cause.remedy, 7)]


def _budget(budget: BudgetResult, said: set[str]) -> list[str]:
    """One counter against its budget. said: explanations that have been read by now, which are not repeated."""
    if budget.met:
        name, limit = wording.counter_name(budget.counter, budget.value), wording.number(budget.at_most)
        return _indented(f"{wording.number(budget.value)} {name} ({budget.limit} {limit}).", 2)
    why = "" if budget.why in said else budget.why
    said.add(budget.why)
    return _indented(f"{wording.allowed(budget)} {why}".strip(), 2)


def _indented(text: str, spaces: int) -> list[str]:
    """Text wrapped to WIDTH; line breaks of its own are kept."""
    pad = " " * spaces
    return [
        line
        for paragraph in text.splitlines()
        for line in (textwrap.wrap(paragraph, WIDTH, initial_indent=pad, subsequent_indent=pad) or [""])
    ]
