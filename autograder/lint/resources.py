"""Findings about what a kernel occupies: shared memory over the limit, spills, local arrays, wide integers, dp4a."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence

from autograder.lint.compiler import compute_capability
from autograder.lint.machine_code.ptx import Instruction
from autograder.lint.occupancy import theoretical_occupancy
from autograder.lint.report import ERROR, NOTE, Facts, LintFinding
from autograder.lint.source import calls_in
from simt.hardware import LIMITS

TYPICAL_BLOCK = 256  # threads; what occupancy is quoted for when the launch is unknown


def over_shared_limit(excess: tuple[int, int], tree: ast.FunctionDef | None) -> LintFinding:
    """The finding for a kernel whose static shared memory the assembler refuses. excess: (bytes asked, allowed)."""
    asked, allowed = excess
    return LintFinding(
        kind="shared_limit",
        misconception="shared_limit",
        says=f"The block asks for {asked:,} bytes of shared memory, and {allowed:,} is the most it can declare.",
        remedy="Use a smaller tile or dtype, or dynamic shared memory, cuda.shared.array(0, dtype).",
        lines=_lines_of(tree, "shared.array"),
        severity=ERROR,
    )


def spills(facts: Mapping[str, Facts]) -> Iterator[LintFinding]:
    """One note when any architecture spills registers; it names the worst."""
    worst = max(facts.values(), key=lambda one: one.spill_bytes, default=None)
    if worst and worst.spill_bytes:
        yield LintFinding(
            kind="register_spill",
            misconception="register_spill",
            says=f"{worst.registers} registers per thread are not enough on {worst.architecture}: it writes "
            f"{worst.spill_store_bytes} bytes to local memory and reads {worst.spill_load_bytes} bytes back.",
            remedy="Keep fewer values alive at once: a smaller tile a thread, or a shorter unrolled loop.",
            severity=NOTE,
        )


def local_arrays(facts: Mapping[str, Facts], tree: ast.FunctionDef | None, ptx: str) -> Iterator[LintFinding]:
    """A note when a local array lies in memory instead of registers, which no index can select."""
    worst = max(facts.values(), key=lambda one: one.stack_frame_bytes, default=None)
    lines = _lines_of(tree, "local.array")
    if worst and lines and worst.stack_frame_bytes and "local_depot" in ptx:
        yield LintFinding(
            kind="local_memory",
            misconception="local_memory",
            says=f"The local array lies in memory, not in registers: {worst.stack_frame_bytes} bytes per thread. "
            "Registers cannot be indexed, so an index that the compiler does not know needs memory.",
            remedy="Index it with constants, or in loops with a small constant count; or use shared memory.",
            lines=lines,
            severity=NOTE,
        )


def wide_integers(
    facts: Mapping[str, Facts], code: Sequence[Instruction], file: str, divisions: frozenset[int] | None = None
) -> Iterator[LintFinding]:
    """Notes on 64-bit integers where they cost: divisions, and registers that limit occupancy.

    divisions: the lines on which the author divides, or None where they are unknown; any other division is numba's.
    """
    lines = _lines_where(
        code, file, lambda one: one.operation in ("div", "rem") and one.opcode.endswith(("s64", "u64"))
    )
    lines = tuple(line for line in lines if divisions is None or line in divisions)
    if lines:
        yield LintFinding(
            kind="int64_division",
            misconception="int64_arithmetic",
            says="Here // or % divides 64-bit integers, which the GPU does in a long sequence of instructions: "
            "indices from cuda.grid and shapes are int64.",
            remedy="Choose a grid that makes the division needless, or convert both numbers with uint32(...), which "
            "divides in 32 bits; int32(...) does not.",
            lines=lines,
            severity=NOTE,
        )
    yield from _register_limits(facts, code)


def _register_limits(facts: Mapping[str, Facts], code: Sequence[Instruction]) -> Iterator[LintFinding]:
    wide = sum(one.computes_in("s64") or one.computes_in("u64") for one in code)
    for architecture, one in facts.items():
        capability = compute_capability(architecture)
        if capability not in LIMITS or not wide:
            continue
        occupancy = theoretical_occupancy(capability, TYPICAL_BLOCK, one.registers, one.shared_bytes)
        if occupancy.limited_by == "registers" and occupancy.fraction < 0.5:
            yield LintFinding(
                kind="int64_registers",
                misconception="int64_arithmetic",
                says=f"On {architecture}, {one.registers} registers per thread limit occupancy to "
                f"{occupancy.fraction:.0%} with {TYPICAL_BLOCK} threads per block. {wide} of its instructions work on "
                "64-bit integers, which take two registers each.",
                remedy="Measure before changing: casts to int32 sometimes help and sometimes cost more.",
                severity=NOTE,
            )
            return


BYTES_OF_A_FACTOR = 4  # dp4a takes two words of four bytes each


def packed_products(code: Sequence[Instruction], file: str) -> Iterator[LintFinding]:
    """A note when the compiler found dp4a: four int8 products and their sum in one instruction."""
    lines = _lines_where(code, file, lambda one: one.operation == "dp4a")
    if not lines:
        return
    says = "The compiler turned these int8 products into dp4a: four products and their sum at once."
    bytes_loaded = sum(one.opcode.startswith("ld.global") and one.opcode.endswith("8") for one in code)
    if bytes_loaded < BYTES_OF_A_FACTOR:  # fewer feed something else, such as a residual
        yield LintFinding("dp4a", "", says, lines=lines, severity=NOTE)
        return
    yield LintFinding(
        kind="dp4a_byte_loads",
        misconception="byte_loads",
        says=f"{says} It is fed by loads of single bytes, which are then packed.",
        remedy="View the int8 arrays as int32 on the host and take each word apart with int8(word >> shift): "
        "one load brings all four.",
        lines=lines,
        severity=NOTE,
    )


def _lines_where(code: Sequence[Instruction], file: str, holds: Callable[[Instruction], bool]) -> tuple[int, ...]:
    """Lines of the learner's file with an instruction for which `holds`."""
    return tuple(sorted({place.line for one in code if holds(one) for place in one.places if place.is_in(file)}))


def _lines_of(tree: ast.FunctionDef | None, name: str) -> tuple[int, ...]:
    return tuple(sorted({call.lineno for call in calls_in(tree, name)})) if tree else ()
