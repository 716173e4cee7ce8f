"""What a configuration allows a tactic to use."""

from __future__ import annotations

from collections.abc import Sequence

from minitrt.api.enums import MemoryPoolType
from minitrt.builder.config import IBuilderConfig
from minitrt.tactics.contract import Tactic


def anything(tactic: Tactic) -> bool:
    """A wish that every tactic meets."""
    return True


def offered(tactics: Sequence[Tactic], timed: bool) -> list[Tactic]:
    """What a build may choose from: a reader's tactic alone where it was registered so, or where nothing is timed."""
    alone = [tactic for tactic in tactics if tactic.notes.get("own") and (tactic.notes["only"] or not timed)]
    return alone or list(tactics)


def few(config: IBuilderConfig, tactics: Sequence[Tactic]) -> list[Tactic]:
    """Those that keep the limits, as many as the optimisation level wants: at level 0 the first of each choice of
    layouts, since two layers whose first tactics disagree on them need a reformat, and pixels could not be joined."""
    allowed = [tactic for tactic in tactics if keeps_limits(config, tactic)]
    if config.builder_optimization_level == 0:
        return list({(t.inputs, t.outputs): t for t in reversed(allowed)}.values())[::-1]
    return allowed[: config.max_num_tactics] if config.max_num_tactics > 0 else allowed


def keeps_limits(config: IBuilderConfig, tactic: Tactic) -> bool:
    """Whether a tactic stays below the limits of workspace and shared memory, and is of an allowed source."""
    return (
        tactic.workspace_bytes <= config.get_memory_pool_limit(MemoryPoolType.WORKSPACE)
        and tactic.shared_bytes <= config.get_memory_pool_limit(MemoryPoolType.TACTIC_SHARED_MEMORY)
        and (tactic.source == 0 or bool(tactic.source & config.get_tactic_sources()))
    )
