"""Unit 14, attention: its exercises in course order."""

from __future__ import annotations

from autograder.exercises.hints import with_hints
from autograder.exercises.u14_attention.attention import ATTENTION_CAUSAL, ATTENTION_FLASH, ATTENTION_NAIVE
from autograder.exercises.u14_attention.domains import DOMAINS, PROMISES
from autograder.exercises.u14_attention.layers import BIAS_GELU_RESIDUAL, LAYER_NORM
from autograder.exercises.u14_attention.rows import SOFTMAX_ONLINE, SOFTMAX_SAFE
from autograder.exercises.u14_attention.tensor import ATTENTION_TENSOR
from autograder.exercises.with_domains import with_domains

EXERCISES = with_domains(
    with_hints(
        __file__,
        BIAS_GELU_RESIDUAL,
        LAYER_NORM,
        SOFTMAX_SAFE,
        SOFTMAX_ONLINE,
        ATTENTION_NAIVE,
        ATTENTION_FLASH,
        ATTENTION_CAUSAL,
        ATTENTION_TENSOR,
    ),
    DOMAINS,
    PROMISES,
)
