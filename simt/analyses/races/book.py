"""Gathers races while a launch runs: one for each array and pair of lines, with the example that explains most."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from simt.analyses.races.codes import block_of, sequence_of, thread_of
from simt.analyses.races.race import SCOPES, Party, Race
from simt.analyses.races.story import finding_of
from simt.events import Access, ArrayInfo, Branch, Finding, Launch, Site

VARIES = object()  # a store site that wrote more than one value


@dataclass
class Updates:
    """Stores through one expression. touched: elements of a global array that any of them hit."""

    touched: np.ndarray
    n: int = 0
    in_one_step: int = 0  # those whose element another lane of the same store hit, too

    def at_most_lost(self, between_blocks: bool) -> int:
        """All but one for each element, if blocks meet there; else those that clash within a step."""
        if between_blocks and len(self.touched):
            return self.n - int(np.count_nonzero(self.touched))
        return self.in_one_step


class RaceBook:
    """Knows what each sequence number was, which loops turned, and which stores always write one value."""

    def __init__(self) -> None:
        self._races: dict[tuple, Race] = {}
        self._updates: dict[tuple[tuple, str, str], Updates] = {}

    def begin(self, launch: Launch) -> None:
        """Start a launch; the races of earlier ones stay."""
        self._count_updates()
        self.launch = launch
        self.warp_idiom = False
        self._accesses: list[tuple[Site, str, bool, bool, str] | None] = [None]
        self._branches: list[tuple[int, str, int]] = []
        self._constants: dict[int, Any] = {}
        self._loaded: set[tuple[str, str]] = set()  # (function, text) of loads: a store through the same is an update
        self._updates = {}

    @property
    def findings(self) -> list[Finding]:
        """A note is dropped where a mistake on one of its lines makes it moot.

        In lock step, threads that read a sum at line 3 and store it, one more, at line 4 all store the same value;
        on a GPU they do not, because the race between lines 3 and 4 decides what each of them read.
        """
        self._count_updates()
        races = self._with_updates_of_two_lines()
        moot = {(*array, line) for *array, lines, harmless in races if not harmless for line in lines}
        return [
            finding_of(race)
            for (*array, lines, harmless), race in races.items()
            if not (harmless and any((*array, line) in moot for line in lines))
        ]

    def _with_updates_of_two_lines(self) -> dict[tuple, Race]:
        """The races, with `v = x[i]` and `x[i] = v + 1` by several threads told as one lost update."""
        races = dict(self._races)
        for (space, name, lines, harmless), race in self._races.items():
            kinds = {race.earlier.kind: race.earlier, race.later.kind: race.later}
            if harmless or len(lines) != 2 or kinds.keys() != {"load", "store"} or race.turn == "previous":
                continue
            if race.locked.endswith("first fence"):
                continue
            load, store = kinds["load"].site, kinds["store"].site
            if load.text != store.text or load.function != store.function or load.line > store.line:
                continue
            stores = [(space, name, ((store.function, store.line),), same) for same in (False, True)]
            both = next((races[key] for key in stores if key in races), None)
            if both is not None:
                scope = max(both.scope, race.scope, key=SCOPES.index)
                count, locked = both.count + race.count, race.locked
                told = replace(both, read_line=load.line, scope=scope, count=count, locked=locked)
                races = {key: one for key, one in races.items() if key not in stores and one is not race}
                races[space, name, lines, False] = told
        return races

    def _count_updates(self) -> None:
        """Tell the races of this launch how many updates went through their expression, and how many may be lost."""
        for race in self._races.values():
            site = race.later.site
            known = self._updates.get((race.array.key, site.function, site.text))
            if known is not None and race.launch is self.launch:
                race.updates, race.lost = known.n, known.at_most_lost(between_blocks=race.scope == "grid")

    def log_access(self, site: Site, kind: str, whole: bool, one_warp: bool = False, array: str = "") -> int:
        """Remember an access. Returns: its sequence number.

        whole: all threads of the batch take part; one_warp: only threads of each block's first warp do.
        array: the name of what is accessed.
        """
        self._accesses.append((site, kind, whole, one_warp, array))
        if kind == "load":
            self._loaded.add((site.function, site.text))
        return len(self._accesses) - 1

    def log_branch(self, event: Branch) -> None:
        """A condition was evaluated: when it comes again, a loop has turned."""
        self._branches.append((len(self._accesses) - 1, event.site.function, event.site.line))

    def log_update(self, event: Access, n_lost: int) -> None:
        """A store through an expression that was loaded, too. n_lost: lanes whose element another lane overwrote."""
        site, array = event.site, event.array
        if (site.function, site.text) not in self._loaded:
            return
        key = (array.key, site.function, site.text)
        updates = self._updates.get(key)
        if updates is None:
            updates = self._updates[key] = Updates(np.zeros(array.n_cells if array.space == "global" else 0, bool))
        updates.n += len(event.lanes)
        updates.in_one_step += n_lost
        if len(updates.touched):
            updates.touched[event.cells] = True

    def log_values(self, site: Site, values: Any) -> None:
        """What a store writes; threads that store one and the same value do no harm."""
        if self._constants.get(site.id) is VARIES:
            return
        if values is None:
            value = VARIES
        elif np.ndim(values) == 0:
            value = values[()] if isinstance(values, np.ndarray) else values
        else:
            value = values[0] if (values == values[0]).all() else VARIES
        if site.id in self._constants and self._constants[site.id] != value:
            value = VARIES
        self._constants[site.id] = value

    def record(
        self,
        array: ArrayInfo,
        cell: int,
        hazard: str,
        scope: str,
        codes: tuple[int, int],
        count: int,
        same_value: bool = False,
        same_instruction: bool = False,
        fenced: bool = False,
        locked: str = "",
        guess: bool = False,
        lock_at: int = 0,
        compared: bool = False,
    ) -> None:
        """Add `count` clashes. codes: of the earlier and the later access of the example; locked, guess: see `Race`.

        lock_at: the number of the access that took the lock; compared: `same_value` knows of all stores to the element.
        """
        one, two = self._party(codes[0]), self._party(codes[1])
        guess = guess and {one.kind, two.kind} == {"atomic", "load"}
        same_value = same_value or not compared and self._same_value(one.site, two.site)
        same_value &= one.kind == two.kind == "store"
        lines = tuple(sorted({(one.site.function, one.site.line), (two.site.function, two.site.line)}))
        key = (array.space, array.name, lines, same_value or fenced or guess)
        known = self._races.get(key)
        if known is not None:
            known.count += count
            known.hazards.add(hazard)
            wider = SCOPES.index(scope) > SCOPES.index(known.scope)
            if not wider and (known.lost_update or one.site.text != two.site.text):
                return
        race = Race(
            self.launch, array, cell, hazard, scope, one, two,
            turn="same" if same_instruction else self._turn(hazard, scope, codes, one, two),
            count=count, hazards={hazard}, same_value=same_value, warp_idiom=self.warp_idiom, fenced=fenced,
            locked=locked, guess=guess, lock_line=self._accesses[lock_at][0].line if lock_at else 0,
        )  # fmt: skip
        self._races[key] = race if known is None else _better(known, race)

    def site_of(self, code: int) -> tuple[str, int]:
        """The function and the line of an access, by its code."""
        site = self._accesses[sequence_of(code)][0]
        return site.function, site.line

    def _party(self, code: int) -> Party:
        site, kind, whole, one_warp, array = self._accesses[sequence_of(code)]
        return Party(site, kind, int(block_of(code)), int(thread_of(code)), whole, one_warp, array)

    def _same_value(self, first: Site, second: Site) -> bool:
        value = self._constants.get(first.id, VARIES)
        return value is not VARIES and self._constants.get(second.id, VARIES) == value

    def _turn(self, hazard: str, scope: str, codes: tuple[int, int], one: Party, two: Party) -> str:
        """ "previous" when a loop around both accesses turned between them, "same" within one statement, or "" ."""
        if one.site.function != two.site.function or scope == "grid":
            return ""
        first, second = one.site.line, two.site.line
        begin, end = (sequence_of(code) for code in codes)
        around_both = {line for line, _ in {*one.site.loops} & {*two.site.loops}}
        for sequence, function, line in reversed(self._branches):
            if sequence < begin:
                break
            if sequence < end and function == one.site.function and line in around_both:
                return "previous"
        if first > second or (first == second and hazard != "WAR"):
            return "previous" if one.site.function == self.launch.kernel else ""
        return "same" if first == second else ""


def _better(known: Race, race: Race) -> Race:
    """The example to keep: a lost update before anything else, then the wider scope, then the first."""
    race.hazards |= known.hazards
    race.count = known.count
    rank = (race.lost_update, SCOPES.index(race.scope)) > (known.lost_update, SCOPES.index(known.scope))
    kept, scope = (race if rank else known), max(race.scope, known.scope, key=SCOPES.index)
    kept.scope = scope
    return kept
