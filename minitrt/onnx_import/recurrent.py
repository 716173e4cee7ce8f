"""Recurrent layers."""

from __future__ import annotations

from minitrt.network.tensor import ITensor
from minitrt.onnx_import.node import Node, operator

INPUTS = {"LSTM": 8, "GRU": 6, "RNN": 6}


@operator(*INPUTS)
def recurrent(node: Node) -> list[ITensor]:
    attrs = dict(
        hidden=node.attr("hidden_size") or node.shape(2)[-1],
        direction=node.attr("direction", "forward"),
        activations=node.attr("activations"),
        alpha=node.attr("activation_alpha"),
        beta=node.attr("activation_beta"),
        clip=node.attr("clip"),
        layout=node.attr("layout", 0),
        linear_before_reset=node.attr("linear_before_reset", 0),
        input_forget=node.attr("input_forget", 0),
        quantised_states=node.attr("quantised_states"),  # of ONNX Runtime's DynamicQuantizeLSTM
    )
    attrs = {key: value for key, value in attrs.items() if value is not None}
    inputs = [node.tensor(index) for index in range(INPUTS[node.op_type])]
    count = 3 if node.op_type == "LSTM" else 2
    return node.builtin(node.op_type.lower(), inputs, count, **attrs)
