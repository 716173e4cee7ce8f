"""The report of an interview: one HTML file with everything in it, which opens anywhere."""

from __future__ import annotations

from datetime import datetime
from html import escape
from pathlib import Path

from autograder.drills.deck.load import all_cards
from autograder.drills.deck.topics import Topic, all_topics
from autograder.drills.faces.words import say
from autograder.drills.mock.interview import Answered, Interview
from autograder.drills.mock.levels import HIRED_FROM
from autograder.drills.mock.rubric import POINTS, Score
from autograder.machine.course_home import released

COURSE = released()
GOOD, FAIR, POOR = "#1a7f5a", "#b45309", "#b91c1c"
CSS = (
    "body{font-family:system-ui,sans-serif;max-width:56em;margin:2em auto;padding:0 1em;line-height:1.5;color:#222}"
    "table{border-collapse:collapse;width:100%}td,th{padding:.3em .6em;border-bottom:1px solid #ddd;text-align:left}"
    "pre{background:#f6f6f6;padding:.7em;white-space:pre-wrap;font-size:13px}.bar{height:.8em;border-radius:3px}"
    "details{border-left:4px solid #ddd;padding:.2em 1em;margin:.5em 0}summary{cursor:pointer}.small{color:#666}"
    ".total{font-size:2.2em}.ask{white-space:pre-line}"
)


def write_report(interview: Interview, score: Score, path: Path, at: datetime) -> None:
    """Write the page. path: FILE.html; at: when the interview ended."""
    language = interview.language
    minutes = f"{interview.minutes:g}"
    title = say("mock_title", language, minutes=minutes, seed=interview.seed)
    spent = say("used", language, used=f"{interview.elapsed_s / 60:.1f}", minutes=minutes)
    body = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="small">{at.astimezone():%Y-%m-%d %H:%M} · {spent}</p>',
        f'<p class="total">{score.total:.0f} / 100</p>',
        _note(interview, score),
        _rubric(score, language),
        _topics("strengths", score.strengths, language),
        _topics("practise", score.practise, language),
        f"<h2>{escape(say('asked', language))}</h2>",
        *(_answer(answer, language) for answer in interview.answers),
    ]
    page = (
        f'<!doctype html><html lang="{"zh-CN" if language == "zh" else "en"}"><head><meta charset="utf-8">'
        f"<title>{escape(title)}</title><style>{CSS}</style></head><body>{''.join(body)}</body></html>"
    )
    path.write_text(page, encoding="utf-8")


def _note(interview: Interview, score: Score) -> str:
    """What a hiring note would say: the decision, what it rests on, and how it compares with earlier interviews."""
    language = interview.language
    decision = "hire" if score.total >= HIRED_FROM[interview.level] else "no_hire"
    whom = say(f"level_{interview.level or 'any'}", language)
    whom += say(f"job_{interview.job}", language) if interview.job else ""
    answers, by_hand = (sum(column) for column in zip(*score.rests_on.values(), strict=True))
    late = sum(answer.late for answer in interview.answers)
    sentences = [
        say(decision, language, whom=whom, limit=HIRED_FROM[interview.level]),
        say("rests", language, answers=answers, by_hand=by_hand),
        *([say("late_answers", language, count=late)] if late else []),
    ]
    earlier = ", ".join(f"{began.astimezone():%Y-%m-%d} {total:.0f}" for began, total in interview.earlier()[-5:])
    sentences += [say("earlier", language, list=earlier)] if earlier else []
    return f"<p>{escape(' '.join(sentences))}</p>"


def _rubric(score: Score, language: str) -> str:
    rows = []
    for name, points in POINTS.items():
        mark = score.marks[name]
        bar = f'<div class="bar" style="width:{100 * mark:.0f}%;background:{_colour(mark)}"></div>'
        said = escape(say(f"mark_{name}", language))
        answers, by_hand = score.rests_on[name]
        rests = say("rests_on", language, answers=answers, by_hand=by_hand)
        rows.append(
            f'<tr><td>{said}</td><td style="width:40%">{bar}</td><td>{points * mark:.0f} / {points}</td>'
            f'<td class="small">{escape(rests)}</td></tr>'
        )
    return f"<h2>{escape(say('rubric', language))}</h2><table>{''.join(rows)}</table>"


def _topics(heading: str, topics: tuple[str, ...], language: str) -> str:
    items = "".join(f"<li>{_link(all_topics()[name], language)}</li>" for name in topics)
    none = f"<p>{escape(say('none_yet', language))}</p>"
    return f"<h2>{escape(say(heading, language))}</h2>" + (f"<ul>{items}</ul>" if items else none)


def _link(topic: Topic, language: str) -> str:
    """The topic, a link to its unit where that is there, and the command that drills it."""
    said = escape(f"{topic.id} {topic.name(language)}")
    notebook = COURSE / topic.unit / f"{topic.unit}.ipynb"
    there = topic.unit and notebook.is_file()
    unit = f'<a href="{notebook.as_uri()}">{escape(topic.unit)}</a>' if there else ""
    return f"{said} {unit} <code>warpbook drill --topics {topic.id}</code>"


def _answer(answer: Answered, language: str) -> str:
    step = say(f"step_{answer.step.split()[0]}", language)
    card = all_cards().get(answer.card)
    if answer.score is None:
        mark, colour = say("skipped", language), "#999"
    else:
        mark, colour = f"{answer.score:.0%}", _colour(answer.counted)
        tags = [name for name in ("by_learner", "late") if getattr(answer, name)]
        mark = ", ".join([mark, *(say(f"tag_{name}", language) for name in tags)])
    parts = [f'<p class="ask">{escape(answer.asked)}</p>' if answer.asked else ""]
    for name, text in (("typed", answer.typed), ("truth", answer.truth)):
        if text:
            parts.append(f"<b>{escape(say(name, language))}</b><pre>{escape(text)}</pre>")
    if answer.detail:
        parts.append(f"<pre>{escape(answer.detail)}</pre>")
    if card:
        parts.append(f'<p class="small">{escape(card.source_in(language))}</p>')
    return (
        f'<details style="border-color:{colour}"><summary><b>{escape(step)}</b> {escape(mark)} '
        f'<span class="small">{answer.seconds:.0f} s {escape(answer.card)}</span></summary>{"".join(parts)}</details>'
    )


def _colour(mark: float) -> str:
    return GOOD if mark >= 0.8 else FAIR if mark >= 0.5 else POOR
