"""What a learner reads about two operations that nothing orders."""

from __future__ import annotations

from collections.abc import Collection

from simt.events import Finding
from simt.host_order.clocks import DEFAULT_STREAM, HOST, Operation
from simt.host_order.memory import Conflict

EVERYTHING = "cuda.synchronize()"  # waits for all streams


def stream_name(operation: Operation) -> str:
    """The stream of an operation, as the source names it."""
    return str(operation.actor).partition("#")[0]


def finding_of(conflict: Conflict, shared: Collection[str] = ()) -> Finding:
    """A race between two operations of host code. shared: names that the source gave to several streams."""
    earlier, later, name = conflict.earlier, conflict.later, conflict.shadow.name
    may_still = f"{_noun(earlier)} of line {earlier.line} may still {'write' if conflict.earlier_writes else 'read'}"
    both = f"{_verb(conflict)} while {may_still} `{name}`" if name else f"{_verb(conflict)} that {may_still}"
    says = f"Line {later.line} {both}: nothing makes {_who_waits(later)} wait for {stream_name(earlier)}."
    hazard = f"{'write' if conflict.earlier_writes else 'read'}_{'write' if conflict.later_writes else 'read'}"
    return Finding(
        kind="race",
        message=says,
        lines=(later.line, earlier.line),
        array=conflict.shadow.name,
        remedy=_remedy(conflict, shared),
        count=conflict.n_units,
        detail={
            "scope": "host",
            "hazard": hazard,
            "space": conflict.shadow.space,
            "streams": (stream_name(earlier), stream_name(later)),
            "files": (later.file, earlier.file),
        },
    )


def left_while_copied(conflict: Conflict, shared: Collection[str] = ()) -> Finding:
    """A `with cuda.pinned(...)` or `with cuda.mapped(...)` that ends while a copy or a kernel is under way."""
    earlier, later, name = conflict.earlier, conflict.later, conflict.shadow.name or "an array"
    shadow = conflict.shadow
    ends = "unmapped" if shadow.space == "mapped" else "unpinned"
    return Finding(
        kind="race",
        message=f"`{name}` is {ends} at line {later.line} while {_noun(earlier)} of line {earlier.line} may still use "
        "it.",
        lines=(later.line, earlier.line),
        array=conflict.shadow.name,
        remedy=f"Wait inside the with block: call {_synchronize(earlier, shared)} before it ends.",
        detail={"scope": "host", "hazard": "unpinned", "space": shadow.space, "files": (later.file, earlier.file)},
    )


def returned_too_early(conflict: Conflict, name: str, shared: Collection[str] = (), alone: bool = True) -> Finding:
    """A result that a copy or a kernel may still write when the function returns. alone: no other stream writes it."""
    earlier = conflict.earlier
    return Finding(
        kind="race",
        message=f"The function returns while {_noun(earlier)} of line {earlier.line} may still write `{name}`.",
        lines=(earlier.line,),
        array=name,
        remedy=f"Wait before you return: {_synchronize(earlier, shared) if alone else EVERYTHING}.",
        detail={"scope": "host", "hazard": "returned", "space": conflict.shadow.space},
    )


def note_of(kind: str, message: str, remedy: str, line: int, file: str = "") -> Finding:
    """Something of a call that is worth knowing, and no mistake."""
    return Finding(kind, message, (line,), remedy=remedy, detail={"files": (file,)}, note=True)


def never_recorded(line: int, file: str = "") -> Finding:
    """An event that a stream waits for and nobody recorded."""
    return Finding(
        kind="race",
        message=f"Line {line} waits for an event that was not recorded yet: the wait ends at once and orders nothing.",
        lines=(line,),
        remedy="Record the event first, in the stream whose work is to be waited for: event.record(stream).",
        detail={"scope": "host", "hazard": "never_recorded", "files": (file,)},
    )


def time_asked_too_early(event: str, line: int, file: str = "") -> Finding:
    """The time between two events, asked for while the device may not have come to one of them."""
    name = event if " " in event else f"`{event}`"
    call = "event" if " " in event else event
    return Finding(
        kind="race",
        message=f"Line {line} asks for a time while {name} may not have happened yet: nothing made the host wait.",
        lines=(line,),
        remedy=f"Wait first: {call}.synchronize().",
        detail={"scope": "host", "hazard": "time_too_early", "files": (file,)},
    )


def time_without_mark(line: int, file: str = "") -> Finding:
    """The time between two events, one of which was never recorded."""
    return Finding(
        kind="race",
        message=f"Line {line} asks for the time between two events, and one of them was never recorded.",
        lines=(line,),
        remedy="Record both events, one before the work and one after it: event.record(stream).",
        detail={"scope": "host", "hazard": "never_recorded", "files": (file,)},
    )


def _verb(conflict: Conflict) -> str:
    """What the later operation does."""
    later = conflict.later
    name, comma = (f"`{conflict.shadow.name}`", ",") if conflict.shadow.name else ("memory", "")
    if later.actor == HOST or later.kind == "callback":
        return f"{'writes' if conflict.later_writes else 'reads'} {name}"
    if later.kind == "launch":
        return f"{later.says}, which {'writes' if conflict.later_writes else 'reads'} {name}{comma}"
    return f"copies {'into' if conflict.later_writes else 'from'} {name}"


def _noun(operation: Operation) -> str:
    """The earlier operation."""
    if operation.kind == "launch":
        return f"the kernel `{operation.says.removeprefix('runs ')}`"
    return {"copy": "the copy", "callback": "the callback"}.get(operation.kind, "the host code")


def _who_waits(operation: Operation) -> str:
    return "the host" if operation.actor == HOST else stream_name(operation)


def _synchronize(operation: Operation, shared: Collection[str]) -> str:
    """The call after which an operation is over: of its stream, where a name still stands for that one alone."""
    name = stream_name(operation)
    return EVERYTHING if name == DEFAULT_STREAM or " " in name or name in shared else f"{name}.synchronize()"


def _remedy(conflict: Conflict, shared: Collection[str]) -> str:
    earlier, later = conflict.earlier, conflict.later
    if later.actor == HOST:
        wait = f"all {_synchronize(earlier, shared)} before line {later.line}"
        if not conflict.earlier_writes and not conflict.earlier.kind == "copy":
            return f"C{wait}."
        if not conflict.earlier_writes:
            return (
                f"Let the host wait before line {later.line} until that copy is over: record an event right after line "
                f"{earlier.line}, and call its synchronize() here."
            )
        if conflict.later_writes:
            return (
                f"Where the host has elements of its own, let line {later.line} write only these. Where it changes "
                f"what line {earlier.line} brings, c{wait}."
            )
        return f"C{wait}."
    if later.kind == "callback":
        return "Add the callback to the stream that does the work."
    return (
        f"Record an event in {stream_name(earlier)} after line {earlier.line}, and let {stream_name(later)} "
        f"wait for it before line {later.line}; or put both into one stream."
    )
