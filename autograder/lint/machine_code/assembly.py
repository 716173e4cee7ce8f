"""From lowered code to facts for several architectures: NVVM once where that serves, the assembler for each.

PTX for the oldest architecture is assembled for all of them. For ordinary kernels NVVM writes the same text for each,
so nothing is lost. Where the assembler refuses it (tensor cores need a newer target), the architecture gets PTX of its
own, written for the same target as numba-cuda uses on such a GPU. Long code takes the assembler half a second for each
of them: it is assembled for the newest alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from autograder.lint.compiler import Assembled, Lowered, assemble, compute_capability, to_ptx
from autograder.lint.machine_code.ptxas import facts_from_log
from autograder.lint.nvvm_faults import whole
from autograder.lint.report import ERROR, NOTE, Facts, LintFinding

_REASON = re.compile(r"error\s*:\s*(.+)")
LONG = 100_000  # characters of PTX
_UNLINKED = "Undefined reference"  # a library that only a launch links, as grid.sync() does


@dataclass
class Assembly:
    """What became of one kernel. ptx: of the first architecture that took it; refused: architecture -> the error."""

    ptx: str = ""
    facts: dict[str, Facts] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


def assemble_for(lowered: Lowered, architectures: Sequence[str]) -> Assembly:
    """Assemble for every architecture, oldest first; long code for the newest. Raises: LostLabel.

    One that refuses the PTX at hand, which is an older one's, gets PTX of its own, and so do those after it.
    """
    assembly = Assembly()
    ordered = sorted(architectures, key=compute_capability)

    def own(architecture: str) -> str:
        return whole(to_ptx(lowered, target_of(architecture)))

    ptx = own(ordered[0])
    for architecture in ordered if len(ptx) <= LONG else ordered[-1:]:
        assembled = assemble(ptx, target_of(architecture), lowered.max_registers)
        if _refused(assembled) and architecture != ordered[0]:
            ptx = own(architecture)
            assembled = assemble(ptx, target_of(architecture), lowered.max_registers)
        if _refused(assembled):
            assembly.refused[architecture] = assembled.error
        else:
            assembly.ptx = assembly.ptx or ptx
        if facts := facts_from_log(architecture, assembled.log, ptx):
            assembly.facts[architecture] = facts
    assembly.ptx = assembly.ptx or ptx
    assembly.facts = {one: assembly.facts[one] for one in architectures if one in assembly.facts}
    return assembly


def target_of(architecture: str) -> str:
    """The target numba-cuda compiles for on such a GPU: "sm_90a" for "sm_90", older ones as they are."""
    newest = compute_capability(architecture) >= (9, 0) and not architecture.endswith("a")
    return architecture + "a" if newest else architecture


def refusals(assembly: Assembly) -> list[LintFinding]:
    """One finding when the assembler refuses the kernel: an error when no architecture takes it, else a note."""
    reasons = {architecture: _REASON.search(error) for architecture, error in assembly.refused.items()}
    if not reasons:
        return []
    first = next(iter(reasons.values()))
    why = first[1].strip() if first else "it gives no reason"
    return [
        LintFinding(
            kind="assembler_refuses",
            misconception="not_compiled",
            says=f"The assembler refuses this kernel for {', '.join(reasons)}: {why}",
            remedy="Run it on a GPU that has the feature.",
            severity=NOTE if assembly.facts.keys() - reasons.keys() else ERROR,
        )
    ]


def _refused(assembled: Assembled) -> bool:
    return bool(assembled.error) and _UNLINKED not in assembled.error
