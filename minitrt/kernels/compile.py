"""From a kernel function to a cubin, on any machine: numba types and lowers, NVVM writes PTX, nvJitLink assembles.

No GPU is asked, so an engine can be built, and its kernels tested, for hardware that is not here.
"""

from __future__ import annotations

import base64
import re
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from types import MappingProxyType, SimpleNamespace
from typing import Any

from minitrt.backend import cuda
from simt import compilers

NOTHING_ELSE: Mapping[str, Any] = MappingProxyType({})
ENGINES_NEED = (
    "minitrt compiles the kernels of an engine with numba-cuda, whose way to pass arguments its runtime knows, and "
    f"{compilers.MLIR} is the compiler in use. Set {compilers.VARIABLE}={compilers.NUMBA_CUDA} to build the engine."
)
_lock = threading.RLock()  # numba compiles one kernel at a time, and reads the current device from a module attribute
SERIALISED = re.compile(r"\((C75\d\d)\)[^\n]*")  # ptxas: wgmma runs one by one for want of registers, or after a call


@dataclass(frozen=True)
class Cubin:
    """Machine code of one kernel, and what ptxas said of it."""

    code: bytes
    entry: str
    registers: int
    spill_bytes: int
    stack_bytes: int
    warnings: tuple[str, ...]  # each a C75.. line

    def to_json(self) -> dict[str, Any]:
        return {**self.__dict__, "code": base64.b64encode(self.code).decode()}

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> Cubin:
        """What `to_json` made, also among other keys. Raises: KeyError."""
        kept = {field.name: found[field.name] for field in fields(cls)}
        return cls(**{**kept, "code": base64.b64decode(kept["code"]), "warnings": tuple(kept["warnings"])})


class CompileError(RuntimeError):
    """The assembler refused a kernel, or made code of it that we refuse. Attributes: name, log."""

    def __init__(self, name: str, log: str) -> None:
        super().__init__(f"{name} cannot be used: {log.strip()}")
        self.name, self.log = name, log


class SlowCode(CompileError):
    """Code that the assembler made and that a build refuses. The same assembler makes the same again, so this is kept.

    Attributes: name, log; made: the code, which is right, or None where only the refusal was kept.
    """

    def __init__(self, name: str, log: str, made: Cubin | None = None) -> None:
        super().__init__(name, log)
        self.made = made


def architecture_of(capability: tuple[int, int]) -> str:
    """ "sm_90a" for (9, 0): from Hopper on, the architecture's own instructions are wanted, too."""
    return f"sm_{capability[0]}{capability[1]}" + ("a" if capability >= (9, 0) else "")


def compile_kernel(
    function: Callable,
    signature: Any,
    threads: int,
    capability: tuple[int, int] = (9, 0),
    options: Mapping[str, Any] = NOTHING_ELSE,
) -> Cubin:
    """Compile a kernel for one architecture.

    Args:    function: a plain Python kernel; signature: its numba signature, void(...);
             threads: the most a block will have, which bounds the registers; capability: as in (9, 0);
             options: of numba's compile_ptx, such as launch_bounds in place of `threads`.
    Raises:  CompileError; whatever numba raises for code that it cannot type.
    """
    text = ptx_of(function, signature, threads, capability, options)
    return assemble(text, architecture_of(capability), getattr(function, "__name__", "kernel"))


def ptx_of(
    function: Callable,
    signature: Any,
    threads: int,
    capability: tuple[int, int] = (9, 0),
    options: Mapping[str, Any] = NOTHING_ELSE,
) -> str:
    """The PTX of a kernel, with the same arguments."""
    if compilers.successor_in_use():
        raise CompileError(getattr(function, "__name__", "kernel"), ENGINES_NEED)
    architecture = architecture_of(capability)
    target = (*capability, "a") if architecture.endswith("a") else capability
    with _lock, _device_of(capability), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text, _ = cuda.compile_ptx(function, signature, cc=target, **{"launch_bounds": (threads, 1), **options})
    return text


def assemble(text: str, architecture: str, name: str) -> Cubin:
    """Machine code for PTX with one entry. Raises: CompileError."""
    from cuda.core import Linker, LinkerOptions, ObjectCode

    options = LinkerOptions(arch=architecture, ptxas_options=["-v"])
    try:
        linker = Linker(ObjectCode.from_ptx(text.encode()), options=options)
        code = bytes(linker.link("cubin").code)
    except Exception as error:  # cuda.core's classes differ by version; the text holds ptxas's log
        raise CompileError(name, f"ptxas refused it. {error}") from error
    log = linker.get_info_log() + linker.get_error_log()
    return Cubin(
        code=code,
        entry=re.search(r"\.entry\s+(\S+?)\(", text).group(1),
        registers=_largest(r"Used (\d+) registers", log),
        spill_bytes=_largest(r"(\d+) bytes spill stores", log),
        stack_bytes=_largest(r"(\d+) bytes stack frame", log),
        warnings=tuple(match.group(0) for match in SERIALISED.finditer(log)),
    )


def _largest(pattern: str, log: str) -> int:
    return max((int(number) for number in re.findall(pattern, log)), default=0)


@contextmanager
def _device_of(capability: tuple[int, int]) -> Iterator[None]:
    """Answer numba's question for the current device, which it asks for the device functions a kernel calls."""
    from numba.cuda import dispatcher

    asked = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=capability)
    try:
        yield
    finally:
        dispatcher.get_current_device = asked
