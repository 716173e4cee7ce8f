"""llvmlite's builder over MLIR: each method appends operations where numba-cuda-mlir is lowering just now.

Values are wrapped with their type, since MLIR's pointers say nothing of what they point to. Only what the intrinsics of
this project use is here. Source: MLIR, "arith", "scf" and "llvm" dialects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from numba_cuda_mlir._mlir import ir as mlir
from numba_cuda_mlir._mlir.dialects import arith, llvm, memref, scf
from numba_cuda_mlir.lowering_utilities import memref_data_pointer

from simt.compilers.low_level import ir

ANY_INDEX = -2147483648  # stands for an index that is a value
SIGNED = {"<": "slt", "<=": "sle", ">": "sgt", ">=": "sge", "==": "eq", "!=": "ne"}
UNSIGNED = {"<": "ult", "<=": "ule", ">": "ugt", ">=": "uge", "==": "eq", "!=": "ne"}
ORDERED = {"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge", "==": "oeq", "!=": "one"}


class Value:
    """A value of MLIR and its type in our words."""

    def __init__(self, made: Any, kind: Any) -> None:
        self.made, self.type = made, kind

    @property
    def align(self) -> int | None:
        return None

    @align.setter
    def align(self, n_bytes: int) -> None:
        """Of a load or a store: its address is a multiple of so many bytes."""
        operation = self.made.owner if isinstance(self.made, mlir.Value) else self.made.operation
        operation.attributes["alignment"] = mlir.IntegerAttr.get(mlir.IntegerType.get_signless(64), n_bytes)


class Several(tuple):
    """A tuple of values, as numba-cuda-mlir keeps tuples: in registers, each for itself."""


class MadeArray:
    """An array: `made`, MLIR's memref, and `element`, its elements' type."""

    def __init__(self, made: Any, element: Any) -> None:
        self.made, self.element = made, element

    @property
    def shape(self) -> Several:
        """One length an axis, as 64 bits."""
        sizes = memref.extract_strided_metadata(self.made)[2 : 2 + self.made.type.rank]
        return Several(Value(_as_int64(size), ir.IntType(64)) for size in sizes)


def mlir_type(kind: Any) -> Any:
    """MLIR's type for one of ours."""
    if isinstance(kind, ir.IntType):
        return mlir.IntegerType.get_signless(kind.width)
    if isinstance(kind, ir.PointerType):
        return llvm.PointerType.get(kind.addrspace)
    if isinstance(kind, ir.VectorType):
        return mlir.VectorType.get([kind.count], mlir_type(kind.element))
    if isinstance(kind, ir.LiteralStructType):
        return mlir.Type.parse(f"!llvm.struct<({', '.join(str(mlir_type(one)) for one in kind.elements)})>")
    floats = {ir.HalfType: mlir.F16Type, ir.FloatType: mlir.F32Type, ir.DoubleType: mlir.F64Type}
    return floats[type(kind)].get()


def made_of(value: Any) -> Any:
    """MLIR's value behind one of ours, a constant included."""
    if not isinstance(value, ir.Constant):
        return value.made
    kind = mlir_type(value.type)
    if value.constant is ir.Undefined:
        return llvm.mlir_undef(kind)
    if isinstance(value.type, ir.IntType):
        half = 1 << (value.type.width - 1)
        number = (int(value.constant) + half) % (2 * half) - half  # the bits, as a signed number
        return arith.constant(kind, mlir.IntegerAttr.get(kind, number))
    return arith.constant(kind, mlir.FloatAttr.get(kind, float(value.constant)))


def _as_int64(value: Any) -> Any:
    wide = mlir.IntegerType.get_signless(64)
    if isinstance(value.type, mlir.IndexType):
        return arith.index_cast(wide, value)
    return value if value.type == wide else arith.extsi(wide, value)


def item_pointer(array: MadeArray, indices: Sequence[Any]) -> Value:
    """A generic pointer to an element. indices: of 64 bits, one an axis, elements of any stride."""
    parts, rank = memref.extract_strided_metadata(array.made), array.made.type.rank
    offset = None
    for axis, index in enumerate(indices):
        term = arith.muli(made_of(index), _as_int64(parts[2 + rank + axis]))
        offset = term if offset is None else arith.addi(offset, term)
    return Builder().gep(
        Value(memref_data_pointer(array.made), array.element.as_pointer()), [Value(offset, ir.IntType(64))]
    )


