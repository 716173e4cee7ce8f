"""What tactics took, by operation signature and tactic name: bytes that the next build reads.

A cache belongs to one device model and one version of the kernels; times of another are refused unless asked for.
It also says which kernels the compilers made slow code of, so that no later build compiles them to find that out, and
holds the machine code of those that engines were built of, unless BuilderFlag.DISABLE_COMPILATION_CACHE is set.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from minitrt.tactics.contract import Device

FORMAT = 1


class CacheMismatch(ValueError):
    """Times of another device, or of other kernels. Attributes: have, want."""

    def __init__(self, have: dict, want: dict) -> None:
        super().__init__(
            f"the timing cache was made for {have}, and this is {want}. Build without it, or set ignore_mismatch=True."
        )
        self.have, self.want = have, want


def header_of(device: Device | None) -> dict:
    """What must agree for times to mean anything."""
    if device is None:
        return {"device": "none"}
    from minitrt.kernels.pool import code_version  # needs numba, which an engine runs without

    return {
        "device": device.name,
        "capability": list(device.compute_capability),
        "sm_count": device.sm_count,
        "kernels": code_version()[:16],
    }


@dataclass
class TimingCache:
    """header: of the device; times: signature -> tactic name -> microseconds; refused, code: digest of a kernel and its
    compilers -> why, or its Cubin as JSON."""

    header: dict
    times: dict[str, dict[str, float]] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    code: dict[str, dict] = field(default_factory=dict)

    def query(self, signature: str, tactic: str) -> float | None:
        return self.times.get(signature, {}).get(tactic)

    def update(self, signature: str, tactic: str, time_us: float) -> None:
        self.times.setdefault(signature, {})[tactic] = time_us

    def combine(self, other: TimingCache, ignore_mismatch: bool = False) -> None:
        """Take over what the other knows and this one does not. Raises: CacheMismatch."""
        if other.header != self.header and not ignore_mismatch:
            raise CacheMismatch(other.header, self.header)
        for signature, tactics in other.times.items():
            self.times[signature] = {**tactics, **self.times.get(signature, {})}
        self.refused = {**other.refused, **self.refused}
        self.code = {**other.code, **self.code}

    def clear(self) -> None:
        """Forget everything but the device."""
        self.times.clear()
        self.refused.clear()
        self.code.clear()

    def serialize(self) -> bytes:
        """Equal caches give equal bytes."""
        kept = {"times": self.times, "refused": self.refused, "code": self.code}
        content = {"format": FORMAT, "header": self.header, **kept}
        return json.dumps(content, sort_keys=True, separators=(",", ":")).encode()

    @classmethod
    def deserialize(cls, data: bytes, device: Device | None) -> TimingCache:
        """A cache from bytes; empty bytes give an empty cache for the device. Raises: ValueError for other bytes."""
        if not data:
            return cls(header_of(device))
        try:
            content = json.loads(data)
            content["format"]
        except (ValueError, TypeError, KeyError):
            raise ValueError("these bytes are no timing cache; give those that serialize() wrote, or none") from None
        if content.get("format") != FORMAT:
            raise ValueError(
                f"timing cache of format {content.get('format')}, and this version writes {FORMAT}. Delete it."
            )
        return cls(content["header"], content["times"], content.get("refused", {}), content.get("code", {}))
