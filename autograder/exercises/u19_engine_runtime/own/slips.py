"""Wrong ways to put a convolution into the engine: layers taken or left, and wrong arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u19_engine_runtime.own.values import engine_of

Change = Callable[[dict[str, Any], Any], dict[str, Any]]
TRAITS: dict[str, Callable[[Any, Any], bool]] = {  # what conv_layer cannot do: (sizes, operation) -> whether it is so
    "window": lambda g, op: g.kernel != (3, 3),
    "stride": lambda g, op: g.stride != (1, 1),
    "dilation": lambda g, op: g.dilation != (1, 1),
    "padding": lambda g, op: (g.pads_before, g.pads_after) != ((1, 1), (1, 1)),
    "groups": lambda g, op: g.groups != 1,
    "result": lambda g, op: op.output.dtype.name != "INT8",
    "activation": lambda g, op: activation_of(op) not in (None, "relu", "clip"),
}
HALVES: dict[str, Callable[[Any, Any], bool]] = {  # the same, asked of one of two numbers
    "window": lambda g, op: g.kernel[0] != 3,
    "stride": lambda g, op: g.stride[0] != 1,
    "dilation": lambda g, op: g.dilation[0] != 1,
    "padding": lambda g, op: g.pads_before != (1, 1),
}
REFUSALS: dict[str, Callable[[Any, Any], bool]] = {  # what it can do, and somebody may leave to the engine
    "residual": lambda g, op: op.input(3) is not None,
    "activation": lambda g, op: activation_of(op) != "relu",
    "ragged": lambda g, op: g.channels % 32 != 0 or g.out_channels % 32 != 0,
}


def activation_of(op: Any) -> str | None:
    return (op.attrs.get("activation") or {}).get("type")


@dataclass(frozen=True)
class Wiring:
    """supports and arguments of an answer with one mistake.

    overlooks: of TRAITS; halves: of HALVES; refuses: of REFUSALS; change: of the arguments by name, given the
    operation.
    """

    engine: Any
    overlooks: str = ""
    halves: str = ""
    refuses: str = ""
    change: Change | None = None

    def supports(self, op: Any) -> bool:
        """Whether it takes an operation."""
        g = self.engine.sizes(op)
        if op.kind != "conv" or g is None:
            return False
        if self.refuses and REFUSALS[self.refuses](g, op):
            return False
        asks = TRAITS | {name: HALVES[name] for name in HALVES if name == self.halves}
        return not any(is_so(g, op) for name, is_so in asks.items() if name != self.overlooks)

    def arguments(self, op: Any) -> tuple:
        """What its kernel gets."""
        g, e = self.engine.sizes(op), self.engine.epilogue(op)
        n_in, n_out = -(-g.channels // 32), -(-g.out_channels // 32)
        wide = np.zeros((32 * n_in, 9, g.out_channels), np.int8)
        wide[: g.channels] = op.inputs[1].data.transpose(1, 2, 3, 0).reshape(g.channels, 9, -1)
        numbers = np.zeros((2, 32 * n_out), np.float32)
        numbers[:, : g.out_channels] = e.multiplier, e.addend
        adds = e.residual_multiplier is not None
        named = {
            "src": self.engine.input(0),
            "weights": wide.reshape(n_in, 32, 9, -1).transpose(0, 2, 3, 1),
            "pitch": g.size[1] + 1,
            "height": g.size[0] + 1,
            "multiplier": numbers[0],
            "addend": numbers[1],
            "residual": self.engine.input(3) if adds else self.engine.nothing,
            "residual_multiplier": e.residual_multiplier if adds else 0.0,
            "low": e.low,
            "high": e.high,
            "dst": self.engine.output(),
        }
        return tuple((self.change(named, op) if self.change else named).values())


def made_by(**mistake: Any) -> Callable[[Values], dict]:
    """What comes of a mistake in a case."""

    def produces(values: Values) -> dict:
        engine = engine_of(values["engine"])
        wiring = Wiring(engine, **mistake)
        taken, proofs = engine.tries(wiring.supports, wiring.arguments)
        return {"taken": taken, "proofs": proofs}

    return produces


def taps_exchanged(named: dict[str, Any], op: Any) -> dict[str, Any]:
    taps = named["weights"].reshape(len(named["weights"]), 3, 3, -1, 32)
    return named | {"weights": np.ascontiguousarray(taps.transpose(0, 2, 1, 3, 4)).reshape(named["weights"].shape)}


def of_first_channel(named: dict[str, Any], op: Any) -> dict[str, Any]:
    return named | {"multiplier": np.full_like(named["multiplier"], named["multiplier"][0])}


def in_real_units(named: dict[str, Any], op: Any) -> dict[str, Any]:
    return named | {"addend": named["addend"] * np.float32(op.output.scale)}


CHANGES: dict[str, Change] = {
    "taps_exchanged": taps_exchanged,
    "one_multiplier": of_first_channel,
    "without_bias": lambda named, op: named | {"addend": np.zeros_like(named["addend"])},
    "bias_in_real_units": in_real_units,
    "residual_not_added": lambda named, op: named | {"residual_multiplier": 0.0},
    "activation_forgotten": lambda named, op: named | {"low": -np.inf, "high": np.inf},
    "other_line": lambda named, op: named | {"pitch": named["pitch"] - 1, "height": named["height"] - 1},
}
BIAS = dict.fromkeys(("without_bias", "bias_in_real_units"), "other_bias")
OVERLOOKED = {
    "window": "a layer was taken whose window is not 3 x 3, and conv_layer has nine taps",
    "stride": "a layer was taken that steps over places, and conv_layer works out every one",
    "dilation": "a layer was taken whose taps lie apart, and conv_layer's are neighbours",
    "padding": "a layer was taken that is padded otherwise than by one zero all round, so its result has another size",
    "groups": "a layer was taken whose channels fall into groups, and conv_layer adds over all of them",
    "result": "a layer was taken whose result is no INT8, and conv_layer stores steps",
    "activation": "a layer was taken whose activation is no cut at two ends, and conv_layer has low and high alone",
}
LEFT = {
    "residual": "a layer with a residual was left to the engine, and conv_layer adds one",
    "activation": "a layer without a ReLU was left to the engine: conv_layer cuts at low and high, whatever they are",
    "ragged": "a layer whose channels are no multiple of 32 was left to the engine: what is added up to 32 is zeros",
}
WRONG = {
    "taps_exchanged": "rows and columns of the window are exchanged: tap 3 a + b is row a and column b",
    "one_multiplier": "every channel got the multiplier of channel 0: weights have a scale per channel",
    "without_bias": "the bias is missing: it is the epilogue's addend",
    "bias_in_real_units": "the bias came in real units, and addend is in steps of the output",
    "residual_not_added": "the residual was not added: its multiplier is in the epilogue",
    "activation_forgotten": "the activation is missing: low and high are in the epilogue",
    "other_line": "pitch and height are not those of the line, so zero cells are not where they should be: a row of "
    "the line has a zero more than the picture has columns, and a picture has a row of zeros more",
}
WIRED = (
    *(Slip("takes_too_much", says, made_by(overlooks=name)) for name, says in OVERLOOKED.items()),
    *(Slip("takes_too_much", f"{OVERLOOKED[name]}: ask both directions", made_by(halves=name)) for name in HALVES),
    *(Slip("leaves_too_much", says, made_by(refuses=name)) for name, says in LEFT.items()),
    *(Slip(BIAS.get(name, name), says, made_by(change=CHANGES[name])) for name, says in WRONG.items()),
)
