"""What programs ask of a compiled kernel: registers, bytes, PTX, types. A real compiler answers, where there is one.

Kernels run in the interpreter, so each is compiled when it is first asked about, for the types that it was launched or
declared with.
"""

from __future__ import annotations

import sys
import weakref
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any, TextIO

import numpy as np

from simt import cuda_api
from simt.hardware import LIMITS, MAX_THREADS_PER_BLOCK, WARP_SIZE
from simt.programs.large_blocks import small_argument
from simt.values.unasked import held, is_a, memory_on_device

NOT_COMPILED = "was not compiled: it runs in the interpreter, and {reason}"
NO_SASS = "machine code in words takes NVIDIA's nvdisasm, which is not asked here: inspect_asm() gives the PTX."
NUMBERS = {
    "get_regs_per_thread": "regs_per_thread",
    "get_const_mem_size": "const_mem_size",
    "get_shared_mem_per_block": "shared_mem_per_block",
    "get_max_threads_per_block": "max_threads_per_block",
    "get_local_mem_per_thread": "local_mem_per_thread",
}
TEXTS = ("inspect_llvm", "inspect_asm", "inspect_lto_ptx", "inspect_sass", "inspect_sass_cfg")


class NotCompiledError(NotImplementedError, AttributeError):
    """Nothing here can answer. It is an AttributeError, too: `hasattr` asks about it."""


class Overloads(OrderedDict):
    """The versions of a kernel by the types of its arguments: those it was launched or declared with.

    numba's compiler keeps device functions here, and asks with `in` whether one is there: that tells its own alone.
    """

    def __init__(self, *given: Any, kernel: Any = None) -> None:
        super().__init__(*given)
        self._to_kernel = None if kernel is None else weakref.ref(kernel)  # numba's finalizer of a kernel holds this
        self._asked = dict[tuple, CompiledKernel]()

    @property
    def kernel(self) -> Any:
        return self._to_kernel and self._to_kernel()

    def __missing__(self, signature: Any) -> CompiledKernel:
        types = types_of(signature)
        return self._asked.setdefault(types, CompiledKernel(self.kernel, types))

    def __iter__(self) -> Iterator[tuple]:
        kernel = self.kernel
        asks_here = kernel is not None and not (held(kernel, "targetoptions") or {}).get("device")
        yield from dict.fromkeys([*super().__iter__(), *(signatures_of(kernel) if asks_here else [])])

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def keys(self) -> Any:
        return list(self)

    def values(self) -> Any:
        return [self[types] for types in self]

    def items(self) -> Any:
        return [(types, self[types]) for types in self]


