"""Does a race come to the same in every order? Then it is worth a note, and no mistake.

Of each element that two threads fight over, every access is written down. Between two barriers, the result does not
depend on the order where all threads that store there leave the same value last; and what a thread reads does not,
where it stored before and nobody else ever stores another value. What a thread reads that only others store is never
settled so: that it was the same value may be an accident of this run's data. Nor are atomics.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby

import numpy as np

from simt.events import Access, Barrier, Batch, Finding, Lanes, Launch, Listener, Site
from simt.launching.geometry import volume

MOST_THREADS = 1 << 15  # of a launch that is looked at
MOST_LOADS = 256  # of an array that are kept until somebody stores there
MOST_CELLS, MOST_ENTRIES = 512, 1 << 16  # of one array that are written down
NOBODY = -1
SCOPES = ("warp", "block", "grid")  # of races between threads
SETTLED = "every order of these accesses leaves the same value and lets each thread read the same, so it does no harm"


@dataclass(frozen=True)
class Entry:
    """One access. epoch: how many barriers its block has passed; who: the thread, of the whole grid; value: bytes of
    what it stores, b"" for a load."""

    block: int
    epoch: int
    who: int
    kind: str
    value: bytes = b""


@dataclass
class Log:
    """What is known of one array, by element.

    stored, first, loaded: who stored last, and who loaded first and last, each with the epoch; several, abroad:
    whether others than the first loaded it, and others of another block; contested: whether threads fight over it.
    """

    n_cells: int
    stored: np.ndarray = field(init=False)
    first: np.ndarray = field(init=False)
    loaded: np.ndarray = field(init=False)
    several: np.ndarray = field(init=False)
    abroad: np.ndarray = field(init=False)
    contested: np.ndarray = field(init=False)
    entries: dict[int, list[Entry]] = field(default_factory=dict)
    n_entries: int = 0
    loads: list[tuple[np.ndarray, Lanes, np.ndarray]] = field(default_factory=list)  # as long as nobody has stored
    has_stores: bool = False
    has_loads: bool = False
    too_many: bool = False

    def __post_init__(self) -> None:
        self.stored, self.first, self.loaded = (np.full((2, self.n_cells), NOBODY, np.int64) for _ in range(3))
        self.several, self.abroad, self.contested = (np.zeros(self.n_cells, bool) for _ in range(3))


class AllOrders(Listener):
    """Listens to one launch."""

    hears_several = True

    def __init__(self) -> None:
        self._logs: dict[tuple, Log] = {}
        self._names: dict[tuple, str] = {}
        self._closed: set[str] = set()  # names of arrays of which nothing can be said
        self._small = False

    def launch_begins(self, launch: Launch) -> None:
        self._launch = launch
        self._small = volume(launch.grid) * launch.threads_per_block <= MOST_THREADS
        self._one_block = volume(launch.grid) == 1

    def batch_begins(self, batch: Batch) -> None:
        self._epochs = np.zeros(batch.n_blocks, np.int64)
        for key in [key for key in self._logs if key[0] == "shared"]:
            self._judge(key)

    def barrier(self, event: Barrier) -> None:
        self._epochs = self._epochs.copy()  # as it was, loads that are not looked at yet have it
        self._epochs[event.lanes.blocks] += 1

    def grid_sync(self, site: Site) -> None:
        for key in list(self._logs):
            self._judge(key)

    def copy_begins(self, event: Access) -> None:
        self._closed.add(event.array.name)

    tile_read = copy_begins

    def access(self, event: Access) -> None:
        array = event.array
        if not self._small or array.space not in ("shared", "global") or array.name in self._closed:
            return
        if array.memory or array.root or event.memory is None or event.memory.dtype.names or event.kind == "atomic":
            self._closed.add(array.name)
            return
        copies = event.lanes.batch.n_blocks if array.space == "shared" else 1
        log = self._logs.get(array.key)
        if log is None:
            log = self._logs[array.key] = Log(array.n_cells * copies)
            self._names[array.key] = array.name
        if log.too_many:
            return
        cells = event.cells + event.lanes.block * array.n_cells if copies > 1 else event.cells
        if event.kind == "load" and not log.has_stores:  # where nobody ever stores, nobody fights
            log.loads.append((cells, event.lanes, self._epochs))
            if len(log.loads) < MOST_LOADS:
                return
        for loaded, lanes, epochs in log.loads:
            self._load(log, loaded, lanes.global_thread, epochs[lanes.block])
        log.loads.clear()
        if log.has_stores or event.kind == "store":
            self._enter(event, log, cells)

    def _enter(self, event: Access, log: Log, cells: np.ndarray) -> None:
        who, epoch = event.lanes.global_thread, self._epochs[event.lanes.block]
        self._fight(event, log, cells, who, epoch)
        if event.kind == "load":
            self._load(log, cells, who, epoch)
            return
        log.has_stores = True
        log.stored[0, cells], log.stored[1, cells] = who, epoch

    def _load(self, log: Log, cells: np.ndarray, who: np.ndarray, epoch: np.ndarray) -> None:
        log.has_loads = True
        threads = self._launch.threads_per_block
        ordered = (log.first[0, cells] // threads == who // threads) & (log.first[1, cells] != epoch)
        anew = np.flatnonzero((log.first[0, cells] == NOBODY) | ordered)[::-1]  # of several lanes the first one stays
        log.first[0, cells[anew]], log.first[1, cells[anew]] = who[anew], epoch[anew]
        log.several[cells[anew]] = False
        log.several[cells[log.first[0, cells] != who]] = True
        log.abroad[cells[log.first[0, cells] // threads != who // threads]] = True
        log.loaded[0, cells], log.loaded[1, cells] = who, epoch

    def _fight(self, event: Access, log: Log, cells: np.ndarray, who: np.ndarray, epoch: np.ndarray) -> None:
        """Write down what the access does to elements that threads fight over, now or since before."""
        fought = self._meets(log.stored, cells, who, epoch) if log.has_stores else np.zeros(len(cells), bool)
        if event.kind == "store":
            fought |= _shared(cells)
        if event.kind == "store" and log.has_loads:
            fought |= self._meets(log.first, cells, who, epoch) | self._meets(log.loaded, cells, who, epoch)
            log.too_many |= bool((self._read_by_others(log, cells, who, epoch) & ~log.contested[cells]).any())
        if fought.any():
            self._begin(event, log, np.unique(cells[fought & ~log.contested[cells]]))
        if log.entries and log.contested[cells].any():
            self._write_down(event, log, cells, who, epoch)

    def _read_by_others(self, log: Log, cells: np.ndarray, who: np.ndarray, epoch: np.ndarray) -> np.ndarray:
        """(n,) whether several threads loaded an element that nobody had fought over, and nothing orders them with a
        store now: one of them reads what only others store, and not all of them are known."""
        threads = self._launch.threads_per_block
        apart = log.first[0, cells] // threads != who // threads
        return log.abroad[cells] | log.several[cells] & (apart | (log.first[1, cells] == epoch))

    def _meets(self, last: np.ndarray, cells: np.ndarray, who: np.ndarray, epoch: np.ndarray) -> np.ndarray:
        """(n,) whether another thread came to the element, and no barrier of its block lies between."""
        other, then = last[0, cells], last[1, cells]
        threads = self._launch.threads_per_block
        apart = (other // threads != who // threads) | (then == epoch)
        return (other != NOBODY) & (other != who) & apart

    def _begin(self, event: Access, log: Log, cells: np.ndarray) -> None:
        """Elements that are fought over from now on: what came before is entered as far as it is known."""
        assert event.memory is not None
        log.too_many |= len(log.entries) + len(cells) > MOST_CELLS
        if log.too_many:
            return
        threads = self._launch.threads_per_block
        for cell in map(int, cells):
            value, entries = event.memory[cell].tobytes(), []
            for kind, last in (("load", log.first), ("load", log.loaded), ("store", log.stored)):
                who, epoch = map(int, last[:, cell])
                if who != NOBODY:
                    entries.append(Entry(who // threads, epoch, who, kind, value if kind == "store" else b""))
            log.entries[cell], log.contested[cell] = entries, True

    def _write_down(self, event: Access, log: Log, cells: np.ndarray, who: np.ndarray, epoch: np.ndarray) -> None:
        values = None
        if event.kind == "store":
            assert event.memory is not None
            values = np.broadcast_to(np.asarray(event.values, event.memory.dtype), cells.shape)
        threads = self._launch.threads_per_block
        for lane in np.flatnonzero(log.contested[cells]):
            value = values[lane].tobytes() if values is not None else b""
            one = int(who[lane])
            log.entries[int(cells[lane])].append(Entry(one // threads, int(epoch[lane]), one, event.kind, value))
            log.n_entries += 1
        log.too_many |= log.n_entries > MOST_ENTRIES

    def _judge(self, key: tuple) -> None:
        log = self._logs.pop(key)
        if log.too_many or not all(map(in_any_order, log.entries.values())):
            self._closed.add(self._names[key])

    def judged(self, finding: Finding) -> Finding:
        """A race as a note, where every order of it comes to the same."""
        for key in list(self._logs):
            self._judge(key)
        named = set(self._names.values())
        is_one = (
            finding.kind == "race" and not finding.note and finding.detail.get("scope") in ("warp", "block", "grid")
        )
        if not is_one or not self._small or finding.array not in named or finding.array in self._closed:
            return finding
        message = f"{finding.message.removesuffix('.')}; {SETTLED}."
        return replace(finding, message=message, remedy="", note=True, detail={**finding.detail, "settled": True})


def _shared(cells: np.ndarray) -> np.ndarray:
    """(n,) which lanes share their element with another lane."""
    if (cells[1:] > cells[:-1]).all():
        return np.zeros(len(cells), bool)
    _, inverse, counts = np.unique(cells, return_inverse=True, return_counts=True)
    return counts[inverse] > 1


def in_any_order(entries: list[Entry]) -> bool:
    """Whether all orders of these accesses that keep each thread's own come to the same, whatever the element held."""
    for group in _epochs(entries):
        stores: dict[int, list[bytes]] = {entry.who: [] for entry in group}
        for entry in group:
            stores[entry.who] += [entry.value] if entry.kind == "store" else []
        last = {values[-1] for values in stores.values() if values}
        if len(last) > 1 or not all(_reads_one_value(group, who, stores) for who in stores):
            return False
    return True


def _reads_one_value(group: list[Entry], who: int, stores: dict[int, list[bytes]]) -> bool:
    """Whether each load of a thread gives what it stored itself, whatever the others have done by then."""
    others = {value for one, values in stores.items() if one != who for value in values}
    own: set[bytes] = set()
    for entry in group:
        if entry.who == who and entry.kind == "store":
            own = {entry.value}
        elif entry.who == who and others - own:
            return False
    return True


def _epochs(entries: list[Entry]) -> Iterator[list[Entry]]:
    """Accesses between two barriers, where all are of one block; else all of them, which nothing orders."""
    if len({entry.block for entry in entries}) > 1:
        yield entries
        return
    for _, group in groupby(sorted(entries, key=lambda entry: entry.epoch), key=lambda entry: entry.epoch):
        yield list(group)
