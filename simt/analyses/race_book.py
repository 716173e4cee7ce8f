"""Gathers races while a launch runs: one for each array and pair of lines, with the example that explains most."""

from __future__ import annotations

from typing import Any

import numpy as np

from simt.analyses.race_story import SCOPES, Party, Race
from simt.analyses.shadow import block_of, sequence_of, thread_of
from simt.events import ArrayInfo, Branch, Finding, Launch, Site

VARIES = object()  # a store site that wrote more than one value


class RaceBook:
    """Knows what each sequence number was, which loops turned, and which stores always write one value."""

    def __init__(self) -> None:
        self._races: dict[tuple, Race] = {}

    def begin(self, launch: Launch) -> None:
        """Start a launch; the races of earlier ones stay."""
        self.launch = launch
        self.warp_idiom = False
        self._accesses: list[tuple[Site, str, bool, bool] | None] = [None]
        self._branches: list[tuple[int, str, int]] = []
        self._constants: dict[int, Any] = {}

    @property
    def findings(self) -> list[Finding]:
        """A note is dropped where a mistake on one of its lines makes it moot.

        In lock step, threads that read a sum at line 3 and store it, one more, at line 4 all store the same value;
        on a GPU they do not, because the race between lines 3 and 4 decides what each of them read.
        """
        moot = {(*array, line) for *array, lines, harmless in self._races if not harmless for line in lines}
        return [
            race.finding()
            for (*array, lines, harmless), race in self._races.items()
            if not (harmless and any((*array, line) in moot for line in lines))
        ]

    def log_access(self, site: Site, kind: str, whole: bool, one_warp: bool = False) -> int:
        """Remember an access. Returns: its sequence number.

        whole: all threads of the batch take part; one_warp: only threads of each block's first warp do.
        """
        self._accesses.append((site, kind, whole, one_warp))
        return len(self._accesses) - 1

    def log_branch(self, event: Branch) -> None:
        """A condition was evaluated: when it comes again, a loop has turned."""
        self._branches.append((len(self._accesses) - 1, event.site.function, event.site.line))

    def log_values(self, site: Site, values: Any) -> None:
        """What a store writes; threads that store one and the same value do no harm."""
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
        same_value: bool | None = None,
        same_instruction: bool = False,
        fenced: bool = False,
    ) -> None:
        """Add `count` clashes. codes: of the earlier and the later access of the example."""
        one, two = self._party(codes[0]), self._party(codes[1])
        if same_value is None:
            same_value = one.kind == two.kind == "store" and self._same_value(one.site, two.site)
        lines = tuple(sorted({(one.site.function, one.site.line), (two.site.function, two.site.line)}))
        key = (array.space, array.name, lines, same_value or fenced)
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
        )  # fmt: skip
        self._races[key] = race if known is None else _better(known, race)

    def _party(self, code: int) -> Party:
        site, kind, whole, one_warp = self._accesses[sequence_of(code)]
        return Party(site, kind, int(block_of(code)), int(thread_of(code)), whole, one_warp)

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
