"""An Outcome as one self-contained HTML fragment, for notebooks and feedback pages. All text is escaped."""

from __future__ import annotations

import base64
from collections.abc import Callable
from html import escape

from autograder.outcome import BudgetResult, Cause, Outcome, Passed, Speed, Wrong
from autograder.report import wording
from autograder.report.prose import prose
from autograder.report.tables import SMALL_TABLE

CONTEXT_LINES = 2  # lines of source shown before and after the marked ones


def plain_lines(source: str) -> list[str]:
    """The lines of a source, escaped."""
    return [escape(line) for line in source.splitlines()]


def render_html(outcome: Outcome, lines: Callable[[str], list[str]] = plain_lines) -> str:
    """The verdict as a card: badge and points, what was observed, the cause with its source, one thing to do.

    lines: what makes HTML of a source, a line each.
    """
    colour = outcome.look.colour
    parts = [_header(outcome, colour)]
    if outcome.observed:
        parts.append(f"<p>{prose(outcome.observed)}</p>")
    if outcome.causes:
        parts.append(_cause(outcome, outcome.causes[0], lines))
        parts.append(_small(wording.others_sentence(outcome)) if wording.others_sentence(outcome) else "")
    said = {outcome.causes[0].says} if wording.missed_budget(outcome) else set()
    parts += [_budget(budget, said) for budget in wording.telling_budgets(outcome)]
    if outcome.speed is not None:
        parts.append(_speed(outcome.speed))
    parts += [_small(f"Note: {note}") for note in outcome.notes[:3]]
    if wording.printed_sentence(outcome):
        parts.append(_small(wording.printed_sentence(outcome)))
    parts.append(_details(outcome))
    if outcome.facts.get("why"):
        parts.append(f'<p style="margin:.6em 0"><b>Why it is right:</b> {prose(outcome.facts["why"])}</p>')
    if outcome.next_step:
        steps = " · ".join(step for step in outcome.next_step.split("  ") if step)
        parts.append(f'<p style="margin:.6em 0 0"><b>{prose(steps)}</b></p>')
    style = (
        f"border-left:4px solid {colour};padding:.4em 1em;margin:.4em 0;max-width:60em;line-height:1.45;"
        "font-family:system-ui,sans-serif;font-size:14px"
    )
    return f'<div class="warpbook-verdict" role="status" style="{style}">{"".join(parts)}</div>'


def _header(outcome: Outcome, colour: str) -> str:
    badge = f'<span style="background:{colour};color:#fff;border-radius:3px;padding:.1em .5em">'
    name = escape(outcome.exercise)
    return (
        '<div style="font-size:15px;display:flex;flex-wrap:wrap;gap:.1em .4em;align-items:baseline">'
        f"{badge}{outcome.shown_as.words}</span> <b>{name}</b> "
        f'<span style="margin-left:auto">{wording.points_sentence(outcome)}</span></div>'
    )


def _cause(outcome: Outcome, cause: Cause, lines: Callable[[str], list[str]]) -> str:
    where = f", line {cause.lines[0]}" if cause.lines else ""
    remedy = f'<p style="margin:.4em 0"><b>Next:</b> {prose(cause.remedy)}</p>' if cause.remedy else ""
    return (
        f'<p style="margin:.6em 0 .2em"><b>{escape(wording.title(cause))}{where}</b></p>'
        f'{_excerpt(outcome, cause.lines, lines)}<p style="margin:.4em 0">{prose(cause.says)}</p>'
        f"{_picture(outcome)}{remedy}"
    )


