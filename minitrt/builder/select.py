"""Choose a tactic for every operation, and with it layouts; put a reformat wherever two disagree.

The cost of a choice is its time plus the time of the reformats at its edges. Several starts (fastest everywhere, one
layout everywhere) are improved operation by operation until nothing gets better, and the best end wins. Without times
(no device, or a build for another one) a tactic's place in the list counts instead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from minitrt.graph.ir import HWC, LINEAR, Graph, Op, Value
from minitrt.tactics.contract import Tactic

Timed = list[tuple[float, Tactic]]  # microseconds, fastest first
REFORMAT_US, BYTES_PER_US = 3.0, 2.5e6  # a guess until the reformat itself is timed: launch, and 2.5 TB/s
IMPOSSIBLE = 1e12


class NothingToChoose(ValueError):
    """Operations that no tactic runs, not even the reference. Attribute: names."""

    def __init__(self, names: list[str]):
        super().__init__(f"no tactic is left for {', '.join(names)}: whoever times tactics must keep the reference one")
        self.names = names


@dataclass
class Selection:
    """tactics: one an operation, in the graph's order. cost_us: of the best assignment."""

    graph: Graph
    tactics: list[Timed]
    chosen: list[int]
    cost_us: float = 0.0

    def timed(self, index: int) -> tuple[float, Tactic]:
        """Time and tactic of operation `index`."""
        return self.tactics[index][self.chosen[index]]


class Selector:
    """One search over a graph with concrete shapes. can_reformat(value, layout): whether a kernel converts to it."""

    def __init__(self, graph: Graph, timed: list[Timed], can_reformat: Callable[[Value, str, str], bool]):
        nothing = [op.name for op, found in zip(graph.ops, timed, strict=True) if not found]
        if nothing:
            raise NothingToChoose(nothing)
        self.graph, self.timed, self.can_reformat = graph, timed, can_reformat
        self.index = {op: i for i, op in enumerate(graph.ops)}
        self.made_by, self.read_by = graph.producers(), graph.users()
        self.outputs = set(graph.outputs)
        self.known: dict[tuple, float] = {}

    def best(self) -> Selection:
        starts = [[0] * len(self.timed)]
        layouts = {layout for timed in self.timed for _, tactic in timed for layout in tactic.outputs}
        for layout in sorted(layouts):
            starts.append([preferring(timed, layout) for timed in self.timed])
        ends = [self.improved(start) for start in starts]
        cost, chosen = min(((self.total(end), end) for end in ends), key=lambda pair: pair[0])
        return Selection(self.graph, self.timed, chosen, cost)

    def improved(self, chosen: list[int]) -> list[int]:
        """Change one operation at a time while that lowers the sum of its own cost and its edges'."""
        for _ in range(20):
            changed = False
            for i in range(len(chosen)):
                costs = [self.local(i, candidate, chosen) for candidate in range(len(self.timed[i]))]
                lowest = costs.index(min(costs))
                changed |= costs[lowest] < costs[chosen[i]]
                chosen[i] = lowest if costs[lowest] < costs[chosen[i]] else chosen[i]
            if not changed:
                break
        return chosen

    def local(self, i: int, candidate: int, chosen: list[int]) -> float:
        """Time of operation i with this candidate, and of the reformats around it."""
        trial = [*chosen[:i], candidate, *chosen[i + 1 :]]
        op, time = self.graph.ops[i], self.timed[i][candidate][0]
        around = dict.fromkeys([v for v in op.present if not v.is_constant] + op.outputs)
        return time + sum(self.edges(value, trial) for value in around)

    def total(self, chosen: list[int]) -> float:
        times = sum(self.timed[i][c][0] for i, c in enumerate(chosen))
        return times + sum(self.edges(value, chosen) for value in self.graph.values() if not value.is_constant)

    def layout_made(self, value: Value, chosen: list[int]) -> str:
        op = self.made_by.get(value)
        if op is None:
            return value.layout
        return self.timed[self.index[op]][chosen[self.index[op]]][1].outputs[op.outputs.index(value)]

    def layouts_read(self, value: Value, chosen: list[int]) -> set[str]:
        found = {value.layout if value.layout == HWC else LINEAR} if value in self.outputs else set()
        for op in self.read_by.get(value, []):
            wanted = self.timed[self.index[op]][chosen[self.index[op]]][1].inputs
            found |= {wanted[place] for place, one in enumerate(op.inputs) if one is value}
        return found

    def edges(self, value: Value, chosen: list[int]) -> float:
        """Time of the reformats of one value: one for each layout that is read and not made."""
        made = self.layout_made(value, chosen)
        return sum(self.reformat(value, made, wanted) for wanted in self.layouts_read(value, chosen) - {made})

    def reformat(self, value: Value, made: str, wanted: str) -> float:
        key = value, made, wanted
        if key not in self.known:
            possible = self.can_reformat(value, made, wanted)
            self.known[key] = REFORMAT_US + 2 * value.nbytes / BYTES_PER_US if possible else IMPOSSIBLE
        return self.known[key]


def preferring(timed: Timed, layout: str) -> int:
    """The fastest candidate that makes this layout, else the fastest of all."""
    return next((i for i, (_, tactic) in enumerate(timed) if layout in tactic.outputs), 0)


def with_layouts(graph: Graph, tactics: dict[str, Tactic]) -> None:
    """Write the layouts of chosen tactics (by operation's name) on `graph`, and add the reformats that they need."""
    copies: dict[tuple[Value, str], Value] = {}
    ops: list[Op] = []
    for op in graph.ops:
        tactic = tactics.get(op.name)
        for place, (value, wanted) in enumerate(zip(op.inputs, tactic.inputs if tactic else (), strict=False)):
            if value is None or value.is_constant or value.layout == wanted:
                continue
            if (value, wanted) not in copies:
                name = f"Reformatting CopyNode for Input Tensor {place} to {op.name}"
                copies[value, wanted] = value.like(f"{value.name}/{wanted}", layout=wanted)
                ops.append(Op("reformat", name, [value], [copies[value, wanted]], {}, list(op.origin)))
            op.inputs[place] = copies[value, wanted]
        for value, layout in zip(op.outputs, tactic.outputs if tactic else (), strict=False):
            value.layout = layout
        ops.append(op)
    graph.ops = ops
    graph.ops += restored_outputs(graph)


def restored_outputs(graph: Graph) -> list[Op]:
    """Reformats for outputs of the graph that were made in another layout than LINEAR."""
    added = []
    for place, value in enumerate(graph.outputs):
        if value.layout in (LINEAR, HWC) or value in graph.inputs:
            continue
        result = value.like(value.name, layout=LINEAR)
        value.name += f"/{value.layout}"
        maker = graph.producers()[value]
        name = f"Reformatting CopyNode for Output Tensor {maker.outputs.index(value)} to {maker.name}"
        added.append(Op("reformat", name, [value], [result], {}, list(maker.origin)))
        graph.outputs[place] = result
    return added
