"""Many small pieces of judging, spread over processes, and kept: what was done with the same inputs is not done again.

    for piece, result in in_pieces(score_of, pieces, Kept("harden")):
        ...

A piece is a tuple of words and numbers that begins with an exercise's id; its result is JSON-ready. What is done is
written down as it comes, in build/judged, so that a run may end at any time and the next one goes on from there.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from autograder import exercises
from tools.parts.judged_inputs import inputs_of
from tools.parts.units import ROOT

Piece = tuple[Any, ...]  # (exercise id, ...)
KEPT = ROOT / "build" / "judged"
ALONE = {"CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}


@dataclass
class Kept:
    """Results by piece, in one file per exercise, whose first line is the hash of what they follow from.

    name: of the folder. A file of other inputs is begun anew, so that none grows forever.
    """

    name: str
    folder: Path = KEPT
    _known: dict[str, dict[Piece, Any]] = field(default_factory=dict)
    _open: dict[str, TextIO] = field(default_factory=dict)

    def of(self, piece: Piece) -> Any:
        """What came of a piece; None where that is not known."""
        return self._of_exercise(piece[0]).get(piece)

    def keep(self, piece: Piece, result: Any) -> None:
        """Write a result down at once."""
        self._of_exercise(piece[0])[piece] = result
        file = self._open[piece[0]]
        file.write(json.dumps([piece, result]) + "\n")
        file.flush()

    def _of_exercise(self, identifier: str) -> dict[Piece, Any]:
        if identifier not in self._known:
            path = self.folder / self.name / f"{identifier}.jsonl"
            inputs = inputs_of(exercises.find(identifier).unit)
            known = _read(path, inputs)
            path.parent.mkdir(parents=True, exist_ok=True)
            file = path.open("a" if known is not None else "w", encoding="utf-8")
            if known is None:
                file.write(inputs + "\n")
            self._known[identifier], self._open[identifier] = known or {}, file
        return self._known[identifier]


def _read(path: Path, inputs: str) -> dict[Piece, Any] | None:
    """The results in a file; None where there is none of these inputs. A line that was cut off is left out."""
    if not path.is_file():
        return None
    first, *lines = path.read_text(encoding="utf-8").splitlines() or [""]
    if first != inputs:
        return None
    found = {}
    for line in lines:
        try:
            piece, result = json.loads(line)
        except ValueError:
            continue
        found[tuple(piece)] = result
    return found


@dataclass(frozen=True)
class Run:
    """How pieces are done. jobs: processes; seconds: after which nothing new is begun; again: what is kept, too."""

    jobs: int = os.cpu_count() or 1
    seconds: float = math.inf
    again: bool = False

    @classmethod
    def asked_for(cls, parser: argparse.ArgumentParser, arguments: list[str] | None) -> tuple[Run, argparse.Namespace]:
        """The run that a command line asks for, and what else it says."""
        parser.add_argument("--jobs", type=int, default=cls.jobs, help="processes")
        parser.add_argument("--seconds", type=float, default=math.inf, help="begin nothing new after so long")
        parser.add_argument("--again", action="store_true", help="judge again what was judged with the same inputs")
        given = parser.parse_args(arguments)
        return cls(given.jobs, given.seconds, given.again), given

    def over(self, work: Callable[..., Any], pieces: Iterable[Piece], kept: Kept) -> Iterator[tuple[Piece, Any]]:
        """Each piece with what `work(*piece)` gives, kept ones first, the others as they come. work: a module's own."""
        ends = time.monotonic() + self.seconds
        new = []
        for piece in pieces:
            if self.again or (result := kept.of(piece)) is None:
                new.append(piece)
            else:
                yield piece, result
        if not new or self.seconds <= 0:
            return
        os.environ.update(ALONE)  # for the processes that are begun: none shall take the other's cores, or a GPU
        left = iter(new)
        with ProcessPoolExecutor(min(self.jobs, len(new)), multiprocessing.get_context("spawn")) as pool:
            running: dict[Future, Piece] = {}
            try:
                while True:
                    room = 2 * self.jobs - len(running) if time.monotonic() < ends else 0
                    running |= {pool.submit(work, *piece): piece for piece in islice(left, room)}
                    if not running:
                        return
                    for done in wait(running, return_when=FIRST_COMPLETED).done:
                        piece, result = running.pop(done), done.result()
                        kept.keep(piece, result)
                        yield piece, result
            finally:
                pool.shutdown(wait=False, cancel_futures=True)  # interrupted, it would begin what is queued


WHOLE = Run()
