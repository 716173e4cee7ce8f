"""Reading what the assembler says: `ptxas -v` and nvJitLink's `-verbose`, for one kernel of one architecture."""

from __future__ import annotations

import re

from autograder.lint.machine_code.ptx import static_shared_bytes
from autograder.lint.report import Facts

_SPILLS = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_REGISTERS = re.compile(r"[Uu]sed (\d+) registers")
_CONSTANT = re.compile(r"(\d+) bytes cmem\[\d+\]")
_TOO_MUCH_SHARED = re.compile(r"uses too much shared data \(0x([0-9a-f]+) bytes, 0x([0-9a-f]+) max\)")


def facts_from_log(architecture: str, log: str, ptx: str) -> Facts | None:
    """The facts of the only kernel in `log`; None when the assembler reported none. ptx: what was assembled.

    ptxas speaks first ("Used 24 registers ..."), the linker has the last word ("used 24 registers, ... 496 bytes
    cmem[0]"). Spills are in the first only. The last line that speaks wins. Shared memory is counted in the PTX.
    """
    spills, used = _SPILLS.search(log), [line for line in log.splitlines() if _REGISTERS.search(line)]
    if not used:
        return None
    stack, stores, loads = (int(number) for number in spills.groups()) if spills else (0, 0, 0)
    last = used[-1]
    return Facts(
        architecture=architecture,
        registers=int(_REGISTERS.search(last)[1]),
        spill_store_bytes=stores,
        spill_load_bytes=loads,
        stack_frame_bytes=stack,
        shared_bytes=static_shared_bytes(ptx),
        constant_bytes=sum(int(number) for number in _CONSTANT.findall(last)),
    )


def shared_excess(log: str) -> tuple[int, int] | None:
    """(bytes asked for, bytes allowed) when the assembler refuses the kernel's static shared memory."""
    match = _TOO_MUCH_SHARED.search(log)
    return (int(match[1], 16), int(match[2], 16)) if match else None
