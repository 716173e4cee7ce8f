"""Findings about what a kernel occupies: shared memory over the limit, spills, local arrays."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from autograder.lint.report import ERROR, WARNING, Facts, Finding
from autograder.lint.source import calls_in


def over_shared_limit(excess: tuple[int, int], tree: ast.FunctionDef | None) -> Finding:
    """The finding for a kernel whose static shared memory the assembler refuses. excess: (bytes asked, allowed)."""
    asked, allowed = excess
    return Finding(
        kind="shared_limit",
        misconception="shared_limit",
        says=f"The block asks for {asked:,} bytes of shared memory, and {allowed:,} is the most it can declare.",
        remedy="Use a smaller tile, a smaller dtype, or dynamic shared memory (cuda.shared.array(0, dtype)), whose limit "
        "is higher on newer GPUs.",
        lines=_lines_of(tree, "shared.array"),
        severity=ERROR,
    )


def spills(facts: Mapping[str, Facts]) -> Iterator[Finding]:
    """One finding when any architecture spills registers; names the worst."""
    worst = max(facts.values(), key=lambda one: one.spill_bytes, default=None)
    if worst and worst.spill_bytes:
        yield Finding(
            kind="register_spill",
            misconception="register_spill",
            says=f"{worst.registers} registers a thread are not enough on {worst.architecture}: {worst.spill_store_bytes} "
            f"bytes are spilled to local memory and {worst.spill_load_bytes} bytes read back.",
            remedy="Keep fewer values alive at once: a smaller tile per thread, or a shorter unrolled loop.",
            severity=WARNING,
        )


def local_arrays(facts: Mapping[str, Facts], tree: ast.FunctionDef | None, ptx: str) -> Iterator[Finding]:
    """A finding when a local array lives in memory instead of registers, because its index is not known to the compiler."""
    worst = max(facts.values(), key=lambda one: one.stack_frame_bytes, default=None)
    lines = _lines_of(tree, "local.array")
    if worst and lines and worst.stack_frame_bytes and "local_depot" in ptx:
        yield Finding(
            kind="local_memory",
            misconception="local_memory",
            says=f"The local array lies in memory, not in registers: {worst.stack_frame_bytes} bytes a thread. Registers "
            "have no index, so an index that depends on data or on a loop that is not unrolled needs memory.",
            remedy="Index it with constants only, or in loops with a small constant count; or use shared memory.",
            lines=lines,
            severity=WARNING,
        )


def _lines_of(tree: ast.FunctionDef | None, name: str) -> tuple[int, ...]:
    return tuple(sorted({call.lineno for call in calls_in(tree, name)})) if tree else ()
