"""Tells a race: what the two threads do to which element, why nothing orders them, and the one thing to change."""

from __future__ import annotations

from dataclasses import dataclass, field

from simt.analyses.wording import block_text, element_text, sentence, thread_text, unravel
from simt.events import ArrayInfo, Finding, Launch, Site

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
    previous turn of a loop, "same" when both belong to one statement.
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
    locked: str = ""  # what is missing: the "fence" or "atomic" of a lock, or the fence before a "counter"
    guess: bool = False  # a load whose value a compare-and-swap of the same thread compares afterwards
    read_line: int = 0  # both threads read the element here and write it back at the line of their stores
    updates: int = 0  # how often the element, or others through the same expression, were updated without an atomic
    lost: int = 0  # how many of these the worst order of threads loses

    @property
    def lost_update(self) -> bool:
        """Both threads change the element through one expression, as in `hist[b] += 1`.

        Not so when they do it in different turns of a loop: there a barrier between the turns is what is missing.
        """
        first, second = self.earlier, self.later
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
        """The line that writes first; one line only when both accesses are on it. Of an update, the line that reads."""
        if self.read_line:
            return self.read_line, self.later.site.line
        writer, other = (self.later, self.earlier) if self.hazard == "WAR" else (self.earlier, self.later)
        return tuple(dict.fromkeys((writer.site.line, other.site.line)))

    def finding(self) -> Finding:
        """The race as a finding, or as a note when its outcome is defined after all."""
        parties = (self.earlier, self.later)
        return Finding(
            kind="race",
            message=sentence(_message(self)) + _shared_memory(self),
            lines=self.lines,
            threads=tuple(unravel(party.thread, self.launch.block) for party in parties),
            blocks=tuple(unravel(party.block, self.launch.grid) for party in parties),
            array=self.array.name,
            remedy="" if self.harmless else _remedy(self),
            count=self.count,
            detail={
                "index": self.array.index_of(self.cell),
                "shape": self.array.shape,
                "scope": self.scope,
                "space": self.array.space,
                "hazard": self.hazard,
                "hazards": tuple(sorted(self.hazards | {self.hazard})),
                "turn": self.turn,
                "fenced": self.fenced,
                "lost_update": self.lost_update,
                "updates": self.updates if self.lost_update else 0,
                "lost": self.lost if self.lost_update else 0,
                "who": _names(self),
                "accesses": tuple((party.site.line, party.site.text, party.kind) for party in parties),
            },
            note=self.harmless,
        )


def _shared_memory(race: Race) -> str:
    """Where both threads know the element by different names."""
    one, two = race.earlier.array, race.later.array
    return f" The names {one} and {two} stand for the same memory." if one and two and one != two else ""


def _names(race: Race) -> tuple[str, str]:
    """Both threads, the block named once when it is the same one."""
    first, second = race.earlier, race.later
    one, two = thread_text(race.launch, first.thread), thread_text(race.launch, second.thread)
    one = f"{one} of {block_text(race.launch, first.block)}"
    if first.block != second.block:
        two = f"{two} of {block_text(race.launch, second.block)}"
    return one, two


def _verb(party: Party, late_write: bool = False) -> str:
    if party.kind == "load":
        return "reads"
    if party.kind == "atomic":
        return "atomically updates"
    return "overwrites" if late_write else "writes"


def _message(race: Race) -> str:
    one, two = _names(race)
    what = element_text(race.array, race.cell)
    first_line, second_line = race.earlier.site.line, race.later.site.line
    if race.read_line:
        return (
            f"{one} and {two} both read {what} at line {race.read_line} and write it back at line {second_line}: each "
            f"may read the old value, and then one update is lost{_how_many(race)}."
        )
    if race.same_value:
        return f"{one} and {two} both write {what} at {_lines_text(race)}; the same value, so it does no harm."
    if race.fenced or race.guess:
        verb, then = _verb(race.earlier), _verb(race.later)
        because = (
            "the threadfence and the atomics around them order the two"
            if race.fenced
            else "what is read is a guess, and the compare-and-swap looks again"
        )
        return f"{one} {verb} {what} at line {first_line} and {two} {then} it at line {second_line}; {because}."
    if race.lost_update:
        return (
            f"{one} and {two} both update {what} at line {first_line} without an atomic: each may read the old value, "
            f"and then one update is lost{_how_many(race)}."
        )
    if race.turn == "same" and race.hazard == "WAW":
        return f"{one} and {two} both write {what} at line {first_line}, with different values: either may stay."
    verb, late = _verb(race.earlier), _verb(race.later, race.hazard == "WAR")
    if race.turn == "same":
        return f"{one} {verb} {what} at line {first_line} while {two} {late} it in the same statement; {_why(race)}."
    if race.turn == "previous" and race.hazard == "WAR":
        where = f" at line {second_line}" if second_line != first_line else ""
        return (
            f"{one} {verb} {what} at line {first_line} while {two} {late} it{where} in the next turn of the loop; "
            f"{_why(race)}."
        )
    if race.turn == "previous":
        later, earlier = _names(race)[1], _names(race)[0]
        if race.earlier.block == race.later.block:
            later = f"{later} of {block_text(race.launch, race.later.block)}"
            earlier = thread_text(race.launch, race.earlier.thread)
        where = f" at line {first_line}" if second_line != first_line else ""
        return (
            f"{later} {late} {what} at line {second_line} while {earlier} {verb} it{where} in the previous turn of the "
            f"loop; {_why(race)}."
        )
    if first_line == second_line and race.hazard == "WAW":
        return f"{one} and {two} both write {what} at line {first_line} in no particular order: {_why(race)}."
    gap = "in no particular order: blocks run in any order" if race.scope == "grid" else "with no barrier between them"
    tail = "" if "atomic" not in (race.earlier.kind, race.later.kind) else "; an atomic only orders other atomics"
    return f"{one} {verb} {what} at line {first_line} and {two} {late} it at line {second_line} {gap}{tail}."


