"""The one thing to change about a race."""

from __future__ import annotations

import ast

from simt.analyses.races.race import Race
from simt.analyses.wording import block_text
from simt.source.updates import ASKED, CLAIM, STORED_BACK

OLD_VALUE = (
    "The condition may see an older value than the newest. A search that is repeated until nothing changes may: say so "
    "in a comment. Otherwise take what the atomic returns, or read in the next launch."
)
OF_A_COUNTER = ("counter", "unasked")
TOO_SOON_OR_LATE = ("earlier", "later")  # said of what a lock keeps; the lock itself is accessed before and after


def remedy_of(race: Race) -> str:
    """What to change, in a sentence or two."""
    if race.locked and (said := _of_lock(race)):
        return said
    updates = {race.earlier.site.update, race.later.site.update}
    if STORED_BACK in updates:
        return (
            f"Leave `{race.array.name}[...] =` out: the atomic changes the element itself, and what it returns is what "
            "was there before."
        )
    if race.lost_update or updates == {CLAIM}:
        return _by_atomic(race)
    if ASKED in updates and {race.earlier.kind, race.later.kind} == {"atomic", "load"}:
        return OLD_VALUE
    if race.scope == "grid":
        return _remedy_between_blocks(race)
    if race.hazard == "WAW" and (race.turn == "same" or _has_two_owners(race)):
        return "Let one thread write the element, or give each thread an element of its own."
    one_warp = race.warp_idiom or race.earlier.one_warp and race.later.one_warp
    barrier = "cuda.syncwarp()" if race.scope == "warp" and one_warp else "cuda.syncthreads()"
    if race.turn == "same" and race.array.space == "global":
        return _second_array("threads")
    if race.turn == "same":
        return f"Read into a variable, then {barrier}, then write: nobody may overwrite what others still need."
    return f"Put {barrier} {_where(race)}" + (_enough(race) if barrier == "cuda.syncthreads()" else "")


def _second_array(others: str) -> str:
    """others: "threads" or "blocks"."""
    return (
        f"Write the results into a second array: the line reads elements that other {others} change, before or after "
        "they do."
    )


def _by_atomic(race: Race) -> str:
    """The atomic that does what the lines do to the element."""
    atomic = race.later.site.update or race.earlier.site.update or "add"
    if atomic == "compare_and_swap":
        again = "No atomic does this in one: repeat cuda.atomic.cas until nobody came between"
        return f"{again}, or let one thread own the element."
    if atomic == "cas":
        claims = (
            f"cuda.atomic.cas({race.array.name}, index, old, new) looks and stores in one, and returns what it found"
        )
        return f"{claims}: whoever finds the old value has the element, and the others have not."
    how = "Do both lines in one atomic" if race.read_line else "Use an atomic"
    return f"{how}, such as cuda.atomic.{atomic}({_updated(race)}, index, value), or let one thread own the element."


def _updated(race: Race) -> str:
    """The array as an atomic takes it: of a field of a record, as in `cells[b].sum`, all records' field."""
    name, node = race.array.name, ast.parse(race.later.site.text or "x", mode="eval").body
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Subscript):
        return f'{name}["{node.attr}"]'
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Subscript):
        field = node.slice.value if isinstance(node.slice, ast.Constant) else None
        return f'{name}["{field}"]' if isinstance(field, str) else name
    return name


def _has_two_owners(race: Race) -> bool:
    """Whether one line, outside any loop, stores an element of a global array for two threads: a barrier between the
    two would let the later one win, and that is as wrong."""
    earlier, later = race.earlier.site, race.later.site
    return race.array.space == "global" and earlier.line == later.line and not race.turn and not later.loops


