"""Why an operator is not there, and what to do without it."""

from __future__ import annotations

import onnx

from minitrt.onnx_import.node import OPERATORS, RUNTIME
from minitrt.plugins.nvidia import why_absent

DOMAINS = {
    RUNTIME: "it is ONNX Runtime's own: take the model as it was before ONNX Runtime's optimiser, or export it again",
    "ai.onnx.ml": "it is classical machine learning (trees, scalers, encoders), which engines do not run, nor"
    " TensorRT's: leave that part to ONNX Runtime, or convert it to tensors first",
}


def why_unsupported(proto: onnx.NodeProto) -> str:
    """Of a node whose operator nobody imports, and no plugin is."""
    absent = why_absent(proto.op_type)
    if absent:
        return absent
    why = f"operator {proto.op_type!r} is not supported, and no plugin of that name is registered"
    if proto.domain in DOMAINS:
        return f"{why}; {DOMAINS[proto.domain]}"
    if proto.op_type in OPERATORS:
        return f"{why}: in the domain {proto.domain!r} it need not be what ONNX means by it"
    return f"{why} (domain {proto.domain!r})" if proto.domain else why
