"""The reference backend as a tactic: one launch, which the runtime answers by computing the operation with NumPy."""

from __future__ import annotations

from minitrt.graph.ir import HWC, LINEAR, Op, Value
from minitrt.shapes import waits
from minitrt.tactics.contract import REFERENCE, Device, KernelKey, Launch, Tactic
from minitrt.tactics.own import registry

EFFECTS = ("plugin", "assertion")  # run for more than their results


def reference_tactic(op: Op) -> Tactic:
    return Tactic(REFERENCE, launches, tuple(map(_layout, op.inputs)), tuple(map(_layout, op.outputs)))


def _layout(value: Value | None) -> str:
    """LINEAR, but at an end of the network that is HWC."""
    return HWC if value is not None and value.layout == HWC else LINEAR


def launches(op: Op) -> list[Launch]:
    return [Launch(KernelKey.of(REFERENCE))]


def idle(op: Op) -> bool:
    """Whether nothing is left to compute: every result is known already, or has no element."""
    done = all(value.is_constant or 0 in value.shape and -1 not in value.shape for value in op.outputs)
    return op.kind not in EFFECTS and done


def candidates(op: Op, device: Device | None) -> list[Tactic]:
    """Every tactic that can run `op`: readers' first, then kernels where there is a device and one that fits, else the
    reference.

    What is idle has no kernel, nor has what writes to host memory, or waits for sizes.
    """
    if idle(op) or waits(op) or any(value.host for value in op.outputs):
        return [reference_tactic(op)]
    own = registry.candidates(op, device)
    if device is None:
        return [*own, reference_tactic(op)]
    from minitrt.tactics.candidates import device_candidates

    return [*own, *device_candidates(op, device)] or [reference_tactic(op)]