def _how_many(race: Race) -> str:
    return f": up to {race.lost:,} of {race.updates:,} in this launch" if race.lost else ""


def _why(race: Race) -> str:
    return "blocks run in any order" if race.scope == "grid" else "nothing orders them"


def _lines_text(race: Race) -> str:
    lines = sorted(race.lines)
    return f"line {lines[0]}" if len(lines) == 1 else f"lines {lines[0]} and {lines[1]}"


def _remedy(race: Race) -> str:
    if race.locked == "atomic":
        return (
            "Open the lock with an atomic, as in cuda.atomic.exch(lock, 0, 0): a plain store is not ordered with the "
            "atomics that take it."
        )
    if race.locked == "counter" and {race.earlier.kind, race.later.kind} == {"store", "load"}:
        line = race.earlier.site.line if race.earlier.kind == "store" else race.later.site.line
        return (
            f"If a counter tells who comes last, call cuda.threadfence() after line {line}, before the counter moves: "
            "it makes the store visible to all blocks, which threadfence_block does not. Without a counter, finish in "
            "a second launch: blocks cannot wait for each other."
        )
    if race.locked and race.locked != "counter":
        line = race.later.site.line if race.later.kind == "store" else race.earlier.site.line
        return (
            f"If a lock is held here, call cuda.threadfence() after line {line}, before it is given back: a lock alone "
            "does not make a store visible. Without one, use an atomic."
        )
    if race.lost_update:
        how = "Do both lines in one atomic" if race.read_line else "Use an atomic"
        return f"{how}, such as cuda.atomic.add({race.array.name}, index, value), or let one thread own the element."
    if race.scope == "grid":
        return _remedy_between_blocks(race)
    if race.turn == "same" and race.hazard == "WAW":
        return "Let one thread write the element, or give each thread an element of its own."
    one_warp = race.warp_idiom or race.earlier.one_warp and race.later.one_warp
    barrier = "cuda.syncwarp()" if race.scope == "warp" and one_warp else "cuda.syncthreads()"
    if race.turn == "same":
        return f"Read into a variable, then {barrier}, then write: nobody may overwrite what others still need."
    return f"Put {barrier} {_where(race)}" + (_enough(race) if barrier == "cuda.syncthreads()" else "")


def _where(race: Race) -> str:
    line = race.earlier.site.line
    if race.turn == "previous" and race.hazard == "WAR":
        return f"after the reads at line {line}, before the loop goes round, where every thread arrives."
    if (loop := _loop_before(race)) is not None:
        return (
            f"after line {loop[1]}, once the loop of line {loop[0]} has ended, outside any if, so that "
            "every thread arrives."
        )
    if race.earlier.whole and race.later.whole:
        return f"after line {line}, where every thread arrives."
    return f"after line {line}, outside the if, so that every thread arrives."


def _enough(race: Race) -> str:
    """A block of several warps whose threads only meet others of their own warp could do with less."""
    lone = race.scope != "warp" or race.launch.warps_per_block == 1
    return "" if lone else " Both threads are in one warp here, so cuda.syncwarp() would do."


def _loop_before(race: Race) -> tuple[int, int] | None:
    """(first, last) line of the widest loop that the earlier access is in and the later one comes after; or None."""
    if race.turn or race.earlier.site.function != race.later.site.function:
        return None
    return next((loop for loop in race.earlier.site.loops if race.later.site.line > loop[1]), None)


def _remedy_between_blocks(race: Race) -> str:
    kinds = {race.earlier.kind, race.later.kind}
    if kinds == {"atomic", "load"}:
        return (
            "Read it after this launch, on the host or in the next kernel: no block knows when the others have done "
            "their updates."
        )
    if kinds == {"atomic", "store"}:
        return "Let the host, or a launch before this one, write the first value: no block can wait for another."
    if race.hazard == "WAW":
        return "Give each block elements of its own, or combine the values with an atomic."
    return (
        "Blocks cannot wait for each other with syncthreads: do the second step in a second kernel launch, "
        "or use an atomic."
    )
