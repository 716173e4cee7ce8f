"""A launch that does what one before it did, access by access, need not be looked at for races again.

Whether two accesses meet depends on who made them, where they fell and what stood between, and on nothing that memory
held. So where a launch met nothing, another with the same accesses in the same order meets nothing either. What each
does is written down as it happens; a launch that does anything else is told to `Races`, event by event, as ever.
"""

from __future__ import annotations

import hashlib
import marshal
from typing import Any

from simt.analyses.races import Races
from simt.events import Access, Lanes, Launch, Listener
from simt.programs.kept_events import SPACES, KeptEvents

MOST_KNOWN = 4096  # launches that are remembered
MOST_TRIES = 3  # of a kernel and its grid, without one that was known, until it is no longer tried


class HeardBefore:
    """What launches did in which no two accesses met, over a session."""

    def __init__(self) -> None:
        self.known: set[bytes] = set()
        self._tries: dict[tuple, int] = {}

    def is_worth_it(self, launch: Launch) -> bool:
        """Whether launches like this one have been alike so far."""
        return self._tries.get(_kind(launch), 0) < MOST_TRIES and len(self.known) < MOST_KNOWN

    def knows(self, launch: Launch, did: bytes) -> bool:
        """Whether one before did the same."""
        found = did in self.known
        self._tries[_kind(launch)] = 0 if found else self._tries.get(_kind(launch), 0) + 1
        return found


def _kind(launch: Launch) -> tuple:
    return launch.kernel, launch.grid, launch.block


class KeptForRaces(KeptEvents):
    """Keeps the events of one launch for `Races`, and for others, until it is clear who needs them.

    Atomics, copies and tiles change memory in ways that are not kept, so from the first of them on `Races` listens.
    """

    def __init__(self, races: Races, before: HeardBefore, *others: Listener) -> None:
        super().__init__(races, *others)
        self._races, self._before = races, before

    def launch_begins(self, launch: Launch) -> None:
        super().launch_begins(launch)
        if not self._before.is_worth_it(launch):
            self.heard_by(self._races)

    def launch_ends(self, launch: Launch) -> None:
        did = b""
        if self.is_waiting(self._races):
            did = self._what_it_did()
            if self._before.knows(launch, did):
                return
            self.heard_by(self._races)
        self._races.launch_ends(launch)
        if did and not self._races.met_any and not self._races.huge.remarks:
            self._before.known.add(did)

    def access(self, event: Access) -> None:
        if event.array.space in SPACES:
            if event.kind == "atomic" or event.kind == "store" and event.values is None:
                self.heard_by(self._races)
            self._keep("access", event, len(event.cells))

    def copy_begins(self, event: Access) -> None:
        self.heard_by(self._races)
        super().copy_begins(event)

    def tile_read(self, event: Access) -> None:
        self.heard_by(self._races)
        super().tile_read(event)

    def _what_it_did(self) -> bytes:
        """A digest of all that decides whether accesses meet."""
        digest, seen = hashlib.blake2b(digest_size=16), dict[int, int]()
        told: list[tuple] = []

        def who(lanes: Lanes) -> int:
            number = seen.setdefault(id(lanes), len(seen))
            if number == len(seen) - 1:
                digest.update(lanes.block.tobytes())
                digest.update(lanes.thread.tobytes())
            return number

        for name, event, _ in self.events:
            if name == "access":
                array = event.array
                told.append((event.site.id, event.kind, array.key, array.n_cells, event.each, who(event.lanes)))
                digest.update(event.cells.tobytes())
            elif name == "batch_begins":
                told.append((name, event.block_ids.tobytes()))
            elif name == "launch_begins":
                told.append(_shape(event))
            elif name in ("barrier", "fence", "warp_sync"):
                told.append((name, _orders(event), len(event.lanes), who(event.lanes)))
            elif name == "grid_sync":
                told.append((name,))
        digest.update(marshal.dumps(told, 2))
        return digest.digest()


def _shape(launch: Launch) -> tuple:
    arrays = tuple((one.key, one.name, one.n_cells, one.dtype.str) for one in launch.arguments)
    return (
        launch.kernel,
        launch.grid,
        launch.block,
        launch.dynamic_shared_bytes,
        arrays,
        tuple(sorted(launch.only_read)),
    )


def _orders(event: Any) -> Any:
    """What a barrier, a fence or a call of a warp orders."""
    return getattr(event, "scope", getattr(event, "orders_memory", True))