class CompiledKernel:
    """A version of a kernel, for arguments of these types; compiled when it is asked."""

    def __init__(self, kernel: Any, types: tuple) -> None:
        self._to_kernel, self._types = weakref.ref(kernel), types
        self._lowered: Any = None
        self._facts: Any = None

    @property
    def _kernel(self) -> Any:
        return self._to_kernel()

    def max_cooperative_grid_blocks(self, blockdim: Any, dynsmemsize: int = 0) -> int:
        """Blocks that fit on the one multiprocessor of the imaginary device, as its warps limit them."""
        threads = int(np.prod(blockdim if isinstance(blockdim, tuple) else (blockdim,)))
        limits = LIMITS[cuda_api.cuda.get_current_device().compute_capability]
        return max(1, min(limits.blocks, limits.warps // -(-threads // WARP_SIZE)))

    @property
    def regs_per_thread(self) -> int:
        return self._fact("regs_per_thread", "registers")

    @property
    def const_mem_size(self) -> int:
        return self._fact("const_mem_size", "constant_bytes")

    @property
    def shared_mem_per_block(self) -> int:
        return self._fact("shared_mem_per_block", "shared_bytes")

    @property
    def local_mem_per_thread(self) -> int:
        return self._fact("local_mem_per_thread", "stack_frame_bytes")

    @property
    def max_threads_per_block(self) -> int:
        limits = LIMITS[cuda_api.cuda.get_current_device().compute_capability]
        warps = limits.registers // max(1, self.regs_per_thread) // WARP_SIZE
        return min(MAX_THREADS_PER_BLOCK, warps * WARP_SIZE)

    def inspect_asm(self, cc: Any = None) -> str:
        """PTX. cc: the compute capability to compile for, as (8, 0); default: that of the imaginary device."""
        from autograder.lint.compiler import to_ptx

        return to_ptx(self._lower("inspect_asm"), _architecture(cc))

    def inspect_llvm(self) -> str:
        return self._lower("inspect_llvm").library.get_llvm_str()

    def inspect_types(self, file: TextIO | None = None) -> None:
        """Print the source with the types of every value."""
        signature = ", ".join(map(str, self._types))
        lines = (f"{self._kernel.__name__} ({signature})", "-" * 80, self._lower("inspect_types").annotation, "=" * 80)
        print(*lines, sep="\n", file=file or sys.stdout)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise self._unanswered(name, NO_SASS if "sass" in name else "nothing here tells this of compiled code.")

    def _unanswered(self, name: str, reason: str) -> NotCompiledError:
        kernel = getattr(self._kernel, "__name__", "the kernel")
        return NotCompiledError(f"{kernel}.{name}: {kernel} {NOT_COMPILED.format(reason=reason)}")

    def _lower(self, asked: str) -> Any:
        from autograder.lint import compiler

        if reason := compiler.unavailable_reason():
            raise self._unanswered(asked, reason)
        if self._lowered is None:
            self._lowered = compiler.lower(self._kernel, self._types, _architecture(), lines=False)
        return self._lowered

    def _fact(self, asked: str, name: str) -> int:
        from autograder.lint.machine_code.assembly import assemble_for

        if self._facts is None:
            assembly = assemble_for(self._lower(asked), [_architecture()])
            if not assembly.facts:
                refused = next(iter(assembly.refused.values()), "")
                raise self._unanswered(asked, f"the assembler refuses it: {refused}")
            self._facts = next(iter(assembly.facts.values()))
        return getattr(self._facts, name)


def _architecture(capability: Any = None) -> str:
    return "sm_{}{}".format(*(capability or cuda_api.cuda.get_current_device().compute_capability))


def note_types(kernel: Any, arguments: tuple) -> None:
    """Remember what types of arguments a kernel was launched with; nothing of the arguments is kept."""
    launched = vars(kernel).setdefault("simt_launched", {})
    key = tuple([_kind(one) for one in arguments])
    if key not in launched:
        launched[key] = tuple(map(small_argument, arguments))


def _kind(argument: Any) -> Any:
    """What decides the type of an argument."""
    memory = argument if is_a(argument, np.ndarray) else memory_on_device(argument)
    if memory is None:
        return type(argument)
    return memory.dtype, memory.ndim, memory.flags.c_contiguous, memory.flags.f_contiguous


def types_of(signature: Any) -> tuple:
    """The types of the arguments, of a signature or of a sequence of them."""
    return tuple(getattr(signature, "args", signature))


def signatures_of(kernel: Any) -> list[tuple]:
    """The types that a kernel was declared with, or those of its launches, in numba's."""
    try:
        from numba.cuda.core.sigutils import normalize_signature
    except ImportError:  # numba's own target
        from numba.core.sigutils import normalize_signature
    declared = getattr(kernel, "simt_signature", None)
    if declared:
        return [normalize_signature(one)[0] for one in (declared if isinstance(declared, list) else [declared])]
    launched = [one for one in vars(kernel).get("simt_launched", {}).values() if not any(it is None for it in one)]
    return list(dict.fromkeys(tuple(map(_type_of, arguments)) for arguments in launched))


def _type_of(argument: Any) -> Any:
    from numba.cuda.typing.typeof import Purpose, typeof

    return typeof(argument, Purpose.argument)


def overloads_of(kernel: Any) -> Overloads:
    """The versions of a kernel."""
    return vars(kernel).setdefault("overloads", Overloads(kernel=kernel))


def answer(kernel: Any, name: str, signature: Any = None, **options: Any) -> Any:
    """What a method of the dispatcher says: of one signature, or of all by signature."""
    versions = overloads_of(kernel)
    if name == "inspect_types":
        for one in versions.values():
            one.inspect_types(signature or options.get("file"))
        return None
    ask = (lambda one: getattr(one, NUMBERS[name])) if name in NUMBERS else (lambda one: getattr(one, name)())
    if signature is not None:
        return ask(versions[types_of(signature)])
    if name in NUMBERS and kernel.specialized:
        return ask(next(iter(versions.values())))
    return {types: ask(one) for types, one in versions.items()}
