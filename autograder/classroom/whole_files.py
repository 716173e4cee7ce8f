"""Files that a reader sees whole or not at all, whatever happens to the process that writes them."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

SUFFIX = ".warpbook-part"  # of a file that is being written


def write(path: Path, text: str) -> Path:
    """Write a file in one step, its folders as well; one that says the same is left as it is. Raises: OSError."""
    content = text.encode("utf-8")
    if path.is_file() and path.read_bytes() == content:
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=SUFFIX, delete=False) as scratch:
        try:
            scratch.write(content)
            scratch.flush()
            os.chmod(scratch.name, 0o644)
            os.replace(scratch.name, path)
        except BaseException:
            os.unlink(scratch.name)
            raise
    return path


def tidy(out: Path) -> None:
    """Remove what a run that was killed left half written below a folder of grades. Only for whoever holds it."""
    below = [path for folder in ("verdicts", "feedback") for path in (out / folder).rglob(f"*{SUFFIX}")]
    for path in (*out.glob(f"*{SUFFIX}"), *below):
        path.unlink()
