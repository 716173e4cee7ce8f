"""One drawing of timed sets serves every worker of a machine, for as long as one run times answers to an exercise.

Timed values follow from the run's seed, which is drawn when the machine code of every answer is written down: nobody
knew them, and they may be the same for all. So the worker that needs them first draws them, has the oracle say what is
right, and keeps both in memory without a name (see `kept`). A file named after the seed's hash, in a folder of this
user's, says in which process that is; it holds no value, and a lock on it lets the others wait meanwhile. They open the
memory of that process, for reading; a launcher is sent the inputs' piece. What is kept takes at most an eighth of the
machine's memory; what nobody asked for in five minutes is let go of; and all of it goes with its process, however that
ends. No jail has that folder, or sees a process of ours. Where nothing can be shared, a worker draws for itself.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from autograder.classroom.sealed.sets import drawing, kept
from autograder.classroom.sealed.sets.kept import Kept
from autograder.contract import Exercise
from autograder.running import memory_held

try:
    import fcntl
except ImportError:  # Windows, which has no jail, and so no sets
    fcntl = None

SHARE = 1 / 8  # of the memory that there is, for all that is kept
IDLE_S, LOOK_S = 300.0, 30.0
WAIT_S, TURN_S = 120.0, 0.05  # for another worker that draws
ROOM = "room.lock"
PROJECT = Path(__file__).resolve().parents[4]

_made: dict[str, tuple[int, Kept]] = {}  # by key: process that made it, and what it keeps for others; the oldest first
_watching: list[int] = []  # processes whose thread lets go of what nobody asks for


@contextmanager
def sets(exercise: Exercise, sizes: Mapping[str, int], seeds: Sequence[str], share: bool) -> Iterator[Kept]:
    """The sets of these seeds, for the time of the block. share: with the other workers of this machine."""

    def drawn() -> Kept:
        return kept.keep(key, exercise, drawing.draw(exercise, sizes, seeds))

    key = hashlib.sha256("|".join([str(PROJECT), exercise.id, str(sorted(sizes.items())), *seeds]).encode()).hexdigest()
    found = _shared(key, drawn) if share else drawn()
    try:
        yield found
    finally:
        found.close()


def _shared(key: str, drawn: Callable[[], Kept]) -> Kept:
    """What is kept under a key, by this process from now on where none keeps it yet; or else drawn for one answer."""
    try:
        with _locked(_folder() / key) as entry:
            found = _opened(key, entry)
            if found is None:
                found = drawn()
                with suppress(OSError):
                    _publish(key, entry, found)
            return found
    except OSError:  # no folder, or a worker that does not get on with it
        return drawn()


def _path() -> Path:
    return Path(tempfile.gettempdir(), f"warpbook-timed-{os.getuid()}")


def _folder() -> Path:
    """This user's, which nobody else can read. Raises: OSError."""
    path = _path()
    path.mkdir(mode=0o700, exist_ok=True)
    found = path.lstat()
    if path.is_symlink() or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PermissionError(f"{path} is not this user's own")
    return path


@contextmanager
def _locked(path: Path, seconds: float = WAIT_S) -> Iterator[int]:
    """Hold the lock of a file, which is made where there is none; its descriptor. Raises: OSError, TimeoutError."""
    deadline = time.monotonic() + seconds
    while True:
        descriptor = os.open(path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            while not _has_lock(descriptor):
                if time.monotonic() > deadline:
                    raise TimeoutError(path.name)
                time.sleep(TURN_S)
            if _is_at(descriptor, path):  # and was not removed meanwhile
                yield descriptor
                return
        finally:
            os.close(descriptor)


def _has_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.lstat())
    except FileNotFoundError:
        return False


def _told(path_or_descriptor: Path | int) -> list[int]:
    """Process, its two descriptors and their bytes, as an entry says it; [] where it says nothing."""
    try:
        if isinstance(path_or_descriptor, int):
            return [int(word) for word in os.pread(path_or_descriptor, 200, 0).split()]
        return [int(word) for word in path_or_descriptor.read_text().split()]
    except (OSError, ValueError):
        return []


def _opened(key: str, entry: int) -> Kept | None:
    """What an entry names, where it is still there."""
    match _told(entry):
        case [process, inputs, oracle, _]:
            with suppress(OSError, ValueError):
                found = kept.opened(key, process, (inputs, oracle))
                os.utime(entry)
                return found
    return None


def _publish(key: str, entry: int, found: Kept) -> None:
    """Keep what was drawn for others, where there is room."""
    folder = _folder()
    with _locked(folder / ROOM):
        _sweep(folder, sparing=key)
        most = SHARE * min(memory_held.there_is(), default=0)
        while (taken := _taken(folder)) + found.n_bytes > most and _made:
            _let_go(next(iter(_made)))
        if taken + found.n_bytes > most:
            return
        mine = kept.opened(key, os.getpid(), (found.inputs.descriptor, found.oracle.descriptor))
        said = os.getpid(), mine.inputs.descriptor, mine.oracle.descriptor, mine.n_bytes
        os.truncate(entry, 0)
        os.pwrite(entry, " ".join(map(str, said)).encode(), 0)
        _made[key] = os.getpid(), mine
    if os.getpid() not in _watching:
        _watching.append(os.getpid())
        threading.Thread(target=_watch, daemon=True).start()


def _taken(folder: Path) -> int:
    """Bytes that living processes keep."""
    told = (_told(path) for path in folder.iterdir() if path.name != ROOM)
    return sum(each[3] for each in told if len(each) == 4 and _lives(each))


def _lives(told: Sequence[int]) -> bool:
    process, inputs, *_ = told
    return os.path.exists(f"/proc/{process}/fd/{inputs}")


def _sweep(folder: Path, sparing: str = "") -> None:
    """Remove entries of processes that ended without doing so."""
    for path in folder.iterdir():
        if path.name not in (ROOM, sparing) and not (len(told := _told(path)) == 4 and _lives(told)):
            with suppress(OSError), _locked(path, seconds=0.0) as entry:
                if len(told := _told(entry)) != 4 or not _lives(told):
                    path.unlink()


def _let_go(key: str) -> None:
    """Keep it no longer: whoever uses it now has it until then. Needs the lock of the room."""
    process, mine = _made.pop(key)
    if process == os.getpid():  # and not a copy of that process
        with suppress(OSError):
            (_folder() / key).unlink()
    mine.close()


def _watch() -> None:
    """Let go of what nobody asks for any more, as long as this process runs."""
    while True:
        time.sleep(LOOK_S)
        with suppress(OSError):
            _let_go_of_idle()


def _let_go_of_idle() -> None:
    with _locked(_folder() / ROOM):
        for key in list(_made):
            if time.time() - _asked_for(key) > IDLE_S:
                _let_go(key)


def _asked_for(key: str) -> float:
    """When somebody last did."""
    try:
        return (_folder() / key).stat().st_mtime
    except OSError:
        return 0.0


@atexit.register
def let_go_of_all() -> None:
    """Keep nothing for others any more. So the process that grades removes what workers left that it killed, too."""
    if fcntl is None or not (path := _path()).is_dir():
        return
    with suppress(OSError), _locked(path / ROOM, seconds=1.0):
        for key in list(_made):
            _let_go(key)
        _sweep(path)
        if [ROOM] == os.listdir(path):
            (path / ROOM).unlink()
            path.rmdir()
