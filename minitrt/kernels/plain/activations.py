"""Functions of one float32, and of two, as device functions; the same names as in pointwise programs."""

from __future__ import annotations

import math
from typing import Any

from numba import float32

from minitrt.kernels.inline import inline
from minitrt.kernels.plain.elements import larger, smaller

ONE, HALF, ZERO = float32(1.0), float32(0.5), float32(0.0)
ROOT_HALF, ROOT_2_OVER_PI = float32(math.sqrt(0.5)), float32(math.sqrt(2 / math.pi))
CUBIC, SIXTH = float32(0.044715), float32(1 / 6)


@inline
def identity(x):
    return x


@inline
def relu(x):
    return larger(x, ZERO)


@inline
def sigmoid(x):
    small = math.exp(-abs(x))
    return (ONE if x >= ZERO else small) / (ONE + small)


@inline
def silu(x):
    return x * sigmoid(x)


@inline
def gelu_erf(x):
    return HALF * x * (ONE + math.erf(x * ROOT_HALF))


@inline
def gelu_tanh(x):
    return HALF * x * (ONE + math.tanh(ROOT_2_OVER_PI * (x + CUBIC * x * x * x)))


@inline
def softplus(x, alpha, beta):
    return alpha * (larger(beta * x, ZERO) + math.log1p(math.exp(-abs(beta * x))))


@inline
def mish(x):
    return x * math.tanh(softplus(x, ONE, ONE))


@inline
def hard_swish(x):
    return x * smaller(larger(x * SIXTH + HALF, ZERO), ONE)


@inline
def clip(x, low, high):
    return smaller(larger(x, low), high)


@inline
def leaky_relu(x, alpha):
    return alpha * x if x < ZERO else x


@inline
def elu(x, alpha):
    return alpha * math.expm1(x) if x < ZERO else x


@inline
def selu(x, alpha, gamma):
    return gamma * (alpha * math.expm1(x) if x < ZERO else x)


@inline
def celu(x, alpha):
    return larger(x, ZERO) + smaller(ZERO, alpha * math.expm1(x / alpha))


@inline
def hard_sigmoid(x, alpha, beta):
    return smaller(larger(alpha * x + beta, ZERO), ONE)


@inline
def scaled_tanh(x, alpha, beta):
    return alpha * math.tanh(beta * x)


@inline
def thresholded_relu(x, alpha):
    return x if x > alpha else ZERO


@inline
def swish(x, alpha):
    return x * sigmoid(alpha * x)


@inline
def tanh(x):
    return math.tanh(x)


PARAMETERS = {"clip": 2, "leaky_relu": 1, "elu": 1, "hard_sigmoid": 2, "scaled_tanh": 2, "thresholded_relu": 1}
FUNCTIONS = {
    "none": identity, "relu": relu, "sigmoid": sigmoid, "tanh": tanh, "silu": silu, "gelu_erf": gelu_erf,
    "gelu_tanh": gelu_tanh, "hard_swish": hard_swish, "mish": mish, "clip": clip, "leaky_relu": leaky_relu, "elu": elu,
    "hard_sigmoid": hard_sigmoid, "scaled_tanh": scaled_tanh, "thresholded_relu": thresholded_relu,
}  # fmt: skip


def activation(name: str) -> Any:
    """activate(x, alpha, beta) for the activation of an epilogue. Raises: KeyError for another name."""
    function, count = FUNCTIONS[name], PARAMETERS.get(name, 0)
    if count == 2:
        return function
    if count == 1:
        return inline(lambda x, alpha, beta: function(x, alpha))
    return inline(lambda x, alpha, beta: function(x))
