"""Which tactics readers have registered in this process, and what the builder and the runtime ask of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from minitrt.graph.ir import OWN_LAYOUTS, Op
from minitrt.tactics.contract import Device, Launch, Tactic
from minitrt.tactics.own.tactic import EXTRAS, MARK, Format, OwnTactic, asked, calls_of, checked_name, layouts_of


@dataclass(frozen=True)
class Entry:
    """One registered tactic. full_name: with the digest of its text; only: whether it runs alone what it supports."""

    tactic: OwnTactic
    full_name: str
    only: bool


ENTRIES: dict[str, Entry] = {}  # by name, in the order in which they are asked
FORMATS: dict[str, Format] = {}  # by name; they stay, since engines that are loaded ask for sizes


class NotRegistered(ValueError):
    """A plan's tactic that this process does not have. Attribute: tactic, its name."""

    def __init__(self, tactic: str, problem: str) -> None:
        super().__init__(problem)
        self.tactic = tactic


def register(tactic: OwnTactic, only: bool = False) -> OwnTactic:
    """Let builds ask a tactic from now on; a name that is registered already is replaced. Returns the tactic.

    only: take nothing else for what it supports, also where something else is faster.
    Raises: TacticError, TypeError.
    """
    from minitrt.kernels.text import digest_of

    name = checked_name(tactic)
    text = digest_of(type(tactic), vars(tactic), [[f.name, f.stored_shape, f.pack] for f in tactic.formats])
    for brought in tactic.formats:
        FORMATS[brought.name] = brought
        OWN_LAYOUTS[brought.name] = brought.stored_shape
    ENTRIES[name] = Entry(tactic, f"{name}{MARK}{text}", only)
    return tactic


def unregister(tactic: OwnTactic | str) -> None:
    """Let no build ask it any more. Raises: KeyError for a name that is not registered."""
    name = tactic if isinstance(tactic, str) else tactic.name
    if name not in ENTRIES:
        raise KeyError(f"no tactic {name!r} is registered; there are {', '.join(ENTRIES) or 'none'}")
    del ENTRIES[name]


@contextmanager
def using(*tactics: OwnTactic, only: bool = False) -> Iterator[None]:
    """Registered while the block runs; afterwards everything is as it was before."""
    before = dict(ENTRIES)
    try:
        for tactic in tactics:
            register(tactic, only)
        yield
    finally:
        ENTRIES.clear()
        ENTRIES.update(before)


def registered() -> list[str]:
    """Names, in the order in which they are asked."""
    return list(ENTRIES)


def willing(op: Op) -> list[Entry]:
    """Those that support an operation. Raises: TacticError."""
    extras = [name for name in EXTRAS if op.attrs.get(name)]
    able = [entry for entry in ENTRIES.values() if all(extra in entry.tactic.fusions for extra in extras)]
    return [entry for entry in able if asked(entry.tactic, "supports", op)]


def candidates(op: Op, device: Device | None) -> list[Tactic]:
    """A tactic of the builder for each that supports an operation. Without a device nothing is launched."""
    return [_tactic(entry, op, device) for entry in willing(op)]


def _tactic(entry: Entry, op: Op, device: Device | None) -> Tactic:
    inputs, outputs = layouts_of(entry.tactic, op)
    notes = {"own": True, "only": entry.only}
    if device is None:
        return Tactic(entry.full_name, _interpreted, inputs, outputs, notes=notes)
    from minitrt.tactics.own.lowering import launches_of, places

    calls = calls_of(entry.tactic, op)
    return Tactic(
        name=entry.full_name,
        make=partial(launches_of, tactic=entry.tactic),
        inputs=inputs,
        outputs=outputs,
        workspace_bytes=places(calls)[1],
        shared_bytes=max(call.shared_bytes for call in calls),
        notes=notes,
    )


def _interpreted(op: Op) -> list[Launch]:
    """Without a device the kernels are run from the tactic itself (`interpreted.py`)."""
    return []


def takes(op: Op, device: Device | None) -> bool:
    """Whether a registered tactic will run an operation whatever else there is: no fusion may swallow it then."""
    return any(entry.only or device is None for entry in willing(op))


def is_own(full_name: str) -> bool:
    """Whether a plan's name of a tactic is one of a reader's."""
    return MARK in full_name


def named(full_name: str) -> OwnTactic:
    """The registered tactic that a plan names. Raises: NotRegistered."""
    name, _, text = full_name.partition(MARK)
    entry = ENTRIES.get(name)
    if entry is None:
        there = f"registered are {', '.join(ENTRIES)}" if ENTRIES else "none is registered"
        problem = f"the engine was built with tactic {name!r}, which is not registered here ({there})."
        raise NotRegistered(name, f"{problem} Call minitrt.tactics.register with it first.")
    if entry.full_name != full_name:
        have = entry.full_name.partition(MARK)[2]
        problem = f"the engine was built with tactic {name!r} of text {text}, and the one registered here has {have}."
        raise NotRegistered(name, f"{problem} Register the one of then, or build the engine again.")
    return entry.tactic


def check_registered(full_names: Iterable[str]) -> None:
    """Raises: NotRegistered for the first name of a reader's tactic that is not here."""
    for full_name in dict.fromkeys(full_names):
        if is_own(full_name):
            named(full_name)