def _excerpt(outcome: Outcome, marked: tuple[int, ...], lines: Callable[[str], list[str]]) -> str:
    """The learner's source round the marked lines, those lines set off by an arrow and a tint."""
    source = lines(outcome.source)
    known = [line for line in marked if 0 <= line - outcome.first_line < len(source)]
    if not known:
        return ""
    first = max(min(known) - CONTEXT_LINES, outcome.first_line)
    last = min(max(known) + CONTEXT_LINES, outcome.first_line + len(source) - 1)
    while last > max(known) and not source[last - outcome.first_line].strip():
        last -= 1  # empty lines at the end explain nothing
    rows = []
    for line in range(first, last + 1):
        text = f"{'→' if line in known else ' '} {line:>3}  {source[line - outcome.first_line]}"
        tint = "background:#fde68a33;" if line in known else ""
        rows.append(f'<span style="{tint}display:block;width:max-content;min-width:100%">{text}</span>')
    style = "margin:.2em 0;padding:.4em;border:1px solid #8884;overflow-x:auto;font-size:13px;line-height:1.35;"
    style += "white-space:pre"  # JupyterLab would break a line wherever a narrow column ends
    return f'<pre style="{style}">{"".join(rows)}</pre>'


def _picture(outcome: Outcome) -> str:
    """The picture of what was found, as an image, so that it loads and runs nothing; below it the same in words."""
    picture = outcome.facts.get("picture")
    if not picture:
        return ""
    data = base64.b64encode(picture["svg"].encode()).decode()
    return (
        '<figure style="margin:.6em 0;break-inside:avoid">'
        f'<img alt="{escape(picture["alt"])}" src="data:image/svg+xml;base64,{data}" style="max-width:100%">'
        '<figcaption><details style="font-size:12px"><summary>The picture in words</summary>'
        f'<pre style="overflow-x:auto;white-space:pre">{escape(picture["words"])}</pre></details></figcaption></figure>'
    )


def _budget(budget: BudgetResult, said: set[str]) -> str:
    """A bar: the value against its limit, with the sentence that says what it means when it is missed.

    said: explanations that have been read by now, which are not repeated.
    """
    colour = (Passed if budget.met else Wrong).look.colour
    name, value, limit = (
        wording.counter_name(budget.counter, budget.value),
        wording.number(budget.value),
        wording.number(budget.at_most),
    )
    why = "" if budget.met or budget.why in said else f" {prose(budget.why)}"
    said.add(budget.why)
    return (
        f'<div style="margin:.2em 0">{_bar(budget, colour)}{value} {escape(name)} ({budget.limit} {limit}).{why}</div>'
    )


def _bar(budget: BudgetResult, colour: str) -> str:
    """The value as a bar, the limit as a line across it; the longer of the two fills the width."""
    longest = max(budget.value, budget.at_most) or 1.0
    share, limit = 100 * budget.value / longest, 100 * budget.at_most / longest
    return (
        '<span style="display:inline-block;position:relative;width:8em;height:.6em;background:#8883;margin-right:.6em">'
        f'<span style="display:block;width:{share:.0f}%;height:100%;background:{colour}"></span>'
        f'<span style="position:absolute;left:calc({limit:.0f}% - 1px);top:-2px;bottom:-2px;'
        'border-left:2px solid currentColor"></span></span>'
    )


def _speed(speed: Speed) -> str:
    points = f" <b>{speed.points:g} of {speed.max_points:g} speed points.</b>" if speed.graded else ""
    return f'<p style="margin:.4em 0">{prose(speed.says)}{points}</p>'


def _details(outcome: Outcome) -> str:
    """Cases and compile facts, folded away."""
    rows = "".join(
        f"<tr><td>{escape(case.name)}</td><td>{escape(case.device)}</td>"
        f"<td>{escape(case.status.replace('_', ' '))}</td><td>{prose(case.detail)}</td></tr>"
        for case in outcome.cases
    )
    facts = wording.compile_sentence(outcome)
    summary = "; ".join(part for part in (wording.cases_sentence(outcome), facts) if part)
    if not summary:  # nothing ran, and nothing compiled
        return ""
    table = f"{SMALL_TABLE}<tr><th>case</th><th>where</th><th>result</th><th></th></tr>{rows}</table>"
    table = f'<div style="overflow-x:auto">{table}</div>'  # of its own, as wide as the page may be
    words = _small(wording.COMPILED_WORDS) if facts else ""
    body = f"{table if rows else ''}{words}"
    return f'<details style="margin:.4em 0"><summary>{escape(summary)}</summary>{body}</details>'


def _small(text: str) -> str:
    return f'<p style="margin:.3em 0;opacity:.8;font-size:13px">{prose(text)}</p>'
