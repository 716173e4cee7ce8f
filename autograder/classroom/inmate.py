"""What runs inside the jail: load a host function, call it, and say on standard output what it asked for.

    python -I inmate.py PROJECT < request.json > reply.json

This process runs what a student wrote. Nothing in it is trusted, and nothing that it says is believed: its plan is
checked and carried out elsewhere, on inputs that it has never seen.
"""

from __future__ import annotations

import json
import os
import sys


def main() -> None:
    """Serve one request."""
    sys.path.insert(0, sys.argv[1])
    replies = os.fdopen(os.dup(1), "w")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)  # what the student prints goes nowhere
    request = json.load(sys.stdin)
    from autograder.classroom import inside

    json.dump(inside.serve(request), replies)
    replies.flush()


if __name__ == "__main__":
    main()
