"""One list of findings: equal mistakes are joined and counted, causes come before their consequences."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from simt.analyses.wording import block_text, sentence, thread_text, unravel
from simt.events import Finding, Lanes

# A launch that never ran explains everything; a barrier that some threads miss explains the races after it; a store
# outside the array leaves a cell uninitialised; so does a race. Smaller numbers come first.
RANK = {
    "invalid_launch": 0,
    "unsupported": 0,
    "barrier_divergence": 1,
    "out_of_bounds": 2,
    "warp_mask": 3,
    "race": 4,
    "deadlock": 5,
    "uninitialised_read": 6,
    "write_to_input": 7,
    "silent_exception": 8,
    "same_bytes": 8,
    "narrowed": 8,
    "unsigned_difference": 8,
    "division_by_zero": 8,
    "overflow": 8,
    "no_effect": 1,
    "unwritten": 7,
    "never_equal": 8,
    "lost_sum": 1,
    "lost_warps": 1,
    "same_launch": 1,
    "changed_after_copy": 1,
    "short_stride": 1,
    "unused_axis": 0,
    "missing_axis": 0,
    "shared_position": 0,
    "exchanged_guard": 0,
    "early_clock": 8,
    "pageable": 8,
    "print_buffer": 8,
    "by_thread_alone": 1,
    "not_copied": 1,
    "never_better": 8,
    "stands_still": 8,
    "unassigned": 7,
    "transposed_copy": 8,
    "frozen_value": 8,
    "grouping": 8,
    "one_thread": 8,
    "two_barriers": 1,
    "uncalled": 1,
    "swapped_launch": 0,
    "too_many_registers": 0,
    "uncovered": 1,
}


def by_thread(lanes: Lanes, at: int, does: str, **parts: Any) -> Finding:
    """A finding that tells of one lane of an event. does: what that thread does, as in "reads x[3] at line 7."; parts:
    what else makes a `Finding`."""
    launch, thread = lanes.batch.launch, int(lanes.thread[at])
    block = int(lanes.batch.block_ids[lanes.block[at]])
    message = sentence(f"{thread_text(launch, thread)} of {block_text(launch, block)} {does}")
    threads, blocks = (unravel(thread, launch.block),), (unravel(block, launch.grid),)
    return Finding(message=message, threads=threads, blocks=blocks, **parts)


@dataclass
class FindingBook:
    """Collects findings under keys; the first of each key is kept as the example and the rest are counted."""

    _entries: dict[tuple, Finding] = field(default_factory=dict)

    def __contains__(self, key: tuple) -> bool:
        return key in self._entries

    def count(self, key: tuple, more: int) -> None:
        """Add to the count of a finding that is already there."""
        self._entries[key] = replace(self._entries[key], count=self._entries[key].count + more)

    def add(self, key: tuple, finding: Finding) -> None:
        """Keep the finding, or add its count to the one already kept under this key."""
        if key in self._entries:
            self.count(key, finding.count)
        else:
            self._entries[key] = finding

    def replace(self, key: tuple, finding: Finding) -> None:
        """Put a better example under a key, keeping the count of both."""
        before = self._entries[key].count if key in self._entries else 0
        self._entries[key] = replace(finding, count=finding.count + before)

    def get(self, key: tuple) -> Finding | None:
        """The finding under a key, or None."""
        return self._entries.get(key)

    def all(self) -> list[Finding]:
        """Every finding and note, in the order they were first seen."""
        return list(self._entries.values())


def ranked(findings: list[Finding]) -> list[Finding]:
    """Causes before consequences; within one kind, by line, then by first sight (the sort is stable)."""
    return sorted(findings, key=lambda finding: (RANK.get(finding.kind, 9), finding.lines[:1], finding.lines))
