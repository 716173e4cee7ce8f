"""Unit 16, from a graph to few kernels: its exercises in course order."""

from __future__ import annotations

from autograder.exercises.hints import with_hints
from autograder.exercises.u16_engine_graph.chains import RUN_CHAIN
from autograder.exercises.u16_engine_graph.domains import DOMAINS
from autograder.exercises.u16_engine_graph.layers import NETWORK_HEAD, QUERY_KEY_VALUE
from autograder.exercises.u16_engine_graph.recurrent import LSTM_STEP
from autograder.exercises.u16_engine_graph.rewriting import CLEAN_GRAPH, FUSE_GROUPS, INFER_SHAPES
from autograder.exercises.with_domains import with_domains

EXERCISES = with_domains(
    with_hints(
        __file__,
        INFER_SHAPES,
        CLEAN_GRAPH,
        FUSE_GROUPS,
        RUN_CHAIN,
        QUERY_KEY_VALUE,
        NETWORK_HEAD,
        LSTM_STEP,
    ),
    DOMAINS,
)
