"""What a configuration allows a tactic to use."""

from __future__ import annotations

from minitrt.api.enums import MemoryPoolType
from minitrt.builder.config import IBuilderConfig
from minitrt.tactics.contract import Tactic


def keeps_limits(config: IBuilderConfig, tactic: Tactic) -> bool:
    """Whether a tactic stays below the limits of workspace and shared memory, and is of an allowed source."""
    return (
        tactic.workspace_bytes <= config.get_memory_pool_limit(MemoryPoolType.WORKSPACE)
        and tactic.shared_bytes <= config.get_memory_pool_limit(MemoryPoolType.TACTIC_SHARED_MEMORY)
        and (tactic.source == 0 or bool(tactic.source & config.get_tactic_sources()))
    )
