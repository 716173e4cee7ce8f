"""Which execution a plan asks for."""

from __future__ import annotations

from minitrt.api.logger import Reporter
from minitrt.plan.plan import Plan
from minitrt.runtime.execution import Execution, HostExecution


def make_execution(plan: Plan, report: Reporter) -> Execution:
    """NumPy for a plan without a device, the GPU for one with."""
    if plan.device is None:
        return HostExecution()
    from minitrt.runtime.gpu import GpuExecution

    return GpuExecution(plan, report)
