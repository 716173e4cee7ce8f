"""What lint concludes about one kernel, as plain frozen data; `to_json()` of a report is JSON-ready."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from autograder import plain_data

COMPILED: Mapping[str, str] = {
    "registers": "registers per thread, where it takes most",
    "spilled_bytes": "bytes per thread that registers had no room for, stored and loaded",
    "local_memory_bytes": "bytes per thread in local memory: arrays that registers cannot hold, and spills",
    "widest_load_bytes": "bytes per thread of the widest load from global memory",
    "independent_operations": "operations on floats that can be under way at once within a thread",
    "independent_loads": "loads from global memory that can be under way at once within a thread",
    "loads_in_flight": "values that a thread has asked global memory for before it must wait for one",
    "int64_divisions": "lines that divide 64-bit integers",
    "float64_lines": "lines that compute in double precision",
}  # counters of the machine code: for budgets and predictions, where there is a compiler

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
class LintFinding:
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
    code: Mapping[str, float] = field(default_factory=dict)  # what `COMPILED` names, of this kernel
    findings: tuple[LintFinding, ...] = ()
    opcodes: str = ""  # what the kernel does, opcode by opcode: see `machine_code.ptx.opcodes`

    @property
    def ok(self) -> bool:
        return self.available and self.error is None and not any(f.severity == ERROR for f in self.findings)

    def __str__(self) -> str:
        from autograder.lint.text import to_text

        return to_text(self)

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready document with every part."""
        return {**plain_data.to_json(self), "ok": self.ok}
