"""A process that compiles kernels: a JSON request a line comes in, a JSON answer a line goes out.

    python -m minitrt.kernels.worker

numba compiles one kernel at a time in a process, so a build with many candidates uses many of these.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from minitrt.kernels.compile import CompileError, SlowCode
from minitrt.kernels.factories import cubin


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """{"name", "constants", "capability"} -> a Cubin's JSON, or {"error", "slow"}; slow: whether there is code, which
    is refused, and comes with it."""
    try:
        made = cubin(request["name"], request["constants"], tuple(request["capability"]))
    except SlowCode as error:
        return {**error.made.to_json(), "error": error.log, "slow": True}
    except CompileError as error:
        return {"error": error.log, "slow": False}
    except Exception as error:  # whatever a kernel fails with is the parent's to report
        return {"error": f"{type(error).__name__}: {error}", "slow": False}
    return made.to_json()


def main() -> None:
    """Answer until the input ends. Nothing else may reach the real standard output."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), file=out, flush=True)


if __name__ == "__main__":
    main()
