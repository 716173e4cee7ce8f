"""What the jail does with the kernels of an answer that a GPU will run: text in, PTX out; and, apart, PTX in, code out.

The two never happen in one visit, so what assembles is a process that no student's Python was ever in.
"""

from __future__ import annotations

import re
import socket
from typing import Any

import numpy as np

from autograder import backend
from autograder.answer.program import Program
from autograder.classroom.messages import frames
from autograder.lint import ATTEMPTS, compiler
from autograder.lint.nvvm_faults import is_of_nvvm, whole
from autograder.lint.signature import signature_of

MESSAGE_CHARACTERS = 500
REFUSALS = frozenset({"NumbaError", "ReturnsValue"})  # classes of what the compiler raises about the text itself
OF_ONE_GPU = re.compile(r"\bwgmma\.")  # instructions that sm_90a has, and no later GPU: the target must name it
EXTENT = 4  # of every axis of the arrays that stand for arguments


def compile_kernels(request: dict[str, Any], channel: socket.socket) -> None:
    """Load the answer and compile its kernels. request: {"program", "architecture", "kernels": [[name, kinds]]}.

    The reply is {"codes": [{"ptx", "max_registers"}]} in that order; {"not_compiled": why} where the compiler refuses
    the text; {"failed": why} for whatever else went wrong.
    """
    backend.prepare()
    architecture = str(request["architecture"])
    codes = []
    try:
        if reason := compiler.unavailable_reason():
            raise RuntimeError(reason)
        namespace = Program.from_json(request["program"]).namespace()
        for name, kinds in request["kernels"]:
            arguments = [_stands_for(kind) for kind in kinds]
            ptx, max_registers = _ptx(namespace[name], signature_of(arguments), architecture)
            codes.append({"ptx": ptx, "max_registers": max_registers})
    except BaseException as error:  # loading runs what the gate let pass, and numba raises what it likes
        names = {kind.__name__ for kind in type(error).__mro__}
        kind = "not_compiled" if names & REFUSALS else "failed"
        frames.send(channel, {kind: f"{type(error).__name__}: {error}"[:MESSAGE_CHARACTERS]})
        return
    frames.send(channel, {"codes": codes})


def _ptx(kernel: Any, signature: tuple, architecture: str) -> tuple[str, int]:
    """PTX, and registers a thread may have, 0 for no limit; less optimised where NVVM fails at its best."""
    levels = sorted({level for _, level in ATTEMPTS}, reverse=True)
    for level in levels:
        try:
            lowered = compiler.lower(kernel, signature, architecture, lines=False, level=level)
            text = whole(compiler.to_ptx(lowered, architecture))
            if OF_ONE_GPU.search(text):
                text = compiler.to_ptx(lowered, f"{architecture}a")
            return text, lowered.max_registers or 0
        except Exception as error:
            if level == levels[-1] or not is_of_nvvm(error):
                raise
    raise AssertionError("there is a lowest level")


def assemble(request: dict[str, Any], channel: socket.socket) -> None:
    """Machine code for PTX that the judge has read. request: {"codes": [{"ptx", "max_registers", "architecture"}]}.

    The reply has an array of bytes for each under its number, or is {"not_assembled": why}.
    """
    images = {}
    for number, code in enumerate(request["codes"]):
        image, error = compiler.machine_code(code["ptx"], str(code["architecture"]), int(code["max_registers"]))
        if error:
            frames.send(channel, {"not_assembled": error[:MESSAGE_CHARACTERS]})
            return
        images[str(number)] = np.frombuffer(image, np.uint8)
    frames.send(channel, {"assembled": len(images)}, images)


def _stands_for(kind: list[Any]) -> Any:
    """A value of the type that an argument has, which is all that compiling asks for."""
    if kind[0] == "number":
        return np.dtype(str(kind[1])).type(1)
    dtype, dimensions, layout = np.dtype(str(kind[1])), int(kind[2]), str(kind[3])
    if layout == "A":
        return np.empty((2 * EXTENT,) * dimensions, dtype)[(slice(None, None, 2),) * dimensions]
    return np.empty((EXTENT,) * dimensions, dtype, order="F" if layout == "F" else "C")
