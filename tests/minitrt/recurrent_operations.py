"""Recurrent layers of every kind, with ragged sizes."""

from __future__ import annotations

import numpy as np

from minitrt.graph.ir import Op
from minitrt.kernels.plain.recurrent import GATES
from tests.minitrt.plain_operations import I32, F, H, constant, op, value

rng = np.random.default_rng(31)
TIME, BATCH, SIZE, HIDDEN = 4, 2, 7, 5
OPTIONAL = ("b", "lengths", "h", "c", "p")  # inputs 3 to 7


def layer(kind: str, with_: str = "", ways: int = 1, dtype=F, time: int = TIME, **attrs) -> Op:
    """with_: which optional inputs there are, by name."""
    rows, batch_first = GATES[kind] * HIDDEN, bool(attrs.get("layout"))
    states = (BATCH, ways, HIDDEN) if batch_first else (ways, BATCH, HIDDEN)
    shapes = dict(b=(ways, 2 * rows), h=states, c=states, p=(ways, 3 * HIDDEN))
    x = (BATCH, time, SIZE) if batch_first else (time, BATCH, SIZE)
    y = (BATCH, time, ways, HIDDEN) if batch_first else (time, ways, BATCH, HIDDEN)
    inputs = [value("x", dtype, x), value("w", dtype, (ways, rows, SIZE)), value("r", dtype, (ways, rows, HIDDEN))]
    for name in OPTIONAL[: 5 if kind == "lstm" else 3]:
        given = constant(name, I32, [time, time - 2]) if name == "lengths" else value(name, dtype, shapes.get(name, ()))
        inputs.append(given if name in with_.split() else None)
    if ways == 2:
        attrs["direction"] = "bidirectional"
    results = [value(name, dtype, states) for name in ("last h", "last c")[: 2 if kind == "lstm" else 1]]
    return op(kind, inputs, [value("y", dtype, y), *results], hidden=HIDDEN, **attrs)


OPS = {
    "LSTM both ways, of sequences that end": layer("lstm", "b lengths h c", ways=2),
    "LSTM with peepholes, coupled gates, clipped": layer("lstm", "b p c", input_forget=1, clip=0.4),
    "LSTM of halves, batch first, backwards": layer("lstm", "h", dtype=H, layout=1, direction="reverse"),
    "LSTM, peepholes both ways, other activations": layer(
        "lstm", "p", ways=2, activations=["HardSigmoid", "Softsign", "Relu"] * 2
    ),
    "GRU both ways, of sequences that end": layer("gru", "b lengths h", ways=2, clip=0.7),
    "GRU, product before reset": layer("gru", "b", linear_before_reset=1),
    "GRU of halves, batch first": layer("gru", "b h", dtype=H, layout=1, ways=2, linear_before_reset=1),
    "simple layer, backwards, of sequences that end": layer("rnn", "b lengths h", direction="reverse"),
}
