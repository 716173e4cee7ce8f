"""A race: two accesses of one element that nothing orders, and what is known about them."""

from __future__ import annotations

from dataclasses import dataclass, field

from simt.events import ArrayInfo, Launch, Site

SCOPES = ("warp", "block", "grid")  # from the narrowest to the widest


@dataclass(frozen=True)
class Party:
    """One side of a race. block: linear block id.

    whole: every thread of the block took part in that access; one_warp: only threads of its first warp did.
    """

    site: Site
    kind: str  # "load", "store" or "atomic"
    block: int
    thread: int
    whole: bool = True
    one_warp: bool = False
    array: str = ""  # the name it used for the memory


@dataclass
class Race:
    """Two accesses of one element that nothing orders. The interpreter saw `earlier` first; a GPU may not.

    hazard: "RAW", "WAR" or "WAW". turn: "" for straight-line code, "previous" when the earlier access belongs to the
    previous iteration of a loop, "same" when both belong to one statement.
    """

    launch: Launch
    array: ArrayInfo
    cell: int
    hazard: str
    scope: str
    earlier: Party
    later: Party
    turn: str = ""
    count: int = 1
    hazards: set[str] = field(default_factory=set)
    same_value: bool = False  # both store one and the same value: which thread wins does not matter
    warp_idiom: bool = False  # the kernel uses warp operations, so its author thinks in warps
    fenced: bool = False  # writer: threadfence, then an atomic; reader: an atomic first. The "last block" pattern
    locked: str = ""  # what a lock or a counter lacks: see `FenceLog.lock_held` and `Reports`
    lock_line: int = 0  # where the reader takes the lock whose first fence is missing
    guess: bool = False  # a load whose value a compare-and-swap of the same thread compares afterwards
    read_line: int = 0  # both threads read the element here and write it back at the line of their stores
    updates: int = 0  # how often the element, or others through the same expression, were updated without an atomic
    lost: int = 0  # how many of these the worst order of threads loses

    @property
    def lost_update(self) -> bool:
        """Both threads change the element through one expression, as in `hist[b] += 1`.

        Not so when they do it in different iterations of a loop: there a barrier between them is what is missing.
        """
        first, second = self.earlier, self.later
        if self.locked == "first fence":
            return False
        if self.read_line:
            return True
        if self.turn == "previous":
            return False
        if first.site.line != second.site.line or first.site.function != second.site.function:
            return False
        loads = "load" in (first.kind, second.kind) or self.hazards & {"RAW", "WAR"}
        return bool(loads) and first.site.text == second.site.text and "atomic" not in (first.kind, second.kind)

    @property
    def harmless(self) -> bool:
        """Whether its outcome is defined after all."""
        return (self.same_value or self.fenced or self.guess) and not self.read_line

    @property
    def lines(self) -> tuple[int, ...]:
        """The line that writes first; one line only when both accesses are on it.

        The line that reads comes first of an update, and in a lock where nothing orders it with its taking.
        """
        if self.read_line:
            return self.read_line, self.later.site.line
        writes_later = self.hazard == "WAR" or self.locked == "first fence"
        writer, other = (self.later, self.earlier) if writes_later else (self.earlier, self.later)
        return tuple(dict.fromkeys((writer.site.line, other.site.line)))
