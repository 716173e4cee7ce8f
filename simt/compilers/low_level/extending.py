"""`intrinsic` for numba-cuda-mlir: a typing function and code that is written as for numba-cuda.

    @intrinsic
    def double(typing_context, x):
        def codegen(context, builder, signature, arguments):
            return builder.fadd(arguments[0], arguments[0])

        return types.float32(types.float32), codegen

Importing this module needs numba-cuda-mlir. What it has under these names itself is handed on.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from numba_cuda_mlir import extending as successor
from numba_cuda_mlir import tools
from numba_cuda_mlir.extending import *  # noqa: F403
from numba_cuda_mlir.numba_cuda import types as successors_types

from simt.compilers.low_level import ir
from simt.compilers.low_level.builder import Builder, MadeArray, Several, Value, made_of, mlir_type

HOPPER = (9, 0)
types: Any = successors_types
_resolve = tools.resolve_gpu_target


def _whole_target(options: dict[str, Any] | None = None) -> dict[str, object]:
    """What to compile for on this GPU, with the instructions that no later one has, as numba-cuda does on a Hopper."""
    told = options or {}
    if not told.get("chip") and tools.get_gpu_compute_capability(tuple) == HOPPER:
        told = {**told, "chip": "sm_90a"}
    return _resolve(told)


tools.resolve_gpu_target = _whole_target  # asked by name whenever a kernel is compiled

_chips: list[str] = []  # what is compiled for while an intrinsic is built


def capability() -> tuple[int, int]:
    """The compute capability that is compiled for, as in (9, 0). Ask while an intrinsic is built."""
    digits = "".join(filter(str.isdigit, _chips[-1]))
    return int(digits[:-1]), int(digits[-1])


def intrinsic(*given: Any, **options: Any) -> Any:
    """A decorator, with or without options, as numba's own. A codegen is called with (context, builder, ...)."""
    if not given:
        return functools.partial(intrinsic, **options)
    (typing,) = given

    @functools.wraps(typing)
    def typed(typing_context: Any, *kinds: Any, **named: Any) -> Any:
        found = typing(typing_context, *kinds, **named)
        if found is None:
            return None
        signature, codegen = found
        return signature, _lowered(signature, codegen)

    made = successor.intrinsic(**options)(typed) if options else successor.intrinsic(typed)
    successor.refresh_registries(target=False, include_uninitialized_cuda=False)  # it may have compiled already
    return made


def _lowered(signature: Any, codegen: Callable) -> Callable:
    """What numba-cuda-mlir calls to build a call of an intrinsic."""

    def lower(lowering: Any, target: Any, arguments: Any, named: Any) -> None:
        builder, context = Builder(), IntrinsicContext()
        _chips.append(lowering.metadata["targetoptions"]["chip"])
        try:
            pairs = zip(arguments, signature.args, strict=True)
            values = [context.argument(builder, lowering, variable, kind) for variable, kind in pairs]
            result = codegen(context, builder, signature, values)
        finally:
            _chips.pop()
        lowering.store_var(target, _stored(result))

    return lower


def _stored(result: Any) -> Any:
    """A result as numba-cuda-mlir keeps it."""
    if result is None:
        return None
    return tuple(map(_stored, result)) if isinstance(result, Several) else made_of(result)


class IntrinsicContext:
    """What codegens ask of numba's context."""

    def get_dummy_value(self) -> None:
        """What a call that returns nothing returns."""

    def get_value_type(self, kind: Any) -> Any:
        """Our type for a number of numba's."""
        if isinstance(kind, types.Boolean):
            return ir.IntType(1)
        if isinstance(kind, types.Integer):
            return ir.IntType(kind.bitwidth)
        return {16: ir.HalfType, 32: ir.FloatType, 64: ir.DoubleType}[kind.bitwidth]()

    def make_tuple(self, builder: Builder, kind: Any, values: Any) -> Several:
        return Several(values)

    def make_array(self, kind: Any) -> Callable:
        """A function that makes an array of this type from an argument."""
        return lambda context, builder, value=None: value

    def cast(self, builder: Builder, value: Any, given: Any, wanted: Any) -> Any:
        """A whole number as one of another width, or a float as another float; a number without a sign has none."""
        if given == wanted:
            return value
        have, want = self.get_value_type(given), self.get_value_type(wanted)
        if isinstance(want, ir.IntType) and isinstance(have, ir.IntType):
            if want.width <= have.width:
                return builder.trunc(value, want)
            return builder.sext(value, want) if getattr(given, "signed", False) else builder.zext(value, want)
        if isinstance(have, ir.IntType):
            return builder.sitofp(value, want)
        if isinstance(want, ir.IntType):
            raise NotImplementedError(f"an intrinsic takes {wanted}, and is given {given}: convert it in the kernel")
        return builder.fpext(value, want) if given.bitwidth < wanted.bitwidth else builder.fptrunc(value, want)

    def argument(self, builder: Builder, lowering: Any, variable: Any, wanted: Any) -> Any:
        """The value of a call's argument, as the signature wants it."""
        return self._as(builder, lowering.load_var(variable), lowering.get_numba_type(variable.name), wanted)

    def _as(self, builder: Builder, made: Any, given: Any, wanted: Any) -> Any:
        if isinstance(wanted, types.BaseTuple):
            kinds = zip(made, given, wanted, strict=True)
            return Several(self._as(builder, one, have, want) for one, have, want in kinds)
        if isinstance(wanted, types.Array):
            return MadeArray(made, self.get_value_type(wanted.dtype))
        if not isinstance(wanted, types.Number | types.Boolean):
            return made
        return self.cast(builder, self._plain(made, given), _plain_type(given), _plain_type(wanted))

    def _plain(self, made: Any, given: Any) -> Any:
        """A number in our wrapping, whatever MLIR's type of it is: an index, or a constant of Python's."""
        from numba_cuda_mlir.lowering_utilities import convert

        kind = self.get_value_type(_plain_type(given))
        if isinstance(made, int | float):
            return ir.Constant(kind, made)
        return Value(convert(made, mlir_type(kind)), kind)


def _plain_type(kind: Any) -> Any:
    """A number's type without what is known of its value."""
    return kind.literal_type if isinstance(kind, types.Literal) else kind
