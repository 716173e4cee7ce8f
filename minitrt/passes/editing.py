"""What passes share: who makes and who reads a value, kept up to date while the graph changes; names; matching."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from itertools import count

import numpy as np

from minitrt.graph.ir import DATA_TYPES, Graph, Op, Value, joint_name

Log = Callable[[str], None]


class Editor:
    """A graph under edit."""

    def __init__(self, graph: Graph, log: Log):
        self.graph, self.log = graph, log
        self.seen: dict[Op, tuple[list[Value | None], list[Value]]] = {}  # what each read and made at the last look
        self.made_by: dict[Value, Op] = {}
        self.read_by: dict[Value, set[Op]] = {}
        self.held: set[Op] = set()  # operations that a pass got hold of, and may change
        self.refresh()

    def refresh(self) -> None:
        """Look at the whole graph again, when something is asked: it was changed behind the editor's back."""
        self.stale = self.all_stale = True
        self.place: dict[Op, int] = {}
        self.names: set[str] = set()
        self.ends: tuple[list[Value], list[Value]] = ([], [])

    def look(self) -> None:
        """Enter what changed since the last look: of the operations that a pass has hold of, if that is known."""
        if not self.stale:
            return
        looked_at = self.held
        if self.all_stale:
            looked_at = set(self.graph.ops)
            for gone in self.seen.keys() - looked_at:
                self.forget(gone)
        for op in looked_at:
            was = self.seen.get(op)
            if was is None or was[0] != op.inputs or was[1] != op.outputs:
                self.forget(op)
                self.seen[op] = list(op.inputs), list(op.outputs)
                self.made_by.update((value, op) for value in op.outputs)
                for value in op.present:
                    self.read_by.setdefault(value, set()).add(op)
        self.stale = self.all_stale = False

    def forget(self, op: Op) -> None:
        inputs, outputs = self.seen.pop(op, ((), ()))
        for value in inputs:
            self.read_by.get(value, set()).discard(op)
        for value in outputs:
            if self.made_by.get(value) is op:
                del self.made_by[value]

    def each(self) -> Iterator[Op]:
        """Every operation that was there at the start and still is: it, and what is reached from it, may be changed
        until the next one is asked for."""
        for op in list(self.graph.ops):
            self.look()
            if op in self.seen:
                self.held = {op}
                yield op
                self.stale = True

    @property
    def watched(self) -> set[Value]:
        """What someone outside sees."""
        outputs, kept = self.graph.outputs, self.graph.kept
        if self.ends[0] is not outputs or self.ends[1] is not kept:
            self.ends, self.outside = (outputs, kept), {*outputs, *kept}
        return self.outside

    def producer(self, value: Value | None, kind: str | None = None) -> Op | None:
        """The operation that makes `value`, if there is one (of this kind)."""
        self.look()
        op = self.made_by.get(value) if value is not None else None
        if op is not None:
            self.held.add(op)
        return op if op is not None and kind in (None, op.kind) else None

    def readers(self, value: Value) -> Set[Op]:
        """The operations that read `value`."""
        self.look()
        found = self.read_by.get(value, set())
        self.held |= found
        return found

    def users(self, value: Value) -> list[Op]:
        """The operations that read `value`, in the graph's order."""
        found = list(self.readers(value))
        if len(found) > 1:
            self.place = self.place or {op: place for place, op in enumerate(self.graph.ops)}
            found.sort(key=lambda op: self.place.get(op, 0))
        return found

    def only_user(self, value: Value, kind: str | None = None) -> Op | None:
        """The one operation that reads `value`, reading it once, when nobody else wants it."""
        readers = self.readers(value)
        if len(readers) != 1 or value in self.watched:
            return None
        (user,) = readers
        return user if user.inputs.count(value) == 1 and kind in (None, user.kind) else None

    def fresh(self, name: str) -> str:
        """As Graph.fresh; each name is given once."""
        if not self.names:
            self.names = {value.name for value in self.graph.values()}
        found = name
        for number in count(1):
            if found not in self.names:
                break
            found = f"{name}_{number}"
        self.names.add(found)
        return found

    def absorb(self, op: Op, gone: Op, rename: bool = True) -> None:
        """Let `op` stand for `gone`, too: it takes over gone's output and name; `gone` leaves the graph."""
        self.log(f"fuse {gone.name} into {op.name}")
        if rename:
            op.name = joint_name(op, gone)
        op.origin = [*op.origin, *(name for name in gone.origin if name not in op.origin)]
        op.outputs = [gone.output, *op.outputs[1:]]
        self.held.add(op)
        self.remove(gone)

    def bypass(self, gone: Op, value: Value) -> None:
        """Remove an operation whose output is `value` anyway; an output of the graph keeps its name."""
        self.graph.replace(gone.output, value, set(self.readers(gone.output)))
        self.remove(gone)

    def remove(self, *ops: Op) -> None:
        self.graph.remove(ops)
        for op in ops:
            self.forget(op)
        self.held.difference_update(ops)
        self.stale = True

    def insert(self, op: Op, before: Op | None = None, after: Op | None = None) -> None:
        """Put a new operation next to another."""
        self.graph.insert(op, before, after)
        self.held.add(op)
        self.place, self.stale = {}, True

    def fuse(self, op: Op, gone: Op, together: Op) -> None:
        """Put `together`, one operation for both, where `op` was; `gone` leaves the graph, too."""
        self.log(f"fuse {gone.name} into {op.name}")
        self.insert(together, before=op)
        self.remove(op, gone)

    def until_stable(self, rewrite: Callable[[Op], bool]) -> int:
        """Offer every operation to `rewrite` until a whole round changes nothing; returns how often it did."""
        total = 0
        while True:
            changed = sum(bool(rewrite(op)) for op in self.each())
            total += changed
            if not changed:
                return total


def is_step(op: Op | None, *names: str) -> bool:
    """Whether an operation is pointwise with one step of one of these names on its inputs in order."""
    if op is None or op.kind != "pointwise" or len(op.attrs["program"]) != 1:
        return False
    name, args, _ = op.attrs["program"][0]
    return name in names and [a for a in args if isinstance(a, str)] == [f"x{i}" for i in range(len(op.inputs))]


def scalar(value: Value | None) -> float | None:
    """The number that a constant of one element is."""
    if value is None or not value.is_constant or value.size != 1:
        return None
    return value.real.reshape(-1)[0].item()


def constant(name: str, data: np.ndarray, like: Value | None = None) -> Value:
    """A constant; its type from the array, its refit name from `like`."""
    return Value(name, DATA_TYPES[data.dtype], data.shape, data=data, weights=like.weights if like else None)


def per_channel(value: Value, channels: int, rank: int, axis: int) -> np.ndarray | None:
    """A constant that broadcasts along `axis` only, as (channels,) or (1,); None if it does not, and where the axis is
    open (-1 channels), as of a matrix times a vector, whose result has rows alone."""
    if not value.is_constant or channels == -1 or value.size not in (1, channels):
        return None
    if value.size == 1:
        return value.real.reshape(1) if len(value.shape) <= rank else None
    place = len(value.shape) - (rank - axis % rank)
    return value.real.reshape(-1) if 0 <= place < len(value.shape) and value.shape[place] == channels else None
