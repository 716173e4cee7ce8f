"""Is a number stored in an element that cannot hold it?"""

from __future__ import annotations

from dataclasses import replace

from simt.analyses.findings import FindingBook, by_thread
from simt.events import Finding, Launch, Listener, Narrowed

WIDER = (
    "Add up in a variable, which is wider, and store the result once; or give {array} a wider type. Where it is to "
    "wrap round, all is well."
)
AS_FLOATS = "Make {array} an array of floats, or scale and round the number before it is stored."
SIGNED = (
    "Unsigned integers are never below 0: convert before the difference is taken, as in np.int64(a) - np.int64(b), or "
    "use arrays of signed integers or of floats."
)
LARGER = "The largest float16 is 65,504: add up in a float32, or scale the numbers down."


class TooNarrow(Listener):
    """One note for each line and array, and reason."""

    def __init__(self) -> None:
        self.book = FindingBook()
        self._cut: dict[tuple, Finding] = {}  # that became 0, where nothing else was stored
        self._kept: set[tuple] = set()

    def narrowed(self, event: Narrowed) -> None:
        key = event.site.function, event.site.line, event.array.name, event.why
        if event.why == "fraction":
            self._fractions(key, event)
        elif key in self.book:
            self.book.count(key, len(event.lanes))
        else:
            self.book.add(key, _note(event))

    def _fractions(self, key: tuple, event: Narrowed) -> None:
        """A rounding that is meant leaves something of some number: only where it never does, it is a mistake."""
        if event.kept or key in self._kept:
            self._kept.add(key)
            self._cut.pop(key, None)
        elif key in self._cut:
            self._cut[key] = replace(self._cut[key], count=self._cut[key].count + len(event.lanes))
        else:
            self._cut[key] = _note(event)

    def launch_ends(self, launch: Launch) -> None:
        for key, finding in self._cut.items():
            self.book.add(key, finding)


def _note(event: Narrowed) -> Finding:
    site, array, lanes = event.site, event.array, event.lanes
    into = f"at line {site.line} in an element of {array.name}, whose type is {array.dtype}"
    says, remedy = {
        "size": (f"stores {event.value} {into}: it does not fit, and {event.stored} is what stays.", WIDER),
        "fraction": (
            f"stores {event.value} {into}: the fraction is cut, and 0 is what stays. So it is with every number that "
            "this line stores in this launch.",
            AS_FLOATS,
        ),
        "unsigned": (
            f"stores {event.value} {into}. It is a difference below 0 of unsigned integers, which begins again at the "
            "top of uint64.",
            SIGNED,
        ),
        "infinite": (f"stores {event.value} {into}: it does not fit, and {event.stored} is what stays.", LARGER),
    }[event.why]
    parts = {"lines": (site.line,), "array": array.name, "count": len(lanes), "detail": {"function": site.function}}
    return by_thread(lanes, 0, says, kind="narrowed", remedy=remedy.format(array=array.name), note=True, **parts)
