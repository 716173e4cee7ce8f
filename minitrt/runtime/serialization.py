"""How an engine is serialised, and how its contexts get memory."""

from __future__ import annotations

from minitrt.api.arguments import checked
from minitrt.api.enums import ExecutionContextAllocationStrategy, SerializationFlag
from minitrt.api.sealed import sealed
from minitrt.api.without_effect import notice_member


@sealed
@checked
class ISerializationConfig:
    """What ``serialize_with_config`` leaves out."""

    def __init__(self):
        self.flags = 0

    def set_flag(self, flag: SerializationFlag) -> bool:
        notice_member(self, flag)
        self.flags |= 1 << int(flag)
        return True

    def clear_flag(self, flag: SerializationFlag) -> bool:
        self.flags &= ~(1 << int(flag))
        return True

    def get_flag(self, flag: SerializationFlag) -> bool:
        return bool(self.flags >> int(flag) & 1)


@sealed
@checked
class IRuntimeConfig:
    """How a context is made."""

    def __init__(self):
        self._strategy = ExecutionContextAllocationStrategy.STATIC

    def set_execution_context_allocation_strategy(self, strategy: ExecutionContextAllocationStrategy) -> None:
        self._strategy = strategy

    def get_execution_context_allocation_strategy(self) -> ExecutionContextAllocationStrategy:
        return self._strategy
