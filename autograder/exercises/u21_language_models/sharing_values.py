"""Inputs, oracle and cases of unit 21 for many texts in one batch, which begin and end at different times."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from autograder.contract import Argument, Case, Sizes, Values
from autograder.exercises.u21_language_models.cache_values import PAGE

SHARING_ARGUMENTS = (
    Argument("arrivals", "in", "int64", "(n_texts,)", "the step at which each text is there; it never falls"),
    Argument(
        "lengths", "in", "int64", "(n_texts, 2)", "places of its prompt, and tokens that it will write, 1 or more"
    ),
    Argument("n_slots", "scalar", "int64", "", "texts that a step has room for"),
    Argument("n_pages", "scalar", "int64", "", "pages of 16 places, as many as the longest text needs at least"),
    Argument("begins", "out", "int64", "(n_texts,)", "the step in which each text writes its first token"),
    Argument("slots", "out", "int64", "(n_texts,)", "its place in the batch, from 0 on"),
)


def crowd(n_texts: int, n_slots: int) -> dict[str, int]:
    """Sizes of a service."""
    return {"n_texts": n_texts, "n_slots": n_slots}


SHARING_CASES = tuple(
    Case(crowd(*sizes), trace=False) for sizes in ((14, 3), (1, 1), (21, 2), (9, 9), (41, 4), (120, 7))
)


@dataclass(frozen=True)
class Rules:
    """What of the rules is followed; all of them, for a right answer."""

    arrivals: bool = True
    in_order: bool = True  # nobody begins before who came earlier
    at_any_time: bool = True  # False: only when all others have ended
    pages: bool = True
    whole: bool = True  # pages for what will be written, not for the prompt alone
    upwards: bool = True  # a page that is begun counts
    lowest: bool = True  # free slot
    late: int = 0  # steps that a slot and its pages stay taken after the last token


@dataclass
class _Service:
    """Who runs, by slot, while texts begin one after the other."""

    values: Values
    rules: Rules
    running: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        n = len(self.values["arrivals"])
        self.begins, self.slots = np.zeros(n, np.int64), np.zeros(n, np.int64)
        places = self.values["lengths"].sum(axis=1) if self.rules.whole else self.values["lengths"][:, 0]
        self.pages = -(-places // PAGE) if self.rules.upwards else places // PAGE

    def end(self, text: int) -> int:
        """The first step at which its slot is free again."""
        return int(self.begins[text] + max(1, self.values["lengths"][text, 1])) + self.rules.late

    def may_begin(self, text: int, step: int) -> bool:
        """Whether there is room; alone, a text always has it."""
        if not self.running:
            return True
        if not self.rules.at_any_time and any(self.begins[other] < step for other in self.running.values()):
            return False
        used = sum(self.pages[other] for other in self.running.values()) + self.pages[text]
        return len(self.running) < self.values["n_slots"] and not (self.rules.pages and used > self.values["n_pages"])

    def begin(self, text: int, step: int) -> None:
        """A text takes a slot."""
        free = set(range(max(1, int(self.values["n_slots"])))) - self.running.keys()
        self.begins[text], self.slots[text] = step, min(free) if self.rules.lowest else max(free)
        self.running[int(self.slots[text])] = text


def shared(values: Values, rules: Rules = Rules()) -> dict:
    """begins and slots: from one step at which something changes to the next."""
    service, step = _Service(values, rules), 0
    arrivals = values["arrivals"] if rules.arrivals else np.zeros_like(values["arrivals"])
    waiting = list(range(len(arrivals)))
    while waiting:
        service.running = {slot: text for slot, text in service.running.items() if service.end(text) > step}
        for text in list(waiting):
            if arrivals[text] <= step and service.may_begin(text, step):
                service.begin(text, step)
                waiting.remove(text)
            elif rules.in_order:
                break
        changes = [service.end(text) for text in service.running.values()]
        step = min([*changes, *(int(arrivals[text]) for text in waiting if arrivals[text] > step)], default=step + 1)
    return {"begins": service.begins, "slots": service.slots}


def make_crowd(sizes: Sizes, kind: str, rng: np.random.Generator, most: int = 4, longest: int = 60) -> Values:
    """Texts that come one after the other, up to `most` steps apart, for whom neither slots nor pages are enough."""
    n, n_slots = sizes["n_texts"], sizes["n_slots"]
    lengths = np.stack([rng.integers(1, longest + 1, n), rng.integers(1, 25, n)], axis=1)
    arrivals = np.cumsum(rng.integers(0, most + 1, n))
    pages = -(-lengths.sum(axis=1) // PAGE)
    enough = max(int(1.5 * pages.max()), int(0.8 * n_slots * pages.mean()))
    return {
        "arrivals": arrivals.astype(np.int64),
        "lengths": lengths.astype(np.int64),
        "n_slots": np.int64(n_slots),
        "n_pages": np.int64(enough),
        "begins": np.zeros(n, np.int64),
        "slots": np.zeros(n, np.int64),
    }


def all_at_once(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Everybody is there before the first step."""
    return make_crowd(sizes, "exact", rng, most=0)


def far_apart(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Most texts come when nobody is there any more."""
    return make_crowd(sizes, "exact", rng, most=60)


def one_needs_all(sizes: Sizes, rng: np.random.Generator) -> Values:
    """A text for which all pages must be free, with short ones before and behind it."""
    values = make_crowd(sizes, "exact", rng, most=1)
    values["lengths"][len(values["lengths"]) // 2, 0] = PAGE * int(values["n_pages"]) - 24
    values["lengths"][len(values["lengths"]) // 2, 1] = 24
    return values
