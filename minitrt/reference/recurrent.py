"""LSTM, GRU and simple recurrent layers with ONNX's weights and gate orders.

Inputs: x (time, batch, size), or (batch, time, size) with layout 1; W (directions, gates*hidden, size); R (directions,
gates*hidden, hidden); B (directions, 2*gates*hidden) or None; lengths (batch,) or None; initial hidden state or None;
an LSTM's initial cell and peepholes P (directions, 3*hidden). Outputs: Y (time, directions, batch, hidden), Y_h, and
Y_c. Attributes: hidden, direction (forward, reverse, bidirectional), activations (one a gate kind and direction),
alpha, beta, clip, linear_before_reset (GRU), input_forget (LSTM), layout, quantised_states (LSTM): what R is multiplied
with is rounded to UINT8 by its own range in every step.
"""

from __future__ import annotations

import numpy as np

from minitrt.graph.ir import Op
from minitrt.reference.pointwise import OPERATIONS, sigmoid
from minitrt.reference.registry import evaluates

ACTIVATIONS = {
    "sigmoid": lambda x, a, b: sigmoid(x),
    "tanh": lambda x, a, b: np.tanh(x),
    "relu": lambda x, a, b: np.maximum(x, 0),
    "affine": lambda x, a, b: a * x + b,
    "leakyrelu": lambda x, a, b: np.where(x < 0, a * x, x),
    "hardsigmoid": lambda x, a, b: np.clip(a * x + b, 0, 1),
    "elu": lambda x, a, b: OPERATIONS["elu"](x, a),
    "softsign": lambda x, a, b: OPERATIONS["softsign"](x),
    "softplus": lambda x, a, b: OPERATIONS["softplus"](x),
    "scaledtanh": lambda x, a, b: a * np.tanh(b * x),
    "thresholdedrelu": lambda x, a, b: np.where(x > a, x, 0),
}
DEFAULTS = {"lstm": ("sigmoid", "tanh", "tanh"), "gru": ("sigmoid", "tanh"), "rnn": ("tanh",)}
GATES = {"lstm": 4, "gru": 3, "rnn": 1}


@evaluates("lstm")
def lstm(op: Op, x, w, r, b=None, lengths=None, h=None, c=None, p=None):
    return run(op, x, w, r, b, lengths, h, c, p)


@evaluates("gru")
@evaluates("rnn")
def without_cells(op: Op, x, w, r, b=None, lengths=None, h=None):
    return run(op, x, w, r, b, lengths, h, None, None)[:2]


def run(op: Op, x, w, r, b, lengths, h, c, p) -> tuple[np.ndarray, ...]:
    """All directions of one layer."""
    batch_first, hidden, kind = op.attrs.get("layout", 0), op.attrs["hidden"], op.kind
    if batch_first:
        x = x.swapaxes(0, 1)
        h, c = (s if s is None else s.swapaxes(0, 1) for s in (h, c))
    time, batch, _ = x.shape
    directions = w.shape[0]
    b = np.zeros((directions, 2 * GATES[kind] * hidden), x.dtype) if b is None else b
    zeros = np.zeros((directions, batch, hidden), x.dtype)
    h, c = (zeros if s is None else s for s in (h, c))
    p = np.zeros((directions, 3 * hidden), x.dtype) if p is None else p
    lengths = np.full(batch, time) if lengths is None else lengths
    results = []
    for d in range(directions):
        backwards = op.attrs.get("direction") == "reverse" or d == 1
        cell = CELLS[kind](op, activations(op, d), w[d], r[d], b[d], p[d])
        results.append(scan(cell, x, h[d], c[d], lengths, backwards))
    y = np.stack([result[0] for result in results], axis=1)
    last_h, last_c = (np.stack([result[i] for result in results]) for i in (1, 2))
    if batch_first:
        return y.transpose(2, 0, 1, 3), last_h.swapaxes(0, 1), last_c.swapaxes(0, 1)
    return y, last_h, last_c


