"""Lint: compile a kernel for real, GPU or not, and say what the compiler knows about it, by source line.

report = lint(block_sum, signature_of((values, partial)))
report.error       # why it does not compile, in plain words
report.facts       # registers, spills, stack, shared memory, by architecture
report.findings    # float64 creep, spills, reductions in every thread, ..., by line
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from types import FunctionType
from typing import Any

from autograder.lint.ast_rules import source_findings
from autograder.lint.compile_errors import explain, wrong_arity
from autograder.lint.compiler import Lowered, compute_capability, gpu_architecture, lower, unavailable_reason
from autograder.lint.fingerprint import Reports, fingerprint_of
from autograder.lint.from_source.float_sums import float_sums
from autograder.lint.frozen_constants import changed_constants
from autograder.lint.layouts import strided_arguments
from autograder.lint.machine_code.assembly import Assembly, assemble_for, refusals
from autograder.lint.machine_code.loops import MEASURES
from autograder.lint.machine_code.ptx import all_instructions, opcodes
from autograder.lint.machine_code.ptxas import shared_excess
from autograder.lint.machine_code.successor.faults import wrong_results
from autograder.lint.nvvm_faults import LostLabel, is_of_nvvm, leave_out_variables, not_optimised
from autograder.lint.occupancy import Occupancy, OccupancyError, theoretical_occupancy
from autograder.lint.precision import float64_findings
from autograder.lint.report import ERROR, NOTE, WARNING, CompileError, Facts, LintFinding, LintReport
from autograder.lint.resources import local_arrays, over_shared_limit, packed_products, spills, wide_integers
from autograder.lint.signature import SignatureError, describe, signature_of
from autograder.lint.source import divisions_of, helpers_of, parameters, python_function, syntax_of
from simt.compilers import successor_in_use

__all__ = [
    "ERROR",
    "NOTE",
    "WARNING",
    "CompileError",
    "Facts",
    "LintFinding",
    "LintReport",
    "Occupancy",
    "OccupancyError",
    "SignatureError",
    "describe",
    "lint",
    "signature_of",
    "source_findings",
    "helpers_of",
    "syntax_of",
    "theoretical_occupancy",
    "unavailable_reason",
]

ATTEMPTS = (
    (True, 3),
    (False, 3),
    (True, 1),
)  # lines, level: what NVVM refuses it may take without lines, or barely optimised
WITHOUT_GPU = ("sm_75", "sm_80", "sm_90")  # a T4, an A100, an H100: what a learner may meet
_reports = Reports()


def lint(kernel: Any, signature: Sequence[Any], *, architectures: Sequence[str] | None = None) -> LintReport:
    """Compile a kernel for these argument types and report errors, facts and findings.

    Args:    kernel: numba dispatcher, stand-in kernel or plain function; signature: numba types, see `signature_of`;
             architectures: as in ("sm_75", "sm_90"); default: this machine's GPU, or WITHOUT_GPU.
    Returns: LintReport. Nothing the learner wrote makes this raise.
    """
    function = python_function(kernel)
    types = tuple(describe(argument) for argument in signature)
    if reason := unavailable_reason():
        return LintReport(function.__name__, types, available=False, reason=reason)
    wanted = tuple(architectures or ([gpu_architecture()] if gpu_architecture() else WITHOUT_GPU))
    fingerprint = fingerprint_of(kernel, types, wanted)
    report = _reports.get(fingerprint)
    if report is None:
        report = _compile(kernel, function, tuple(signature), wanted)
        if fingerprint == fingerprint_of(kernel, types, wanted):  # nothing was changed while it was compiled
            _reports.put(fingerprint, report)
    return replace(report, findings=(*report.findings, *changed_constants(function)))


def _compile(kernel: Any, function: FunctionType, signature: tuple, wanted: Sequence[str]) -> LintReport:
    """Type, lower and assemble, up to the first error."""
    types = tuple(describe(argument) for argument in signature)
    if error := wrong_arity(function, signature):
        return LintReport(function.__name__, types, error=error)
    errors: list[Exception] = []
    for lines, level in ATTEMPTS:
        try:
            lowered, assembly = _machine_code(kernel, signature, wanted, lines, level)
            break
        except Exception as error:  # numba raises its own classes and, from inside, any of Python's
            errors.append(error)
            if not is_of_nvvm(error):
                return LintReport(function.__name__, types, error=explain(error, function, signature))
    else:
        return LintReport(function.__name__, types, error=explain(errors[0], function, signature))
    with_lines = next((error.ptx for error in errors if isinstance(error, LostLabel)), assembly.ptx)
    findings = tuple(_findings(function, signature, lowered, assembly, with_lines))
    if level < 3:
        findings = (not_optimised(function), *findings)
    report = LintReport(function.__name__, types, facts=assembly.facts, findings=findings)
    return replace(report, code=_counted(assembly, findings), opcodes=opcodes(assembly.ptx))


def _machine_code(
    kernel: Any, signature: tuple, wanted: Sequence[str], lines: bool, level: int
) -> tuple[Lowered, Assembly]:
    """Lowered and assembled for every architecture that is wanted. lines: with line information; level: as `lower`.

    What NVVM refuses goes there once more without its variables: to lower it again takes longer than NVVM does.
    """
    lowered = lower(kernel, signature, min(wanted, key=compute_capability), lines, level)
    try:
        return lowered, assemble_for(lowered, wanted)
    except Exception as error:
        if not is_of_nvvm(error) or not leave_out_variables(lowered.library):
            raise
        with suppress(Exception):  # the first error says more
            return lowered, assemble_for(lowered, wanted)
        raise


def _findings(
    function: FunctionType, signature: tuple, lowered: Lowered, assembly: Assembly, with_lines: str
) -> Iterator[LintFinding]:
    """What the assembler, the machine code and the source give away; what stops a launch comes first.

    with_lines: PTX that says where it comes from, even if no assembler takes it.
    """
    tree, file = syntax_of(function), function.__code__.co_filename
    code, facts = all_instructions(with_lines), assembly.facts
    excess = next(filter(None, map(shared_excess, assembly.refused.values())), None)
    yield from [over_shared_limit(excess, tree)] if excess else refusals(assembly)
    if successor_in_use():
        yield from wrong_results(lowered.typed)
    yield from float64_findings(signature, lowered.typed, code)
    yield from float_sums(signature, lowered.typed)
    if tree:
        helpers = helpers_of(function), helpers_of(function, elsewhere=True)
        yield from source_findings(tree, _array_parameters(function, signature), *helpers)
    yield from strided_arguments(function, signature)
    yield from spills(facts)
    yield from local_arrays(facts, tree, assembly.ptx)
    yield from wide_integers(facts, code, file, divisions_of(function))
    yield from packed_products(code, file)


def _counted(assembly: Assembly, findings: Sequence[LintFinding]) -> dict[str, float]:
    """The counters of the machine code, by the names in `report.COMPILED`."""
    facts = assembly.facts.values()
    lines = {
        kind: {line for one in findings if one.kind == kind for line in one.lines}
        for kind in ("int64_division", "float64_arithmetic")
    }
    return {
        "registers": max((one.registers for one in facts), default=0),
        "spilled_bytes": max((one.spill_bytes for one in facts), default=0),
        "local_memory_bytes": max((one.stack_frame_bytes for one in facts), default=0),
        **{name: measure(assembly.ptx) for name, measure in MEASURES.items()},
        "int64_divisions": len(lines["int64_division"]),
        "float64_lines": len(lines["float64_arithmetic"]),
    }


def _array_parameters(function: FunctionType, signature: tuple) -> frozenset[str]:
    """Names of the parameters that are arrays in this signature."""
    pairs = zip(parameters(function), signature, strict=False)
    return frozenset(name for name, argument in pairs if getattr(argument, "ndim", 0) > 0)
