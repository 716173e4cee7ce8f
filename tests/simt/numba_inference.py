"""The types numba's own inference gives to calls, asked in a child process.

Inference fills templates that all of numba shares, and changes how numba words later refusals; a child keeps that away
from tests of the compiler.
"""

from __future__ import annotations

import pickle
import struct
import subprocess
import sys
from pathlib import Path

LENGTH = struct.Struct("<Q")


class NumbaInference:
    """infer(function, names) -> name of the type of the result, or None where numba refuses; needs no GPU."""

    def __init__(self):
        root = Path(__file__).resolve().parent.parent.parent
        command = [sys.executable, "-m", "tests.simt.numba_inference"]
        self.child = subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __call__(self, function, names: tuple[str, ...]) -> str | None:
        return self.all(function, [names])[0]

    def all(self, function, many_names: list[tuple[str, ...]]) -> list[str | None]:
        """The same for several tuples of operand types."""
        _send(self.child.stdin, (function, many_names))
        return _receive(self.child.stdout)

    def close(self) -> None:
        """End the child."""
        self.child.stdin.close()
        self.child.stdout.close()
        self.child.wait()


def _send(stream, message) -> None:
    data = pickle.dumps(message)
    stream.write(LENGTH.pack(len(data)) + data)
    stream.flush()


def _receive(stream):
    header = stream.read(LENGTH.size)
    if len(header) < LENGTH.size:
        raise EOFError("the process at the other end has gone")
    return pickle.loads(stream.read(*LENGTH.unpack(header)))


def main() -> None:
    """Answer (function, [names of operand types, ...]) with [name or None, ...] until the input ends."""
    from numba.cuda import types
    from numba.cuda.descriptor import cuda_target

    context = cuda_target.typing_context
    context.refresh()

    def infer(function, names) -> str | None:
        arguments = tuple(types.boolean if name == "bool" else getattr(types, name) for name in names)
        try:
            signature = context.resolve_function_type(function, arguments, {})
        except Exception:  # numba raises several kinds for operands it refuses
            return None
        return None if signature is None else str(signature.return_type).replace("boolean", "bool")

    questions, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # what numba prints is no answer
    while True:
        try:
            function, many_names = _receive(questions)
        except EOFError:
            return
        _send(answers, [infer(function, names) for names in many_names])


if __name__ == "__main__":
    main()
