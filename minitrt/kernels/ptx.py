"""Any PTX instruction as a numba.cuda intrinsic: `ptx(text, result, *arguments)` makes one from its text.

`$0, $1, ...` in the text stand for the results, then the arguments. A call is convergent (no optimiser moves or copies
it across a branch) and, unless `pure`, ordered against every other access to memory.
Source: LLVM's inline assembler; PTX ISA for each instruction.
"""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import Any

from simt.compilers.low_level import cgutils, intrinsic, ir, types

i16, i32, u32, i64, u64 = types.int16, types.int32, types.uint32, types.int64, types.uint64
f16, f32, void = types.float16, types.float32, types.void
I16, I32, I64, F32, VOID = ir.IntType(16), ir.IntType(32), ir.IntType(64), ir.FloatType(), ir.VoidType()
REGISTER = {i16: (I16, "h"), i32: (I32, "r"), u32: (I32, "r"), i64: (I64, "l"), u64: (I64, "l"), f32: (F32, "f")}


def emit(builder: Any, result: ir.Type, text: str, arguments: list, constraints: str) -> Any:
    """One call of inline PTX with a side effect. constraints: LLVM's, results first."""
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    code = ir.InlineAsm(kind, text, constraints, side_effect=True)
    return builder.call(code, arguments, attrs=("convergent",))


def emit_pure(builder: Any, result: ir.Type, text: str, arguments: list, constraints: str) -> Any:
    """One call of inline PTX that computes a value and nothing else; it may be moved, merged or dropped."""
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    return builder.call(ir.InlineAsm(kind, text, constraints), arguments)


def unpack(builder: Any, value: Any, count: int) -> list:
    """The `count` members of a struct or array value; a single value is a list of one."""
    return [builder.extract_value(value, i) for i in range(count)] if count > 1 else [value]


def struct(member: ir.Type, count: int) -> ir.Type:
    """What inline PTX with `count` results of one type returns."""
    return ir.LiteralStructType([member] * count) if count > 1 else member


def ptx(text: str, result: Any, *arguments: Any, pure: bool = False) -> Any:
    """An intrinsic of one PTX text.

    text: instructions; `{` and `}` as they stand. result: None, a numba scalar type, or (type, count) for a tuple.
    arguments: numba scalar types; a call casts to them. pure: the text reads and writes registers only.
    """
    kind, count = result if isinstance(result, tuple) else (result, 1 if result else 0)
    returned = types.UniTuple(kind, count) if count > 1 else kind or void
    signature = returned(*arguments)
    results = ["=" + REGISTER[kind][1]] * count if count else []
    letters = results + [REGISTER[a][1] for a in arguments] + ["~{memory}"] * (not pure)
    low = VOID if count == 0 else struct(REGISTER[kind][0], count)
    call = emit_pure if pure else emit

    def codegen(context, builder, _, values):
        value = call(builder, low, text, list(values), ",".join(letters))
        if count == 0:
            return context.get_dummy_value()
        return value if count == 1 else cgutils.pack_array(builder, unpack(builder, value, count))

    def typed(typing_context, *given):
        return signature, codegen

    names = ["typing_context"] + [f"argument{i}" for i in range(len(arguments))]
    typed.__signature__ = Signature([Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names])
    return intrinsic(typed)  # numba asks the signature how many arguments a call must have


def if_zero(register: str, instructions: str) -> str:
    """The instructions, predicated on a register being 0: no branch, so a warp stays converged for wgmma.

    instructions: each begins with "@p ".
    """
    return f"{{ .reg .pred p; setp.eq.u32 p, {register}, 0; {instructions} }}"


# numba's // and % are 64-bit and become calls, and ptxas serialises every wgmma of a kernel that calls (C7509).
udiv = ptx("div.u32 $0, $1, $2;", u32, u32, u32, pure=True)
urem = ptx("rem.u32 $0, $1, $2;", u32, u32, u32, pure=True)

load_b32 = ptx("ld.global.nc.b32 $0, [$1];", u32, u64)
load_v4_b32 = ptx("ld.global.nc.v4.b32 {$0, $1, $2, $3}, [$4];", (u32, 4), u64)
load_v2_b32 = ptx("ld.global.nc.v2.b32 {$0, $1}, [$2];", (u32, 2), u64)
load_v4_f32 = ptx("ld.global.nc.v4.f32 {$0, $1, $2, $3}, [$4];", (f32, 4), u64)
load_v2_f32 = ptx("ld.global.nc.v2.f32 {$0, $1}, [$2];", (f32, 2), u64)
load_b16 = ptx("{ .reg .u16 t; ld.global.nc.u16 t, [$1]; cvt.u32.u16 $0, t; }", u32, u64)
store_v4_b32 = ptx("st.global.v4.b32 [$0], {$1, $2, $3, $4};", None, u64, u32, u32, u32, u32)
store_b32 = ptx("st.global.b32 [$0], $1;", None, u64, u32)

divide = ptx("div.rn.f32 $0, $1, $2;", f32, f32, f32, pure=True)  # rounded correctly, as NumPy divides
dp4a = ptx("dp4a.s32.s32 $0, $1, $2, $3;", i32, u32, u32, i32, pure=True)
# Two halves, the first in the lower one. sm_80 made it one instruction, which is made of these two.
PACK_F16 = "{ .reg .b16 a, b; cvt.rn.f16.f32 a, $1; cvt.rn.f16.f32 b, $2; mov.b32 $0, {a, b}; }"
pack_f16 = ptx(PACK_F16, u32, f32, f32, pure=True)
halves = ptx(  # the two float16 of a register
    "{ .reg .b16 a, b; mov.b32 {a, b}, $2; cvt.f32.f16 $0, a; cvt.f32.f16 $1, b; }", (f32, 2), u32, pure=True
)
# four signed bytes as floats: a byte, its sign flipped, is the low mantissa of 2^23; less 2^23 + 128 is its value
_BYTE = "prmt.b32 u, t, 0x4B000000, 0x744{0}; add.f32 ${0}, u, 0fCB000080; "
bytes_of = ptx(
    "{ .reg .b32 t, u; xor.b32 t, $4, 0x80808080; " + "".join(_BYTE.format(i) for i in range(4)) + "}",
    (f32, 4), u32, pure=True,
)  # fmt: skip
# four floats to four int8 in one register, lowest byte first: round half to even, saturate; NaN becomes 0
PACK_S8 = (
    "{ .reg .s32 a, b, c, d; cvt.rni.s32.f32 a, $1; cvt.rni.s32.f32 b, $2; cvt.rni.s32.f32 c, $3; "
    "cvt.rni.s32.f32 d, $4; cvt.pack.sat.s8.s32.b32 c, d, c, 0; cvt.pack.sat.s8.s32.b32 $0, b, a, c; }"
)
pack_s8 = ptx(PACK_S8, u32, f32, f32, f32, f32, pure=True)


@intrinsic
def shared_address(typing_context, array):
    """The 32-bit address of a shared array, as the instructions of `minitrt.kernels.hopper` want it."""

    def codegen(context, builder, signature, values):
        data = context.make_array(signature.args[0])(context, builder, value=values[0]).data
        shared = builder.addrspacecast(data, ir.PointerType(data.type.pointee, 3))
        return builder.ptrtoint(shared, I32)

    return u32(array), codegen
