"""The words that PTX of a class's kernels may use. What is not here is refused, whatever it may mean.

Left out on purpose: clocks and counters of the machine (no exercise asks for a time), calls of addresses, launches from
the device, hints to caches that outlive the launch, messages between clusters, and whatever touches another context.
Source: the PTX ISA manual, "Directives", "Instructions" and "Special Registers".
"""

from __future__ import annotations

INSTRUCTIONS = frozenset(
    """
    abs activemask add addc and atom bar barrier bfe bfi bfind bmsk bra brev call clz cnot copysign cos cp cvt cvta div
    dp2a dp4a ex2 exit fence fma fns ld ldmatrix lg2 lop3 mad madc match max membar min mma mov movmatrix mul mul24
    nanosleep neg not or popc prmt rcp red redux rem ret rsqrt sad selp set setp shf shfl shl shr sin slct sqrt st
    stmatrix sub subc szext tanh testp trap vote wgmma wmma xor
    """.split()
)

# Of instructions: what follows their points. Of words with `::` in them, as hints to caches have, one is among these.
MODIFIERS = frozenset(
    """
    b1 b8 b16 b32 b64 b128 u4 u8 u16 u32 u64 s4 s8 s16 s32 s64 f16 f16x2 bf16 bf16x2 tf32 f32 f64 pred
    u16x2 s16x2
    global shared local param const to
    eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan
    wide rn rz rm rp rna rni rzi rmi rpi approx full ftz sat satfinite relu cc noftz
    finite infinite number notanumber normal subnormal
    sync uni warp aligned arrive red cta gpu sys gl
    relaxed acquire release acq_rel sc weak volatile nc ca cg cs lu cv wb wt
    v2 v4 x1 x2 x4 trans row col
    m8n8 m8n8k4 m8n8k16 m8n8k32 m16n8k4 m16n8k8 m16n8k16 m16n8k32 m16n8k64 m16n16k16 m32n8k16 m8n32k16 m16n16k8
    load store mma a b c d
    add inc dec min max and or xor cas exch
    up down bfly idx any all ballot shiftamt clamp wrap l r
    f4e b4e rc8 ecl ecr rc16
    async commit_group wait_group wait_all
    mma_async fence proxy shared::cta
    popc
    """.split()
) | {f"m64n{columns}k{depth}" for columns in range(8, 257, 8) for depth in (8, 16, 32)}  # of a warpgroup

# Registers that the machine fills. Clocks, timers and performance counters are not among them.
SPECIAL = frozenset(
    """
    tid ntid ctaid nctaid laneid warpid nwarpid smid nsmid gridid
    lanemask_eq lanemask_le lanemask_lt lanemask_ge lanemask_gt
    dynamic_smem_size total_smem_size
    """.split()
)

REGISTERS = ("p", "r", "rd", "f", "fd", "rs", "h", "hh", "b", "rc", "rq")  # then a number, as in %rd12
REGISTER_TYPES = frozenset("pred b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f16 f16x2 f32 f64".split())
SIZES = {  # of a type, in bytes
    **{f"{kind}{bits}": bits // 8 for kind in "bus" for bits in (8, 16, 32, 64)},
    "b128": 16, "f16": 2, "f32": 4, "f64": 8, "pred": 1,
}  # fmt: skip
PRAGMAS = ("nounroll",)
BOUNDS = ("maxntid", "minnctapersm", "reqntid", "maxnreg")  # of a kernel, each followed by numbers
PRINTS = "vprintf"  # the one function that the driver supplies: what a kernel prints is read by nobody
GRID_BARRIER = ("cudaCGGetIntrinsicHandle", "cudaCGSynchronize")  # of cudadevrt, which is linked to kernels that wait
OUTSIDE = (PRINTS, *GRID_BARRIER)

CLOCKS = ("clock", "clock_hi", "clock64", "globaltimer", "globaltimer_lo", "globaltimer_hi")
