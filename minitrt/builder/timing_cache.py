"""ITimingCache: the API's face of the times that tactics took (`tactics/timing_cache.py`)."""

from __future__ import annotations

import hashlib

from minitrt.api.arguments import checked
from minitrt.api.sealed import sealed
from minitrt.api.weights import IHostMemory
from minitrt.tactics.contract import tactic_id
from minitrt.tactics.timing_cache import CacheMismatch, TimingCache


class TimingCacheKey:
    """Names one operation signature: 16 bytes, shown as hexadecimal."""

    def __init__(self, text: str):
        self.text = text

    @staticmethod
    def parse(text: str) -> TimingCacheKey:
        return TimingCacheKey(text)

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TimingCacheKey) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)


class TimingCacheValue:
    """The tactic chosen for a key, by its hash, and its time in milliseconds."""

    def __init__(self, tacticHash: int = 0, timingMSec: float = 0.0):
        self.tacticHash, self.timingMSec = tacticHash, timingMSec

    @property
    def tactic_hash(self) -> int:
        return self.tacticHash


@sealed
@checked
class ITimingCache:
    """Times of tactics. Made by ``IBuilderConfig.create_timing_cache``."""

    def __init__(self, cache: TimingCache):
        self.cache = cache

    def serialize(self) -> IHostMemory:
        return IHostMemory(self.cache.serialize())

    def combine(self, input_cache: ITimingCache, ignore_mismatch: bool) -> bool:
        """Take over what another cache knows. False when it was made for another device or other kernels."""
        try:
            self.cache.combine(input_cache.cache, ignore_mismatch)
        except CacheMismatch:
            return False
        return True

    def reset(self) -> bool:
        self.cache.clear()
        return True

    def queryKeys(self) -> list[TimingCacheKey]:
        return [TimingCacheKey(digest(signature)) for signature in sorted(self.cache.times)]

    def query(self, key: TimingCacheKey) -> TimingCacheValue:
        """The fastest tactic of a key; hash 0 for an unknown one."""
        times = self.cache.times.get(self._signature(key) or "", {})
        if not times:
            return TimingCacheValue()
        name = min(times, key=lambda each: (times[each], tactic_id(each)))
        return TimingCacheValue(tactic_id(name), times[name] / 1000)

    def update(self, key: TimingCacheKey, value: TimingCacheValue) -> bool:
        """Force a tactic: it counts as taking value.timingMSec, the others longer. False for an unknown key or hash."""
        signature = self._signature(key)
        times = self.cache.times.get(signature or "", {})
        name = next((each for each in times if tactic_id(each) == value.tacticHash), None)
        if name is None:
            return False
        floor = value.timingMSec * 1000
        self.cache.times[signature] = {each: max(time, floor + 1) for each, time in times.items()} | {name: floor}
        return True

    def _signature(self, key: TimingCacheKey) -> str | None:
        return next((each for each in self.cache.times if digest(each) == str(key)), None)

    def __enter__(self) -> ITimingCache:
        return self

    def __exit__(self, *_) -> None:
        pass


def digest(signature: str) -> str:
    return hashlib.sha1(signature.encode()).hexdigest()[:32]
