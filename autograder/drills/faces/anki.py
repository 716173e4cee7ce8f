"""The cards as an Anki package. Ids never change, so a new export updates cards and keeps Anki's history."""

from __future__ import annotations

import hashlib
import html
import random
from collections.abc import Iterable
from pathlib import Path

from autograder.drills import kinds
from autograder.drills.deck.model import Card, Question
from autograder.drills.deck.topics import all_topics
from autograder.drills.faces.lanes_svg import picture_of
from autograder.drills.faces.words import say
from autograder.machine.scratch import ScratchFolder, temporary_files_in

MODEL_ID = 1_607_392_319  # of Warpbook's note type, forever
FIELDS = ("Id", "Topic", "Kind", "Question", "Code", "Answer", "Picture", "Source")
FRONT = (
    '<div class="head">{{Topic}} · {{Kind}}</div><div class="ask">{{Question}}</div>'
    "{{#Code}}<pre>{{Code}}</pre>{{/Code}}"
)
BACK = "{{FrontSide}}<hr id=answer>{{Answer}}{{Picture}}<div class=source>{{Source}}</div>"
CSS = (
    ".card{font-family:system-ui,sans-serif;font-size:17px;max-width:44em;margin:auto;text-align:left;line-height:1.45}"
    ".head,.source{color:#777;font-size:13px;margin:.6em 0}pre{font-size:13px;white-space:pre-wrap;background:#8881;"
    "padding:.6em}.ask{white-space:pre-line}ol,p{margin:.4em 0}img{max-width:100%}"
)


def write_package(cards: Iterable[Card], language: str, path: Path, at: float | None = None) -> int:
    """Write FILE.apkg; returns the number of notes. Values of a drawn card are those of one seed, its own.

    at: when it was written, in seconds since 1970, by which Anki knows the newer of two exports; default: now.
    """
    import genanki  # type: ignore[import-untyped]

    model = genanki.Model(
        MODEL_ID,
        "Warpbook",
        fields=[{"name": name} for name in FIELDS],
        templates=[{"name": "Card", "qfmt": FRONT, "afmt": BACK}],
        css=CSS,
    )
    decks: dict[str, genanki.Deck] = {}
    count = 0
    with ScratchFolder("anki") as folder:
        media = []
        for card in cards:
            question = kinds.pose(card, language, random.Random(card.id))
            picture = picture_of(question)
            name = f"warpbook-{card.id}.svg"
            if picture:
                (Path(folder) / name).write_text(picture, encoding="utf-8")
                media.append(str(Path(folder) / name))
            fields = _fields(question, f'<img src="{name}">' if picture else "")
            named = _deck_name(card.topic, language)
            deck = decks.setdefault(card.topic, genanki.Deck(_number(f"deck {card.topic}"), named))
            guid = genanki.guid_for("warpbook", card.id)
            deck.add_note(genanki.Note(model=model, fields=fields, guid=guid, tags=_tags(card)))
            count += 1
        package = genanki.Package(list(decks.values()))
        package.media_files = media
        with temporary_files_in(folder):  # where genanki leaves a database
            package.write_to_file(str(path), timestamp=at)
    return count


def _fields(question: Question, picture: str) -> list[str]:
    card, language = question.card, question.language
    topic = all_topics()[card.topic]
    return [
        card.id,
        html.escape(f"{topic.id} {topic.name(language)}"),
        html.escape(say(f"kind_{card.kind}", language)),
        html.escape(_asked(question)),
        html.escape(question.code_with_numbers),
        _answer(question),
        picture,
        html.escape(f"{say('source', language)}: {card.source_in(language)}"),
    ]


def _asked(question: Question) -> str:
    """The question, and the classes to choose from where one is to be named."""
    if question.entry != "place":
        return question.ask
    return "\n".join([question.ask, "", *question.choices])


def _answer(question: Question) -> str:
    """The right answer and why; of a question to be talked about, the points and what comes next."""
    mark = kinds.mark(question, kinds.solve(question))
    parts = []
    if question.entry == "ticks":
        parts.append("<ol>" + "".join(f"<li>{_lines(point)}</li>" for point in question.reveal) + "</ol>")
    elif question.entry == "code":
        parts.append(f"<pre>{html.escape(mark.truth)}</pre>")
    else:
        parts.append(f"<p><b>{_lines(mark.truth)}</b></p>")
    for name, text in (("why", mark.why), ("weak", mark.weak), ("then", mark.then), ("reply", mark.reply)):
        if text:
            parts.append(f"<p><b>{html.escape(say(name, question.language))}</b> {_lines(text)}</p>")
    if question.card.kind == "bug":
        parts.append(f"<pre>{html.escape(mark.verdict)}</pre>")
    return "".join(parts)


def _lines(text: str) -> str:
    return html.escape(text).replace("\n", "<br>")


def _number(name: str) -> int:
    """A number for Anki that follows from a name."""
    return int.from_bytes(hashlib.sha256(f"warpbook {name}".encode()).digest()[:4], "big") | 1 << 30


def _deck_name(topic: str, language: str) -> str:
    """Of a topic, in the learner's language; its number is the same in each, so that Anki knows it again."""
    return f"Warpbook::{topic} {all_topics()[topic].name(language)}"


def _tags(card: Card) -> list[str]:
    return [f"warpbook::{topic}" for topic in card.topics] + [f"warpbook::{card.kind}"]
