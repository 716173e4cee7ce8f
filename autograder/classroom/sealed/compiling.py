"""Kernels of an answer as machine code: compiled in one jail, read by the gate, assembled in another, and hashed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from autograder.answer.program import Program
from autograder.classroom.jail.visit import Visit, tried_again
from autograder.classroom.messages.conversation import JailError
from autograder.classroom.sealed import abi
from autograder.classroom.sealed.ptx import gate as ptx_gate
from autograder.classroom.sealed.ptx.text import PtxRefused

COMPILE_S = 60.0
MAX_KERNELS = 64  # of one answer, each with one set of types
MAX_IMAGE_BYTES = 8 << 20
MAX_REGISTERS = 255
TOO_MUCH = "too much"  # shared memory, or constants: what the assembler says of a text that asks for it
Kernel = tuple[str, tuple]  # name, and the kind of each argument


class NotCompiled(ValueError):
    """The compiler refuses the text; the message is numba's, or the assembler's."""


class CompilerFailed(RuntimeError):
    """There is no machine code for a reason that does not lie in the text; the message says which."""


@dataclass(frozen=True)
class Code:
    """One kernel, ready for the launcher. ptx_sha256, sha256: of the text and of the machine code."""

    name: str
    entry: str
    parameters: tuple[str, ...]
    image: bytes
    ptx_sha256: str
    sha256: str
    cooperative: bool = False  # whether all of its blocks have to be on the device at once


def compiled(program: Program, kernels: Sequence[Kernel], architecture: str) -> list[Code]:
    """The kernels of a program for one architecture, in order. kernels: as many as are launched, each once.

    Raises: NotCompiled; CompilerFailed; PtxRefused; JailError.
    """
    if len(kernels) > MAX_KERNELS:
        raise PtxRefused(f"it launches {len(kernels)} kernels of different types, and {MAX_KERNELS} is the limit")
    request = {"program": program.to_json(), "architecture": architecture, "kernels": list(kernels)}
    reply, _ = tried_again(lambda: _asked({"visit": "compile", **request}))
    if "not_compiled" in reply:
        raise NotCompiled(str(reply["not_compiled"])[:500])
    if "failed" in reply:
        raise CompilerFailed(str(reply["failed"])[:500])
    codes = _codes(reply, len(kernels))
    read = [ptx_gate.accept(code["ptx"], architecture) for code in codes]
    for accepted, (name, kinds) in zip(read, kernels, strict=True):
        if accepted.parameters != abi.types_of(kinds):
            raise PtxRefused(f"{name} takes other parameters than it is given")
    images = _assembled([{**code, "architecture": accepted.target} for code, accepted in zip(codes, read, strict=True)])
    return [
        Code(
            name,
            accepted.entry,
            accepted.parameters,
            image,
            _sha256(code["ptx"].encode()),
            _sha256(image),
            accepted.cooperative,
        )
        for (name, _), accepted, code, image in zip(kernels, read, codes, images, strict=True)
    ]


def digest(codes: Sequence[Code], plan: str = "") -> str:
    """A SHA-256 of all that a GPU is given of an answer: its code, and its plan as text."""
    parts = [*(f"{code.name}\0{code.ptx_sha256}\0{code.sha256}" for code in codes), plan]
    return _sha256("\0".join(parts).encode())


def _asked(request: dict[str, Any]) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    with Visit() as visit:
        return visit.ask(request, seconds=COMPILE_S, most_bytes=MAX_IMAGE_BYTES * len(request.get("codes", ())))


def _codes(reply: dict[str, Any], n_kernels: int) -> list[dict[str, Any]]:
    """The jail's reply as data of the right types. Raises JailError for anything else."""
    codes = reply.get("codes")
    if not isinstance(codes, list) or len(codes) != n_kernels:
        raise JailError("forged", "It ended before it had compiled everything.")
    for code in codes:
        if not isinstance(code, dict) or not isinstance(code.get("ptx"), str):
            raise JailError("forged", "What it compiled is no PTX.")
        registers = code.get("max_registers")
        if type(registers) is not int or not 0 <= registers <= MAX_REGISTERS:
            raise JailError("forged", "What it compiled asks for registers that no thread has.")
    return [{"ptx": code["ptx"], "max_registers": code["max_registers"]} for code in codes]


def _assembled(codes: list[dict[str, Any]]) -> list[bytes]:
    """Machine code of PTX that the gate has read, from a jail in which there is nothing of the answer but this text."""
    request = {"visit": "assemble", "codes": codes}
    reply, images = tried_again(lambda: _asked(request))
    if "not_assembled" in reply:
        refused(str(reply["not_assembled"])[:500])
    found = [images.get(str(number)) for number in range(len(codes))]
    if any(image is None or image.dtype != np.uint8 or not 0 < image.nbytes <= MAX_IMAGE_BYTES for image in found):
        raise JailError("forged", "What it assembled is no machine code.")
    return [image.tobytes() for image in found if image is not None]


def refused(said: str) -> NoReturn:
    """Raise what the assembler's words mean: NotCompiled, or CompilerFailed where nothing says that it is the text."""
    raise NotCompiled(said) if TOO_MUCH in said else CompilerFailed(said)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