class Builder:
    """Arithmetic, memory, branches and inline PTX."""

    def _same(self, operation: Any, *values: Any) -> Value:
        return Value(operation(*map(made_of, values)), values[0].type)

    def add(self, x: Any, y: Any) -> Value:
        return self._same(arith.addi, x, y)

    def sub(self, x: Any, y: Any) -> Value:
        return self._same(arith.subi, x, y)

    def mul(self, x: Any, y: Any) -> Value:
        return self._same(arith.muli, x, y)

    def and_(self, x: Any, y: Any) -> Value:
        return self._same(arith.andi, x, y)

    def or_(self, x: Any, y: Any) -> Value:
        return self._same(arith.ori, x, y)

    def xor(self, x: Any, y: Any) -> Value:
        return self._same(arith.xori, x, y)

    def not_(self, x: Any) -> Value:
        return self.xor(x, ir.Constant(x.type, -1))

    def shl(self, x: Any, y: Any) -> Value:
        return self._same(arith.shli, x, y)

    def lshr(self, x: Any, y: Any) -> Value:
        return self._same(arith.shrui, x, y)

    def ashr(self, x: Any, y: Any) -> Value:
        return self._same(arith.shrsi, x, y)

    def fadd(self, x: Any, y: Any) -> Value:
        return self._same(arith.addf, x, y)

    def fsub(self, x: Any, y: Any) -> Value:
        return self._same(arith.subf, x, y)

    def fmul(self, x: Any, y: Any) -> Value:
        return self._same(arith.mulf, x, y)

    def fma(self, x: Any, y: Any, z: Any) -> Value:
        made = llvm.intr_fma(made_of(x), made_of(y), made_of(z))
        return Value(made, x.type)

    def icmp_signed(self, sign: str, x: Any, y: Any) -> Value:
        return self._compared(arith.cmpi, arith.CmpIPredicate, SIGNED[sign], x, y)

    def icmp_unsigned(self, sign: str, x: Any, y: Any) -> Value:
        return self._compared(arith.cmpi, arith.CmpIPredicate, UNSIGNED[sign], x, y)

    def fcmp_ordered(self, sign: str, x: Any, y: Any) -> Value:
        return self._compared(arith.cmpf, arith.CmpFPredicate, ORDERED[sign], x, y)

    def _compared(self, operation: Any, names: Any, name: str, x: Any, y: Any) -> Value:
        return Value(operation(getattr(names, name), made_of(x), made_of(y)), ir.IntType(1))

    def select(self, condition: Any, x: Any, y: Any) -> Value:
        return Value(arith.select(made_of(condition), made_of(x), made_of(y)), x.type)

    def _to(self, operation: Any, value: Any, kind: Any) -> Any:
        return value if value.type == kind else Value(operation(mlir_type(kind), made_of(value)), kind)

    def zext(self, value: Any, kind: Any) -> Any:
        return self._to(arith.extui, value, kind)

    def sext(self, value: Any, kind: Any) -> Any:
        return self._to(arith.extsi, value, kind)

    def trunc(self, value: Any, kind: Any) -> Any:
        return self._to(arith.trunci, value, kind)

    def fpext(self, value: Any, kind: Any) -> Any:
        return self._to(arith.extf, value, kind)

    def fptrunc(self, value: Any, kind: Any) -> Any:
        return self._to(arith.truncf, value, kind)

    def sitofp(self, value: Any, kind: Any) -> Any:
        return self._to(arith.sitofp, value, kind)

    def ptrtoint(self, value: Any, kind: Any) -> Any:
        return self._to(llvm.ptrtoint, value, kind)

    def addrspacecast(self, value: Any, kind: Any) -> Any:
        if value.type.addrspace == kind.addrspace:
            return Value(made_of(value), kind)
        return self._to(llvm.addrspacecast, value, kind)

    def bitcast(self, value: Any, kind: Any) -> Value:
        """The same bits as another type; of a pointer, what it points to."""
        if isinstance(kind, ir.PointerType):
            return Value(made_of(value), kind)
        return self._to(llvm.bitcast, value, kind)

    def gep(self, pointer: Any, indices: Sequence[Any]) -> Value:
        """The address so many elements after a pointer's."""
        (index,) = indices
        step, kind = mlir_type(pointer.type.pointee), mlir_type(pointer.type)
        made = llvm.getelementptr(kind, made_of(pointer), [made_of(index)], [ANY_INDEX], step, None)
        return Value(made, pointer.type)

    def load(self, pointer: Any) -> Value:
        kind = pointer.type.pointee
        return Value(llvm.load(mlir_type(kind), made_of(pointer)), kind)

    def store(self, value: Any, pointer: Any) -> Value:
        return Value(llvm.StoreOp(made_of(value), made_of(pointer)), ir.VoidType())

    def extract_element(self, vector: Any, index: Any) -> Value:
        return Value(llvm.extractelement(made_of(vector), made_of(index)), vector.type.element)

    def insert_element(self, vector: Any, value: Any, index: Any) -> Value:
        return Value(llvm.insertelement(made_of(vector), made_of(value), made_of(index)), vector.type)

    def extract_value(self, value: Any, index: int) -> Any:
        """A member of a tuple, or of what inline PTX returned."""
        if isinstance(value, Several):
            return value[index]
        kind = value.type.elements[index]
        return Value(llvm.extractvalue(mlir_type(kind), made_of(value), [index]), kind)

    def call(self, code: ir.InlineAsm, arguments: Sequence[Any], attrs: Sequence[str] = ()) -> Value | None:
        """Inline PTX. What all threads must reach together is kept from being moved as what has an effect is."""
        kind = code.ftype.return_type
        result = None if isinstance(kind, ir.VoidType) else mlir_type(kind)
        kept = code.side_effect or "convergent" in attrs
        given = [made_of(one) for one in arguments]
        made = llvm.inline_asm(result, given, code.asm, code.constraint, has_side_effects=kept)
        return None if result is None else Value(made, kind)

    @contextmanager
    def if_then(self, condition: Any) -> Iterator[None]:
        """What is appended inside runs where the condition holds."""
        branch = scf.IfOp(made_of(condition))
        with mlir.InsertionPoint(branch.then_block):
            yield
            scf.yield_([])

    @contextmanager
    def if_else(self, condition: Any) -> Iterator[tuple[AbstractContextManager, AbstractContextManager]]:
        """Two places to append at: where the condition holds, and where it does not."""
        branch = scf.IfOp(made_of(condition), has_else=True)
        yield _inside(branch.then_block), _inside(branch.else_block)


@contextmanager
def _inside(block: Any) -> Iterator[None]:
    with mlir.InsertionPoint(block):
        yield
        scf.yield_([])
