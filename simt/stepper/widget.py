"""The steps as a widget in JupyterLab: a slider and buttons over the parts of `simt.stepper.html`.

ipywidgets is imported when something is shown and not before. The widget stands below the same step as
plain HTML, which hides itself while the widget lives and is what a saved notebook shows later.
"""

from __future__ import annotations

import importlib.util
import uuid
from typing import TYPE_CHECKING

from simt.stepper import html
from simt.text import notebook

if TYPE_CHECKING:
    from simt.stepper.model import Stepper

INSTALL = "To click through the steps, install ipywidgets (pip install ipywidgets) and reload the page."
AGAIN = "Run this cell again to click through the steps."
PLAY_MS = 700  # between two steps
PARTS = ("head", "source", "doings", "threads", "variables", "arrays")  # functions of simt.stepper.html
BUTTONS = (
    ("first", "fast-backward", "to the first step"),
    ("back", "step-backward", "one step back"),
    ("forward", "step-forward", "one step forward"),
    ("last", "fast-forward", "to the last step"),
)


def has_widgets() -> bool:
    """Whether ipywidgets is installed."""
    return importlib.util.find_spec("ipywidgets") is not None


def show(stepper: Stepper) -> None:
    """Show a stepper as well as this place can: a widget, HTML, or text with the methods to call."""
    if not notebook.in_notebook():
        print(repr(stepper))
        return
    key = f"wbs-{uuid.uuid4().hex}"
    live = has_widgets()
    saved = notebook.publish(saved_page(stepper, key, live), key)
    if live:
        notebook.show(View(stepper, key, saved).box)


def saved_page(stepper: Stepper, key: str, live: bool) -> dict[str, str]:
    """The step as a saved notebook shows it. key: id of the element; live: whether a widget stands below."""
    page = html.page(stepper, AGAIN if live else INSTALL)
    return {"text/plain": stepper.text(), "text/html": f"<div id='{key}'>{page}</div>"}


class View:
    """The widget of one stepper: `box`, an ipywidgets.VBox.

    key: id of the saved HTML, which the widget hides; saved: its display handle, which is kept up to date.
    """

    def __init__(self, stepper: Stepper, key: str = "", saved=None):
        import ipywidgets

        self._widgets, self._layout = ipywidgets, ipywidgets.Layout
        self.stepper, self._key, self._saved = stepper, key, saved
        self.parts = {name: ipywidgets.HTML() for name in PARTS}
        self.buttons = {name: self._button(*about) for name, *about in BUTTONS}
        self._make_choices()
        self.box = self._arranged()
        self._refresh()

    def _button(self, icon: str, tip: str):
        """A button with a picture; its tooltip says what it does."""
        return self._widgets.Button(icon=icon, tooltip=tip, layout=self._layout(width="3em"))

    def _make_choices(self) -> None:
        widgets, stepper = self._widgets, self.stepper
        count = len(stepper)
        self.slider = widgets.IntSlider(
            stepper.position + 1, 1, count, description="step", layout=self._layout(width="22em")
        )
        self.play = widgets.Play(value=self.slider.value, min=1, max=count, interval=PLAY_MS, show_repeat=False)
        widgets.jslink((self.play, "value"), (self.slider, "value"))
        numbers = sorted({step.line for step in stepper.steps})
        lines = [("go to line", 0), *((f"line {number}", number) for number in numbers)]
        self.line = widgets.Dropdown(options=lines, layout=self._layout(width="9em"))
        last = stepper.launch.threads_per_block - 1
        self.thread = widgets.BoundedIntText(
            stepper.thread, 0, last, description="thread", layout=self._layout(width="11em")
        )
        self.slider.observe(self._moved, "value")
        self.line.observe(self._line_chosen, "value")
        self.thread.observe(self._thread_chosen, "value")
        for name, button in self.buttons.items():
            button.on_click(lambda _, name=name: self._go(getattr(self.stepper, name)))

    def _arranged(self):
        widgets = self._widgets
        rows = self._layout(flex_flow="row wrap", align_items="flex-start", grid_gap="0 1.5em")
        controls = [*self.buttons.values(), self.play, self.slider, self.line, self.thread]
        left = widgets.VBox([self.parts["source"], self.parts["doings"]])
        right = widgets.VBox([self.parts["threads"], self.parts["variables"]])
        middle = widgets.HBox([left, right], layout=rows)
        bar = widgets.HBox(controls, layout=self._layout(flex_flow="row wrap"))
        box = widgets.VBox([self.parts["head"], bar, middle, self.parts["arrays"]])
        box.add_class("warpbook-stepper")
        return box

    def _go(self, move) -> None:
        """Move the stepper; the slider follows and has everything drawn."""
        self.slider.value = move().position + 1

    def _moved(self, change) -> None:
        self.stepper.to(change.new - 1)
        self._refresh()

    def _line_chosen(self, change) -> None:
        if change.new:
            self._go(lambda: self.stepper.to_line(change.new))
            self.line.value = 0

    def _thread_chosen(self, change) -> None:
        self.stepper.thread = change.new
        self._refresh()

    def _refresh(self) -> None:
        for name, part in self.parts.items():
            part.value = getattr(html, name)(self.stepper)
        hide = f"<style>#{self._key}{{display:none}}</style>" if self._key else ""
        self.parts["head"].value = html.STYLE + hide + html.head(self.stepper)
        if self._saved is not None and not self.play.playing:
            self._saved.update(saved_page(self.stepper, self._key, True), raw=True)
