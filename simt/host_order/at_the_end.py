"""What is told of host code when it has come to its end, and not while it runs."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from simt.cuda_api.host_events import listening
from simt.events import Finding
from simt.host_order.outdated import Outdated
from simt.host_order.pageable import notes_on_copies
from simt.host_order.same_again import SameAgain
from simt.host_order.unread import Unread
from simt.host_order.watch import HostOrder


class AtTheEnd:
    """Listens beside a HostOrder."""

    def __init__(self, order: HostOrder) -> None:
        self._order = order
        self._unread, self._outdated, self._same_again = Unread(order.touched), Outdated(order.touched), SameAgain()

    @contextlib.contextmanager
    def listens(self) -> Iterator[None]:
        """While the block runs, and the HostOrder listens."""
        with listening(self._unread), listening(self._outdated), listening(self._same_again):
            yield

    def notes(self) -> list[Finding]:
        """Everything that there is to tell."""
        same_again, self._same_again.notes = self._same_again.notes, []
        return [*self._unread.notes(), *self._outdated.notes(), *same_again, *notes_on_copies(self._order.steps)]
