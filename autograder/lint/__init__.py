"""Lint: compile a kernel for real, GPU or not, and say what the compiler knows about it, by source line.

report = lint(block_sum, signature_of((values, partial)))
report.error       # why it does not compile, in plain words
report.facts       # registers, spills, stack, shared memory, by architecture
report.findings    # float64 creep, spills, reductions in every thread, ..., by line
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import FunctionType
from typing import Any

from autograder.lint.ast_rules import source_findings
from autograder.lint.compile_errors import explain, wrong_arity
from autograder.lint.compiler import Lowered, assemble, gpu_architecture, lower, to_ptx, unavailable_reason
from autograder.lint.constants import changed_constants
from autograder.lint.fingerprint import Reports, fingerprint_of
from autograder.lint.layouts import strided_arguments
from autograder.lint.occupancy import Occupancy, OccupancyError, theoretical_occupancy
from autograder.lint.precision import float64_findings
from autograder.lint.ptx import instructions
from autograder.lint.ptxas import facts_from_log, shared_excess
from autograder.lint.report import ERROR, NOTE, WARNING, CompileError, Facts, Finding, LintReport
from autograder.lint.resources import local_arrays, over_shared_limit, packed_products, spills, wide_integers
from autograder.lint.signature import SignatureError, describe, signature_of
from autograder.lint.source import parameters, python_function, syntax_of

__all__ = [
    "ERROR",
    "NOTE",
    "WARNING",
    "CompileError",
    "Facts",
    "Finding",
    "LintReport",
    "Occupancy",
    "OccupancyError",
    "SignatureError",
    "describe",
    "lint",
    "signature_of",
    "source_findings",
    "theoretical_occupancy",
]

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
        _reports.put(fingerprint, report)
    return replace(report, findings=(*report.findings, *changed_constants(function)))


def _compile(kernel: Any, function: FunctionType, signature: tuple, wanted: Sequence[str]) -> LintReport:
    """Type, lower and assemble, up to the first error."""
    types = tuple(describe(argument) for argument in signature)
    if error := wrong_arity(function, signature):
        return LintReport(function.__name__, types, error=error)
    try:
        lowered = lower(kernel, signature, wanted[0])
    except Exception as error:  # numba raises its own classes and, from inside, any of Python's
        return LintReport(function.__name__, types, error=explain(error, function))
    return _report(function, signature, wanted, lowered)


def _report(function: FunctionType, signature: tuple, wanted: Sequence[str], lowered: Lowered) -> LintReport:
    """Assemble for every architecture and gather what the facts, the code and the source give away."""
    tree, facts, findings, ptx = syntax_of(function), {}, [], ""
    for architecture in wanted:
        ptx = to_ptx(lowered, architecture)
        assembled = assemble(ptx, architecture, lowered.max_registers)
        if found := facts_from_log(architecture, assembled.log, ptx):
            facts[architecture] = found
        if not findings and (excess := shared_excess(assembled.error)):
            findings.append(over_shared_limit(excess, tree))
    code, file = list(instructions(ptx)), function.__code__.co_filename
    findings += float64_findings(signature, lowered.typed, code)
    findings += source_findings(tree, _array_parameters(function, signature)) if tree else []
    findings += [*spills(facts), *local_arrays(facts, tree, ptx)]
    findings += strided_arguments(function, signature)
    findings += [*wide_integers(facts, code, file), *packed_products(code, file)]
    types = tuple(describe(argument) for argument in signature)
    return LintReport(function.__name__, types, facts=facts, findings=tuple(findings))


def _array_parameters(function: FunctionType, signature: tuple) -> frozenset[str]:
    """Names of the parameters that are arrays in this signature."""
    pairs = zip(parameters(function), signature, strict=False)
    return frozenset(name for name, argument in pairs if getattr(argument, "ndim", 0) > 0)
