"""Active masks and the environment of variables that a group of lanes runs in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simt.lanes.blend import INTEGER_OF_SIZE, narrow
from simt.lanes.mixed import Mixed, merged, scattered
from simt.lanes.turning import Turning
from simt.values import UNDEFINED, as_lanes

if TYPE_CHECKING:
    from simt.events import Lanes
    from simt.values import Value

COMPACT_BELOW = 0.5  # run a branch or the rest of a loop on its own lanes when fewer than this share is active
COMPACT_FROM = 256  # lanes below which that does not pay


class Mask:
    """The active lanes of one environment. bits: (width,) bool, or None when all are; count: how many."""

    __slots__ = ("bits", "count", "lanes", "_index", "_blend")

    def __init__(self, bits: np.ndarray | None, count: int):
        self.bits, self.count = bits, count
        self.lanes: Lanes | None = None  # the events.Lanes of this mask, once a listener asked
        self._index: np.ndarray | None = None
        self._blend: dict[int, np.ndarray] | None = None

    @property
    def index(self) -> np.ndarray:
        """(count,) positions of the active lanes; only when `bits` is not None."""
        if self._index is None:
            self._index = np.flatnonzero(self.bits)
        return self._index

    def blend_bits(self, size: int) -> np.ndarray:
        """The mask as integers of `size` bytes, all ones or all zeros, to select with & and ^."""
        if self._blend is None:
            self._blend = {}
        bits = self._blend.get(size)
        if bits is None:
            bits = self._blend[size] = -(self.bits.astype(INTEGER_OF_SIZE[size]))
        return bits

    def first(self) -> int:
        """Position of the first active lane."""
        return 0 if self.bits is None else int(self.index[0])

    def pick(self, value: Value):
        """The active lanes of a value; uniform values stay."""
        return value if self.bits is None or type(value) is not np.ndarray else value[self.index]


def mask_from(bits: np.ndarray, width: int) -> Mask | None:
    """The mask of a condition; None when no lane is left."""
    count = int(np.count_nonzero(bits))
    if count == 0:
        return None
    return Mask(bits, count) if count < width else Mask(None, width)


def narrowed(mask: Mask, condition) -> Mask | None:
    """The active lanes where a condition holds; None when there are none."""
    if type(condition) is not np.ndarray:
        return mask if condition else None
    bits = condition if mask.bits is None else condition & mask.bits
    count = int(np.count_nonzero(bits))
    if count == mask.count:
        return mask
    return Mask(bits, count) if count else None


def join(left: Mask | None, right: Mask | None, width: int) -> Mask | None:
    """Lanes of either mask."""
    if left is None:
        return right
    if right is None:
        return left
    if left.bits is None or right.bits is None:
        return Mask(None, width)
    return mask_from(left.bits | right.bits, width)


def remaining(env: Env, mask: Mask) -> Mask | None:
    """The lanes of a mask that no exception has taken out of the function in this very statement."""
    if env.left is None:
        return mask
    bits = ~env.left if mask.bits is None else mask.bits & ~env.left
    count = int(np.count_nonzero(bits))
    if count == mask.count:
        return mask
    return Mask(bits, count) if count else None


class Loop:
    """One running loop: its environment, the lanes that hit `continue` this iteration, and those that broke out.

    counts_breaks: whether anybody wants to know who broke out, that is, whether the loop has an `else`.
    turning: how far it has come, for whoever must say so; the same in the continuation of a loop for fewer lanes.
    """

    __slots__ = ("env", "continued", "broken", "counts_breaks", "turning")

    def __init__(self, env: Env, counts_breaks: bool, turning: Turning):
        self.env, self.counts_breaks, self.turning = env, counts_breaks, turning
        self.continued: np.ndarray | None = None  # (width,) bool
        self.broken: np.ndarray | None = None  # (width,) bool


class Frame:
    """One activation of a function: what it returned so far, and its running loops.

    depth: 0 for the kernel; literals: parameters whose argument was a literal, which may size a shared array.
    """

    __slots__ = ("returned", "has_returned", "loops", "depth", "literals")

    def __init__(self, depth: int, literals: frozenset[str] = frozenset()):
        self.literals = literals
        self.returned: Any = None
        self.has_returned = False
        self.loops: list[Loop] = []
        self.depth = depth


class Env:
    """Variables and special registers of `width` lanes.

    A child holds the subset `index` of its parent's lanes (compaction); values are narrowed on first use and
    scattered back by `absorb`. The environment of a device function has a `caller` instead of a parent.
    """

    __slots__ = (
        "width", "batch", "frame", "parent", "index", "caller", "variables", "assigned", "registers", "full", "left",
        "alive", "_root_index",
    )  # fmt: skip

    def __init__(
        self, width: int, batch, frame: Frame, parent: Env | None = None, index=None, caller: Env | None = None
    ):
        self.width, self.batch, self.frame = width, batch, frame
        self.parent, self.index, self.caller = parent, index, caller
        self.variables: dict[str, Any] = {}
        self.assigned: set[str] = set()
        self.registers: dict[str, Any] = {}
        self.full = Mask(None, width)
        self.left: np.ndarray | None = None  # (width,) bool, lanes that returned from this function
        self.alive = width  # lanes that have not
        self._root_index: np.ndarray | None = None

    def read(self, name: str, mask: Mask):
        """A variable as the active lanes know it, or UNDEFINED. Raises: UnsupportedError for several kinds."""
        value = self.get(name)
        return value.seen_by(mask) if type(value) is Mixed else value

    def get(self, name: str):
        """A variable, or UNDEFINED."""
        value = self.variables.get(name, UNDEFINED)
        if value is UNDEFINED and self.parent is not None:
            value = self.parent.get(name)
            if value is not UNDEFINED:
                value = self.variables[name] = narrow(value, self.index)
        return value

    def register(self, name: str):
        """A special register, as in "tx" for threadIdx.x."""
        value = self.registers.get(name)
        if value is None:
            if self.caller is not None:
                return self.caller.register(name)
            value = self.registers[name] = narrow(self.parent.register(name), self.index)
        return value

    def assign(self, name: str, value: Value, mask: Mask) -> None:
        """Set a variable for the active lanes; merge with the old value only where a live lane keeps it."""
        self.batch.changes += 1
        if self.parent is not None:
            self.assigned.add(name)
        if mask.bits is None or mask.count == self.alive:
            self.variables[name] = value
        else:
            old = self.get(name)
            self.variables[name] = value if old is UNDEFINED else merged(old, value, mask)

    def child(self, mask: Mask) -> Env:
        """An environment of the active lanes alone."""
        index = mask.index if mask.bits is not None else np.arange(self.width)
        return Env(mask.count, self.batch, self.frame, self, index)

    def absorb(self, child: Env) -> None:
        """Take back what a child assigned, and which of its lanes returned."""
        for name in child.assigned:
            self.variables[name] = scattered(self.get(name), child.variables[name], child.index, self.width)
            if self.parent is not None:
                self.assigned.add(name)
        if child.left is not None:
            self.leave(child.index[child.left], child.width - child.alive)

    def leave(self, lanes, count: int) -> None:
        """Mark lanes (an index, a bool array or a slice) as returned from this function."""
        if self.left is None:
            self.left = np.zeros(self.width, bool)
        self.left[lanes] = True
        self.alive -= count

    def raise_in(self, bits: np.ndarray) -> None:
        """Take lanes out of this function and of those that called it: an exception ends the thread."""
        self.batch.raised = True
        env = self
        while env is not None:
            fresh = bits if env.left is None else bits & ~env.left
            env.leave(fresh, int(np.count_nonzero(fresh)))
            root = env.function_root()
            bits, env = env.lift(bits, root), root.caller

    def lift(self, bits: np.ndarray | None, target: Env) -> np.ndarray | None:
        """A set of lanes (None: all) of this environment as a set of lanes of an ancestor."""
        env = self
        while env is not target:
            wider = np.zeros(env.parent.width, bool)
            wider[env.index if bits is None else env.index[bits]] = True
            bits, env = wider, env.parent
        return bits

    def function_root(self) -> Env:
        """The environment this function's activation started in."""
        env = self
        while env.parent is not None:
            env = env.parent
        return env

    def index_in(self, ancestor: Env) -> np.ndarray:
        """(width,) position of each lane in an ancestor."""
        index, env = self.index, self.parent
        while env is not ancestor:
            index, env = env.index[index], env.parent
        return index

    def roots_of(self, mask: Mask) -> np.ndarray:
        """Position of each lane of a mask in the whole batch."""
        return mask.pick(as_lanes(self.root_index(), self.width))

    def root_index(self) -> np.ndarray:
        """(width,) position of each lane in the whole batch."""
        if self._root_index is None:
            if self.caller is not None:
                self._root_index = self.caller.root_index()
            elif self.parent is None:
                self._root_index = np.arange(self.width)
            else:
                self._root_index = self.parent.root_index()[self.index]
        return self._root_index