def _of_lock(race: Race) -> str:
    """What a lock lacks, or a counter that tells who comes last; "" where that is of no use."""
    first, last = sorted((race.read_line or race.earlier.site.line, race.later.site.line))
    writer, reader = (race.later, race.earlier) if race.later.kind == "store" else (race.earlier, race.later)
    kinds = {writer.kind, reader.kind}
    if race.locked in OF_A_COUNTER and kinds != {"store", "load"}:
        return ""
    if race.locked in TOO_SOON_OR_LATE and "atomic" in kinds:
        return ""
    return {
        "atomic": "Open the lock with an atomic, as in cuda.atomic.exch(lock, 0, 0): a plain store is not ordered with "
        "the atomics that take it.",
        "test": "A lock is taken here with its test the wrong way round: cas and exch return what they found, so "
        "whoever finds it open has it and goes on, and whoever finds it closed tries again.",
        "global": "A lock in shared memory is another one in every block, and keeps no other block out: take one in "
        "global memory.",
        "earlier": f"Line {first} comes before the lock is taken, and others may change {race.array.name} meanwhile: "
        "read it behind the lock and its fence.",
        "later": f"Line {last} comes after the lock is given back: give it back last, after a cuda.threadfence().",
        "first fence": f"Call cuda.threadfence() between line {race.lock_line}, which takes the lock, and line "
        f"{reader.site.line}: only behind it a thread reads what the last owner wrote.",
        "lent first fence": f"Let the thread that takes the lock at line {race.lock_line} call cuda.threadfence() "
        "then, before the barrier after which its block works: only so a block reads what the last owner wrote.",
        "block": "If one thread takes a lock for its block, the block has it from the next cuda.syncthreads() on, and "
        "another one must come before that thread fences and opens it.",
        "counter": f"If a counter tells who comes last, call cuda.threadfence() after line {writer.site.line}, before "
        "the counter moves: it makes the store visible to all blocks, which threadfence_block does not. Without a "
        "counter, finish in a second launch: blocks cannot wait for each other.",
        "unasked": f"Fences and a counter are there, and line {reader.site.line} does not ask the counter: it reads "
        f"what {block_text(race.launch, writer.block)} left, which counted after this block. Let only that block come "
        "to the line which drew the last number: what the atomic returned is then one less than the number of blocks.",
        "fence": f"If a lock is held here, call cuda.threadfence() after line {writer.site.line}, before it is given "
        "back: a lock alone does not make a store visible. Without one, use an atomic.",
    }[race.locked]


def _where(race: Race) -> str:
    line = race.earlier.site.line
    if race.turn == "previous" and race.hazard == "WAR":
        return f"after the reads at line {line}, before the loop goes round, where every thread arrives."
    if (loop := _loop_before(race)) is not None:
        return (
            f"after line {loop[1]}, once the loop of line {loop[0]} has ended, outside any if, so that "
            "every thread arrives."
        )
    if race.earlier.whole and race.later.whole or not race.earlier.site.below_if:
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
    if race.earlier.site.line == race.later.site.line and race.earlier.site.function == race.later.site.function:
        return f"{_second_array('blocks')} A next launch may read the second array and write the first." + _by_launches(
            race
        )
    if (read := _read_before(race)) is not None:
        return (
            "Write the new values to a second array, or in a second kernel launch: other blocks may still have to read "
            f"the old ones at line {read}."
        )
    return (
        "Blocks cannot wait for each other with syncthreads: do the second step in a second kernel launch, "
        f"or use an atomic.{_by_launches(race)}"
    )


def _read_before(race: Race) -> int | None:
    """The line that reads where it stands before the one that stores, and no loop repeats both; else None."""
    reader, writer = (one.site for one in sorted((race.earlier, race.later), key=lambda party: party.kind == "store"))
    if reader.function != writer.function or set(reader.loops) & set(writer.loops):
        return None
    return reader.line if reader.line < writer.line else None


def _by_launches(race: Race) -> str:
    """A sentence for two accesses in one loop, whose iterations may need each other."""
    shared = [loop for loop in race.earlier.site.loops if loop in race.later.site.loops]
    if not shared or race.earlier.site.function != race.later.site.function:
        return ""
    return (
        f" Where an iteration of the loop of line {shared[0][0]} needs what other blocks did in the one before, launch "
        "once for each iteration."
    )
