"""Tells a race: what the two threads do to which element, and why nothing orders them."""

from __future__ import annotations

from simt.analyses.races.race import Party, Race
from simt.analyses.races.remedies import remedy_of
from simt.analyses.wording import block_text, element_text, sentence, thread_text, unravel
from simt.events import Finding


def finding_of(race: Race) -> Finding:
    """The race as a finding, or as a note when its outcome is defined after all."""
    parties = (race.earlier, race.later)
    return Finding(
        kind="race",
        message=sentence(_message(race)) + _shared_memory(race),
        lines=race.lines,
        threads=tuple(unravel(party.thread, race.launch.block) for party in parties),
        blocks=tuple(unravel(party.block, race.launch.grid) for party in parties),
        array=race.array.name,
        remedy="" if race.harmless else remedy_of(race),
        count=race.count,
        detail={
            "index": race.array.index_of(race.cell),
            "shape": race.array.shape,
            "scope": race.scope,
            "space": race.array.space,
            "hazard": race.hazard,
            "hazards": tuple(sorted(race.hazards | {race.hazard})),
            "turn": race.turn,
            "fenced": race.fenced,
            "lost_update": race.lost_update,
            "updates": race.updates if race.lost_update else 0,
            "lost": race.lost if race.lost_update else 0,
            "who": _names(race),
            "functions": tuple((party.site.function, party.site.line) for party in parties),
            "function": next((one.site.function for one in parties if one.site.line == race.lines[0]), ""),
            "accesses": tuple((party.site.line, party.site.text, party.kind) for party in parties),
        },
        note=race.harmless,
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
        return "atomically reads" if "load" in party.site.text.partition("(")[0] else "atomically updates"
    return "overwrites" if late_write else "writes"


def _message(race: Race) -> str:
    return _well_known(race) or _as_seen(race)


def _well_known(race: Race) -> str:
    """A race that has a name of its own, as a lost update has, or that does no harm; "" for any other."""
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
    return ""


def _as_seen(race: Race) -> str:
    """Who reads and who writes, in the order in which the interpreter saw them, and why nothing orders the two."""
    if race.turn == "previous":
        return _across_turns(race)
    one, two = _names(race)
    if race.locked == "first fence":
        return (
            f"{two} takes the lock at line {race.lock_line} and reads {element_text(race.array, race.cell)} at line "
            f"{race.later.site.line} with no fence between the two: it may still read what was there before {one} "
            f"wrote it at line {race.earlier.site.line}."
        )
    what = element_text(race.array, race.cell)
    first_line, second_line = race.earlier.site.line, race.later.site.line
    if race.locked == "lent first fence":
        return (
            f"{two} reads {what} at line {second_line}, and its block took the lock at line {race.lock_line} with no "
            f"fence behind it: what is read may still be what was there before {one} wrote it at line {first_line}."
        )
    verb, late = _verb(race.earlier), _verb(race.later, race.hazard == "WAR")
    if race.turn == "same":
        if race.hazard == "WAW":
            return f"{one} and {two} both write {what} at line {first_line}, with different values: either may stay."
        return f"{one} {verb} {what} at line {first_line} while {two} {late} it in the same statement; {_why(race)}."
    if first_line == second_line and race.hazard == "WAW":
        return f"{one} and {two} both write {what} at line {first_line} in no particular order: {_why(race)}."
    gap = "in no particular order: blocks run in any order" if race.scope == "grid" else "with no barrier between them"
    tail = "" if "atomic" not in (race.earlier.kind, race.later.kind) else "; an atomic only orders other atomics"
    return f"{one} {verb} {what} at line {first_line} and {two} {late} it at line {second_line} {gap}{tail}."


def _across_turns(race: Race) -> str:
    """The same of two iterations of a loop."""
    one, two = _names(race)
    what = element_text(race.array, race.cell)
    first_line, second_line = race.earlier.site.line, race.later.site.line
    verb, late = _verb(race.earlier), _verb(race.later, race.hazard == "WAR")
    if race.hazard == "WAR":
        where = f" at line {second_line}" if second_line != first_line else ""
        return (
            f"{one} {verb} {what} at line {first_line} while {two} {late} it{where} in the next iteration of the loop; "
            f"{_why(race)}."
        )
    if race.earlier.block == race.later.block:
        two = f"{two} of {block_text(race.launch, race.later.block)}"
        one = thread_text(race.launch, race.earlier.thread)
    where = f" at line {first_line}" if second_line != first_line else ""
    return (
        f"{two} {late} {what} at line {second_line} while {one} {verb} it{where} in the previous iteration of the "
        f"loop; {_why(race)}."
    )


def _how_many(race: Race) -> str:
    return f": up to {race.lost:,} of {race.updates:,} in this launch" if race.lost else ""


def _why(race: Race) -> str:
    return "blocks run in any order" if race.scope == "grid" else "nothing orders them"


def _lines_text(race: Race) -> str:
    lines = sorted(race.lines)
    return f"line {lines[0]}" if len(lines) == 1 else f"lines {lines[0]} and {lines[1]}"
