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

        assert set(graph.ops) == {*editor.each()} and {*graph.outputs} == editor.watched
        for value in graph.values():
            assert makers.get(value) is editor.producer(value)
            assert readers.get(value, []) == editor.users(value)


@pytest.mark.parametrize("seed", range(20))
def test_it_knows_what_a_pass_did_to_what_it_was_given_or_got_hold_of(seed):
    rng = random.Random(seed)
    graph = drawn(rng, 40)
    editor = Editor(graph, lambda message: None)

    for op in editor.each():
        if rng.random() < 0.5:
            continue
        maker, kind = editor.producer(rng.choice(op.inputs)), rng.randrange(5)
        if kind == 0 and maker is not None:
            editor.absorb(maker, op)
        elif kind == 1 and maker is not None:
            op.inputs = [maker.inputs[0], None]
        elif kind == 2 and maker is not None:
            op.outputs, maker.outputs = maker.outputs, op.outputs
        elif kind == 3:
            made = Value(editor.fresh("new"), DataType.FLOAT, (1,))
            editor.insert(Op("shuffle", made.name, [op.output], [made]), before=op)
            for reader in editor.readers(op.output):
                reader.inputs = [made, *reader.inputs[1:]]
        else:
            editor.bypass(op, graph.inputs[0])

    makers, readers = graph.producers(), graph.users()
    for value in graph.values():
        assert (editor.producer(value), editor.users(value)) == (makers.get(value), readers.get(value, []))


@pytest.mark.parametrize("seed", range(20))
def test_operations_are_removed_and_inserted_where_a_list_would_have_them(seed):
    rng = random.Random(seed)
    graph = drawn(rng, 10)
    wanted = list(graph.ops)
    for number in range(60):
        beside = rng.choice(wanted)
        place = wanted.index(beside)
        if rng.random() < 0.3 and len(wanted) > 2:
            graph.remove([beside])
            del wanted[place]
            continue
        op, after = Op("shuffle", f"new{number}", [], []), rng.random() < 0.5
        graph.insert(op, **{"after" if after else "before": beside})
        wanted.insert(place + after, op)
        if rng.random() < 0.1:
            assert graph.ops == wanted

    assert graph.ops == wanted
