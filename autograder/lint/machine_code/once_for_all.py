"""What numba works out again and again while it compiles, and finds the same each time: kept from the first time on.

Half of what it takes to type a long kernel goes there: which template of `+` takes these two types is asked once for
each `+`, each round of type inference and each answer; how large a type is, by having LLVM read a module about it.
Nothing is kept that depends on an answer: keys are types, options and LLVM's own text. What another version of numba
does not have is left as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

KEPT = 20_000  # calls: what is kept of one kind is dropped where it grows beyond
_calls: dict[Any, tuple[Any, Any]] = {}
_sizes: dict[tuple[int, str], int] = {}
_hashes = "_hash_of_operands"  # the attribute of a metadata node that keeps it


def keep() -> None:
    """Let numba keep them, in this process. Once is enough."""
    for change in (_keep_call_types, _keep_sizes, _keep_hashes, _read_options_at_once):
        try:
            change()
        except (ImportError, AttributeError):  # another version, which has its own ways
            continue


def _keep_call_types() -> None:
    """Of numba's own functions (`types.Function`), the signature that a call has with arguments of some types."""
    from numba.core import types
    from numba.cuda.core.targetconfig import ConfigStack

    resolve: Callable = types.Function.get_call_type

    def get_call_type(self, context, args, kws):
        flags = ConfigStack.top_or_none()
        asked = (self, context, tuple(args), tuple(kws.items()))
        known = _calls.get((*asked, flags))
        if known is None:
            signature = resolve(self, context, args, kws)  # raises for what is no call
            if len(_calls) >= KEPT:
                _calls.clear()
            known = (signature, self.get_impl_key(signature))
            _calls[(*asked, flags.copy() if flags is not None else None)] = known
        self._impl_keys[known[0].args] = known[1]
        return known[0]

    types.Function.get_call_type = get_call_type  # type: ignore[method-assign]


def _keep_sizes() -> None:
    """Of types that are written out, how many bytes they take."""
    from numba.cuda.core.base import BaseContext

    measure = BaseContext.get_abi_sizeof

    def get_abi_sizeof(self, ty):
        text = str(ty)
        if "%" in text:  # it has a name, which says nothing
            return measure(self, ty)
        key = (id(self.target_data), text)
        if key not in _sizes:
            if len(_sizes) >= KEPT:
                _sizes.clear()
            _sizes[key] = measure(self, ty)
        return _sizes[key]

    BaseContext.get_abi_sizeof = get_abi_sizeof


def _keep_hashes() -> None:
    """Of a metadata node, its hash, which asks those of all that it leads to."""
    from llvmlite.ir import values  # type: ignore[import-untyped]

    for node in (values.DIValue, values.MDValue):
        node.__hash__ = _kept(node.__hash__)


def _kept(work_out: Callable[[Any], int]) -> Callable[[Any], int]:
    def __hash__(self) -> int:
        known = self.__dict__.get(_hashes)
        if known is None:
            known = self.__dict__[_hashes] = work_out(self)
        return known

    return __hash__


def _read_options_at_once() -> None:
    """The options of a function as a dict, without asking a property for each. Their hash is that of their names."""
    from numba.cuda.core.targetconfig import TargetConfig

    defaults: dict[type, dict[str, Any]] = {}
    names: dict[type, int] = {}

    def values(self) -> dict[str, Any]:
        known = defaults.get(type(self))
        if known is None:
            known = defaults[type(self)] = {name: option.default for name, option in type(self).options.items()}
        return known | self._values

    def __hash__(self) -> int:
        if type(self) not in names:
            names[type(self)] = hash(tuple(sorted(type(self).options)))
        return names[type(self)]

    def __eq__(self, other) -> bool:
        if not isinstance(other, TargetConfig):
            return NotImplemented
        return self._values == other._values and type(self) is type(other) or self.values() == other.values()

    TargetConfig.values, TargetConfig.__hash__, TargetConfig.__eq__ = values, __hash__, __eq__
