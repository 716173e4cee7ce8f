"""Do the threads of a launch need more registers than a block has? Only the compiler knows, where there is one."""

from __future__ import annotations

from simt.events import Finding
from simt.programs.large_blocks import BLOCK_REGISTERS, LargeBlock, most_registers
from simt.programs.session import Session
from simt.source.counts import count_text

ARCHITECTURES = ("sm_80", "sm_90")  # an A100, an H100: it is told where both refuse the launch


def note_registers(session: Session) -> None:
    """Compile the kernels of a session's large blocks, and enter a note for each that cannot be launched."""
    for one in session.large_blocks.all:
        registers = _registers(one)
        if registers > most_registers(one.threads):
            session.add_note(_note(one, registers), one.called_at, one.name, one.shape, one.number)


def _registers(one: LargeBlock) -> int:
    """Registers of a thread, the least of all architectures; 0 where they cannot be known."""
    from autograder.lint import SignatureError, lint, signature_of, unavailable_reason

    if unavailable_reason():
        return 0
    try:
        report = lint(one.kernel, signature_of(one.arguments), architectures=ARCHITECTURES)
    except SignatureError:
        return 0
    return min((facts.registers for facts in report.facts.values()), default=0)


def _note(one: LargeBlock, registers: int) -> Finding:
    most = most_registers(one.threads)
    fits = next(n for n in range(one.threads, 0, -32) if registers <= most_registers(n))
    says = (
        f"Each thread of `{one.name}` needs {count_text(registers, 'register')}, and a block of this launch has "
        f"{count_text(one.threads, 'thread')}: its {count_text(BLOCK_REGISTERS, 'register')} are {most} for each. "
        "A GPU refuses the launch, with CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES."
    )
    remedy = (
        f"Launch with at most {fits} threads per block; or let the compiler make do with fewer, by "
        f"@cuda.jit(max_registers={most})."
    )
    unsure = "so numba's compiler makes it, for an A100 and for an H100"
    return Finding(
        "too_many_registers", says, (one.called_at.line,), remedy=remedy, detail={"unsure": unsure}, note=True
    )