def scan(cell, x, h, c, lengths, backwards: bool):
    """Step through time; a sequence that has ended keeps its state and gives zeros."""
    time = x.shape[0]
    ys = np.zeros((time, *h.shape), x.dtype)
    for t in range(time - 1, -1, -1) if backwards else range(time):
        live = (t < lengths)[:, None]
        new_h, new_c = cell(x[t], h, c)
        h, c = np.where(live, new_h, h), np.where(live, new_c, c)
        ys[t] = np.where(live, new_h, 0)
    return ys, h, c


def activations(op: Op, direction: int) -> list:
    """The functions of one direction, with their parameters; and clip, applied to their arguments, sums of gates all of
    them: not to an LSTM's memory, which ONNX Runtime does not bound either."""
    names = [name.lower() for name in op.attrs.get("activations") or []] or list(DEFAULTS[op.kind]) * 2
    count, clip = len(DEFAULTS[op.kind]), op.attrs.get("clip")
    parameters = {"leakyrelu": (0.01, 0), "hardsigmoid": (0.2, 0.5), "elu": (1, 0), "affine": (1, 0)}
    alphas, betas = list(op.attrs.get("alpha") or []), list(op.attrs.get("beta") or [])
    made = []
    for place, name in enumerate(names[direction * count : (direction + 1) * count]):
        alpha, beta = parameters.get(name, (1, 1))
        if name in ("affine", "leakyrelu", "thresholdedrelu", "scaledtanh", "hardsigmoid", "elu"):
            alpha = alphas.pop(0) if alphas else alpha
            beta = betas.pop(0) if betas and name in ("affine", "scaledtanh", "hardsigmoid") else beta

        def function(v, f=ACTIVATIONS[name], a=alpha, b=beta, limit=clip if place < 2 else None):
            return f(np.clip(v, -limit, limit) if limit else v, a, b)

        made.append(function)
    return made


def lstm_cell(op: Op, functions, w, r, b, p):
    """Gates in ONNX's order: input, output, forget, cell."""
    f, g, out = functions
    half = len(b) // 2
    peep_i, peep_o, peep_f = np.split(p, 3)

    def step(x, h, c):
        h = rounded(h) if op.attrs.get("quantised_states") else h
        i, o, forget, new = np.split(x @ w.T + h @ r.T + b[:half] + b[half:], 4, axis=-1)
        i = f(i + peep_i * c)
        forget = 1 - i if op.attrs.get("input_forget") else f(forget + peep_f * c)
        c = forget * c + i * g(new)
        return f(o + peep_o * c) * out(c), c

    return step


def rounded(x: np.ndarray) -> np.ndarray:
    """What UINT8 by ONNX's DynamicQuantizeLinear leaves of an array."""
    low, high = min(x.min(initial=0), 0), max(x.max(initial=0), 0)
    scale = np.float32((high - low) / 255) or np.float32(1)
    zero = np.rint(-low / scale)
    return ((np.clip(np.rint(x / scale) + zero, 0, 255) - zero) * scale).astype(x.dtype)


def gru_cell(op: Op, functions, w, r, b, p):
    """Gates in ONNX's order: update, reset, hidden."""
    f, g = functions
    wz, wr, wh = np.split(w, 3)
    rz, rr, rh = np.split(r, 3)
    bz, br, bh, cz, cr, ch = np.split(b, 6)

    def step(x, h, c):
        update = f(x @ wz.T + h @ rz.T + bz + cz)
        reset = f(x @ wr.T + h @ rr.T + br + cr)
        if op.attrs.get("linear_before_reset"):
            new = g(x @ wh.T + reset * (h @ rh.T + ch) + bh)
        else:
            new = g(x @ wh.T + (reset * h) @ rh.T + bh + ch)
        return (1 - update) * new + update * h, c

    return step


def rnn_cell(op: Op, functions, w, r, b, p):
    half = len(b) // 2
    return lambda x, h, c: (functions[0](x @ w.T + h @ r.T + b[:half] + b[half:]), c)


CELLS = {"lstm": lstm_cell, "gru": gru_cell, "rnn": rnn_cell}
