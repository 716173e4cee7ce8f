"""What lint concludes about one kernel, as plain frozen data; `to_dict()` of every part is JSON-ready."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

ERROR = "error"  # the kernel cannot compile or cannot be launched
WARNING = "warning"  # the kernel runs, and does something its author did not mean
NOTE = "note"  # worth knowing, costs nothing


@dataclass(frozen=True)
class CompileError:
    """Why numba refuses the kernel, in the learner's words.

    kind: what went wrong, as in "shared_shape", "undefined_name" or "float_index"; misconception keys the hint.
    """

    kind: str
    misconception: str
    says: str
    remedy: str
    lines: tuple[int, ...]  # 1-based, in the file or cell that defines the kernel; () when unknown
    original: str  # numba's own message, whole


@dataclass(frozen=True)
class Finding:
    """One thing the compiled kernel or its source gives away, by line of the file or cell that defines it."""

    kind: str
    misconception: str
    says: str
    remedy: str = ""
    lines: tuple[int, ...] = ()
    severity: str = WARNING


@dataclass(frozen=True)
class Facts:
    """What ptxas reports for one architecture."""

    architecture: str  # "sm_90"
    registers: int  # per thread
    spill_store_bytes: int  # per thread
    spill_load_bytes: int  # per thread
    stack_frame_bytes: int  # per thread, local memory: local arrays that registers could not hold, and spills
    shared_bytes: int  # per block, static; dynamic shared memory is the launch's business
    constant_bytes: int  # kernel parameters and literals

    @property
    def spill_bytes(self) -> int:
        """Bytes a thread spills, stores and loads together."""
        return self.spill_store_bytes + self.spill_load_bytes


@dataclass(frozen=True)
class LintReport:
    """What one compilation says about a kernel.

    available is False, with `reason`, where the compiler is not installed (macOS); everything else is empty then.
    ok means that it compiled and no finding is an error. `facts` is keyed by architecture.
    """

    kernel: str
    signature: tuple[str, ...] = ()
    available: bool = True
    reason: str = ""
    error: CompileError | None = None
    facts: Mapping[str, Facts] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()

    @property
    def ok(self) -> bool:
        return self.available and self.error is None and not any(f.severity == ERROR for f in self.findings)

    def of_severity(self, severity: str) -> tuple[Finding, ...]:
        """The findings of one severity: "error", "warning" or "note"."""
        return tuple(finding for finding in self.findings if finding.severity == severity)

    def __str__(self) -> str:
        from autograder.lint.text import to_text

        return to_text(self)

    def to_dict(self) -> dict[str, Any]:
        """Every part as dictionaries, lists, strings and numbers."""
        document = {
            "kernel": self.kernel,
            "signature": list(self.signature),
            "available": self.available,
            "reason": self.reason,
            "ok": self.ok,
            "error": asdict(self.error) if self.error else None,
            "facts": {architecture: asdict(facts) for architecture, facts in self.facts.items()},
            "findings": [asdict(finding) for finding in self.findings],
        }
        return _lists_for_tuples(document)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> LintReport:
        """The report that `to_dict` wrote; the inverse of it to the last field."""
        error = document["error"]
        return cls(
            kernel=document["kernel"],
            signature=tuple(document["signature"]),
            available=document["available"],
            reason=document["reason"],
            error=CompileError(**_tuple_lines(error)) if error else None,
            facts={architecture: Facts(**facts) for architecture, facts in document["facts"].items()},
            findings=tuple(Finding(**_tuple_lines(finding)) for finding in document["findings"]),
        )


def _tuple_lines(part: Mapping[str, Any]) -> dict[str, Any]:
    return {**part, "lines": tuple(part["lines"])}


def _lists_for_tuples(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _lists_for_tuples(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_lists_for_tuples(item) for item in value]
    return value
