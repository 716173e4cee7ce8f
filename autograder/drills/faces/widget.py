"""Drills in JupyterLab: the same sitting, with boxes to type in and buttons; Enter works in every line."""

from __future__ import annotations

import time
import warnings
from html import escape
from typing import Any

from autograder.drills.deck.model import AnswerError, Mark, Question
from autograder.drills.deck.topics import all_topics
from autograder.drills.faces.terminal import help_of
from autograder.drills.faces.words import refusal, say
from autograder.drills.learning.sitting import AnsweredElsewhereError, Sitting, UnknownFormError
from simt.text.notebook import OPEN_CODE

STYLE = "max-width:52em;line-height:1.5;font-family:system-ui,sans-serif;font-size:14px"
COLOURS = {"right": "#1a7f5a", "partly": "#b45309", "wrong": "#b91c1c"}


class DrillWidget:
    """A sitting on the page. `box` is what to display; it is rebuilt as the sitting goes on."""

    def __init__(self, sitting: Sitting):
        import ipywidgets

        self.make = ipywidgets
        self.sitting = sitting
        self.language = sitting.language
        self.box = ipywidgets.VBox(layout={"max_width": "54em"})
        self.box.add_class("warpbook-drill")
        self._began = time.monotonic()
        self._answered: Question | None = None  # the question that was marked last
        self.put()

    def put(self, *_event: Any) -> None:
        """Show the question that is next, or how it went."""
        question = self.sitting.current()
        if question is None:
            self.box.children = [self._html(self._summary())]
            return
        self._began = time.monotonic()
        parts = [self._html(self._head(question))]
        if question.code:
            parts.append(self._html(code(question)))
        parts += [self._html(f"<i>{self._say('help_' + help_of(question))}</i>"), *self._entry(question)]
        self.box.children = parts

    def _entry(self, question: Question) -> list:
        """Boxes and buttons for an answer."""
        skip = self._button("skip", lambda _: self._skip(question))
        if question.entry == "ticks":
            said = self.make.Textarea(layout={"width": "52em", "height": "5em"})
            show = self._button("show_points", lambda _: self._tick(question))
            return [said, self.make.HBox([show, skip])]
        if question.entry == "place":
            line = self.make.BoundedIntText(value=0, min=0, max=9999, layout={"width": "8em"})
            kind = self.make.Dropdown(
                options=[(name, chr(ord("a") + number)) for number, name in enumerate(question.choices)]
            )
            send = self._button("send", lambda _: self._send(question, f"{line.value or ''} {kind.value}"))
            return [self.make.HBox([line, kind, send, skip])]
        if question.entry == "code":
            area = self.make.Textarea(
                value=self.sitting.draft or (question.code if question.card.kind == "write" else ""),
                layout={"width": "52em", "height": "16em"},
                continuous_update=False,
            )
            area.observe(lambda change: self._keep(question, change["new"]), "value")
            area.style.font_family = "monospace"
            send = self._button("send", lambda _: self._send(question, area.value))
            return [area, self.make.HBox([send, skip])]
        field = self.make.Text(layout={"width": "16em"})
        with warnings.catch_warnings():  # what ipywidgets advises instead also sends when the box is left
            warnings.simplefilter("ignore", DeprecationWarning)
            field.on_submit(lambda _: self._send(question, field.value))
        send = self._button("send", lambda _: self._send(question, field.value))
        return [self.make.HBox([field, self._html(escape(question.unit)), send, skip])]

    def _tick(self, question: Question) -> None:
        """The model answer, its points as boxes to tick."""
        seconds = time.monotonic() - self._began
        boxes = [
            self.make.Checkbox(value=False, description=point, indent=False, layout={"width": "52em"})
            for point in question.reveal
        ]

        def send(_event: Any) -> None:
            ticked = " ".join(str(number) for number, box in enumerate(boxes, 1) if box.value) or "0"
            self._send(question, ticked, seconds)

        head = self._html(self._head(question) + f"<p><b>{self._say('points')}</b></p>")
        self.box.children = [head, *boxes, self._button("send", send)]

    def _compare(self, question: Question, typed: str, seconds: float, mark: Mark) -> None:
        """Code in an unknown form beside the accepted one, and two buttons."""
        both = f"{OPEN_CODE}{escape(typed)}</pre>{OPEN_CODE}{escape(mark.truth)}</pre><p>{self._say('same')}</p>"
        buttons = [
            self._button(name, lambda _, same=same: self._send(question, typed, seconds, same))
            for name, same in (("same", True), ("other", False))
        ]
        self.box.children = [self._html(self._head(question) + both), self.make.HBox(buttons)]

    def _send(self, question: Question, typed: str, seconds: float | None = None, same: bool | None = None) -> None:
        """Mark it and show the mark, or say how to write it. What leaving a box sent, a button sends no more."""
        if question is self._answered:
            return
        if self.sitting.current() is not question:  # another window has brought the sitting further
            self.put()
            return
        taken = time.monotonic() - self._began if seconds is None else seconds
        try:
            mark = self.sitting.answer(typed, taken, same)
        except UnknownFormError as error:
            self._compare(question, typed, taken, error.mark)
            return
        except AnsweredElsewhereError:
            self.put()
            return
        except AnswerError as error:
            told = self._html(f"<b>{escape(refusal(error, self.language))}</b>")
            self.box.children = [child for child in self.box.children if not getattr(child, "told", False)] + [told]
            told.told = True
            return
        self._answered = question
        follow = self._button("next", self.put)
        self.box.children = [self._html(self._head(question) + self._marked(question, mark)), follow]

    def _keep(self, question: Question, typed: str) -> None:
        """Keep code that was typed, once the box is left."""
        if question is not self._answered and self.sitting.current() is question:
            self.sitting.keep_draft(typed)

    def _skip(self, question: Question) -> None:
        """By, to the next; a click that comes after the card was answered passes no other card by."""
        if self.sitting.current() is question:
            self.sitting.skip()
        self.put()

    def _head(self, question: Question) -> str:
        topic = all_topics()[question.card.topic]
        total = len(self.sitting.queue)
        number = min(self.sitting.place + 1, total)
        place = self._say("card", number=number, count=total)
        said = escape(question.ask).replace("\n", "<br>")
        name = escape(f"{topic.id} {topic.name(self.language)}")
        return (
            f'<div style="color:#777">{place} · {name} · {self._say("kind_" + question.card.kind)}</div><p>{said}</p>'
        )

    def _marked(self, question: Question, mark: Mark) -> str:
        """What an answer earned."""
        word = "right" if mark.right else "partly" if mark.score > 0 else "wrong"
        said = self._say(word, percent=round(100 * mark.score)) if word == "partly" else self._say(word)
        read = f" <i>{self._say('read_as', read=mark.read)}</i>" if mark.read else ""
        parts = [f'<p style="color:{COLOURS[word]}"><b>{said}</b>{read}</p>']
        if question.entry == "code":
            parts.append(f"{OPEN_CODE}{escape(mark.truth)}</pre>")
        elif question.entry != "ticks":
            parts.append(f"<p><b>{self._say('answer')}</b> {escape(mark.truth)}</p>")
        for name, text in (("why", mark.why), ("weak", mark.weak), ("then", mark.then), ("reply", mark.reply)):
            if text:
                parts.append(f"<p><b>{self._say(name)}</b> {escape(text)}</p>")
        if mark.verdict:
            parts.append(f"<pre>{escape(mark.verdict)}</pre>")
        parts.append(
            f'<p style="color:#777">{self._say("source")}: {escape(question.card.source_in(self.language))}</p>'
        )
        return "".join(parts)

    def _summary(self) -> str:
        scores = self.sitting.scores
        if not self.sitting.queue:
            return f"<p>{self._say('nothing')}</p>"
        percent = round(100 * sum(scores) / len(scores)) if scores else 0
        return f"<p><b>{self._say('done', count=len(scores), percent=percent)}</b></p>"

    def _say(self, name: str, **values: Any) -> str:
        return escape(say(name, self.language, **values))

    def _html(self, text: str):
        return self.make.HTML(f'<div style="{STYLE}">{text}</div>')

    def _button(self, name: str, action):
        button = self.make.Button(description=say(f"button_{name}", self.language))
        button.on_click(action)
        return button


def code(question: Question) -> str:
    """Source as HTML, with line numbers where a learner has to name one."""
    lines = question.code_with_numbers.rstrip("\n")
    return f'<div style="background:#8881">{OPEN_CODE}{escape(lines)}</pre></div>'
