"""An editor knows who makes and who reads a value, whatever was done to the graph."""

from __future__ import annotations

import random

import pytest

from minitrt.api.enums import DataType
from minitrt.graph.ir import Graph, Op, Value
from minitrt.passes.editing import Editor


def drawn(rng: random.Random, count: int) -> Graph:
    values, ops = [Value("x", DataType.FLOAT, (1,))], []
    for index in range(count):
        inputs = [rng.choice([*values[-6:], None]) for _ in range(rng.randint(1, 3))]
        values.append(Value(f"v{index}", DataType.FLOAT, (1,)))
        ops.append(Op("pointwise", f"op{index}", inputs, [values[-1]], {"program": []}))
    return Graph("g", ops, values[:1], values[-1:])


def changed(rng: random.Random, graph: Graph, editor: Editor) -> None:
    """One change of the kinds that passes make."""
    op, other = rng.sample(graph.ops, 2)
    kind = rng.randrange(6)
    if kind == 0:
        editor.absorb(op, other)
    elif kind == 1:
        editor.bypass(op, graph.inputs[0])
    elif kind == 2:
        made = Value(graph.fresh("new"), DataType.FLOAT, (1,))
        editor.insert(Op("shuffle", made.name, [op.output, None], [made]), after=op)
    elif kind == 3:
        op.inputs = [other.output, *op.inputs[1:]]
        editor.refresh()
    elif kind == 4:
        op.outputs, other.outputs = other.outputs, op.outputs
        editor.refresh()
    else:
        graph.ops.remove(op)
        graph.ops.append(op)
        editor.refresh()


@pytest.mark.parametrize("seed", range(20))
def test_it_knows_what_the_graph_says(seed):
    rng = random.Random(seed)
    graph = drawn(rng, 30)
    editor = Editor(graph, lambda message: None)

    for _ in range(20):
        changed(rng, graph, editor)
        makers, readers = graph.producers(), graph.users()

        assert set(graph.ops) == set(editor.alive) and {*graph.outputs} == editor.watched
        for value in graph.values():
            assert makers.get(value) is editor.producer(value)
            assert readers.get(value, []) == editor.users(value)
