"""What a listener may read, beside an event, of the lanes that run: their variables, and who has returned.

An `Inspection` looks at the running launch, not at a copy: what it answers is true until the next event.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.errors import UnsupportedError
from simt.lanes.blend import narrow
from simt.lanes.masks import Env, Mask
from simt.lanes.mixed import Mixed
from simt.memory.arrays import Array
from simt.source.walking import walk
from simt.threads.barriers import returned_lanes
from simt.values import UNDEFINED, rebuild

if TYPE_CHECKING:
    from simt.values import Value

SHOWN_OF_LOCAL = 16  # elements of a local array that are read for each thread


class Inspection:
    """The active lanes of one event, and the environment their variables live in."""

    __slots__ = ("_env", "_mask")

    def __init__(self, env: Env, mask: Mask):
        self._env, self._mask = env, mask

    @property
    def depth(self) -> int:
        """0 in the kernel, 1 in a device function that it calls, and so on."""
        return self._env.frame.depth

    @property
    def activation(self) -> object:
        """Another object for every call of a function; `is` tells them apart."""
        return self._env.frame

    def is_part_of(self, other: Inspection) -> bool:
        """Whether these lanes were taken out of the other's, to go on by themselves."""
        return self._env.parent is other._env

    def variables(self, names: Iterable[str] | None = None) -> dict[str, Any]:
        """Values by name; default: all that have one. Variables without a value are left out.

        A value is (n,) for the n active lanes, (n, elements) for a local array, a NumPy scalar where it is the same
        for all lanes, a tuple of such, or an object that is no number, as an array.
        """
        env = self._env
        if names is None:
            names, scope = {}, env
            while scope is not None:
                names = dict.fromkeys(scope.variables) | names
                scope = scope.parent
        found = ((name, self._of_one_kind(_lookup(env, name))) for name in names)
        return {name: self._active(value) for name, value in found if value is not UNDEFINED}

    def _of_one_kind(self, value: Value):
        """What all active lanes hold; of things of several kinds, no value."""
        try:
            return value.seen_by(self._mask) if type(value) is Mixed else value
        except UnsupportedError:
            return UNDEFINED

    def returned(self) -> np.ndarray | None:
        """(threads of the batch,) bool, which have returned from the kernel; None: nobody."""
        return returned_lanes(self._env)

    def _active(self, value: Value):
        if isinstance(value, tuple):
            return rebuild(value, (self._active(item) for item in value))
        if isinstance(value, Array) and value.space == "local" and value.ndim == 1 and not value.dtype.names:
            return self._local_values(value)
        return self._mask.pick(value)

    def _local_values(self, array: Array) -> np.ndarray:
        """(n, elements): the first elements of each lane's own copy."""
        elements = np.arange(min(int(np.min(array.shape[0])), SHOWN_OF_LOCAL)) * array.strides[0]
        first = self._mask.pick(np.broadcast_to(array.base, self._env.width))
        return array.flat[first[:, None] + elements]


def _lookup(env: Env, name: str):
    """A variable, or UNDEFINED. Unlike `Env.get` this leaves the environment as it is."""
    value = env.variables.get(name, UNDEFINED)
    if value is UNDEFINED and env.parent is not None:
        value = _lookup(env.parent, name)
        return value if value is UNDEFINED else narrow(value, env.index)
    return value


def assigned_names(node: ast.stmt) -> tuple[str, ...]:
    """Variables that a statement itself can assign, without the statements inside it."""
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.For)):
        targets = [node.target]
    else:
        return (node.name,) if isinstance(node, ast.FunctionDef) else ()
    stored = (name for target in targets for name in walk(target) if isinstance(name, ast.Name))
    return tuple(dict.fromkeys(name.id for name in stored if isinstance(name.ctx, ast.Store)))


def last_line(node: ast.stmt) -> int:
    """The last line of a statement, or of the head of one that has others inside."""
    inside = getattr(node, "body", None)
    return max(node.lineno, inside[0].lineno - 1) if inside else node.end_lineno
