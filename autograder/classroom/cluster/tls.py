"""Certificates for a cluster of one's own: ``python -m autograder.classroom.cluster.tls FOLDER`` makes a pair.

Whoever has the two files may give work to the cluster, and that is code; nobody else may.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

CERTIFICATE, KEY = "cert.pem", "key.pem"  # it signs itself, so it is the authority as well
ROLES = ("client", "scheduler", "worker")


class TlsError(ValueError):
    """Certificates cannot be read or made; the message says what to type."""


def make(folder: Path) -> tuple[Path, Path]:
    """Write a new certificate and its key, which only this user can read. Raises: TlsError where there are some."""
    from distributed import Security

    paths = folder / CERTIFICATE, folder / KEY
    if any(path.exists() for path in paths):
        raise TlsError(f"{folder} has certificates. Name another folder, or use those.")
    made = Security.temporary()
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in zip(paths, (made.tls_ca_file, made.tls_worker_key), strict=True):
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            file.write(text)
    return paths


def security_of(folder: str) -> Any:
    """What anybody in a cluster with these certificates needs to talk to it; None for "". Raises: TlsError."""
    if not folder:
        return None
    certificate, key = (str(Path(folder) / name) for name in (CERTIFICATE, KEY))
    if missing := [path for path in (certificate, key) if not Path(path).is_file()]:
        raise TlsError(f"There is no {missing[0]}. Make it: python -m autograder.classroom.cluster.tls {folder}")
    from distributed import Security

    for_each = {f"tls_{role}_{part}": path for role in ROLES for part, path in (("cert", certificate), ("key", key))}
    return Security(tls_ca_file=certificate, require_encryption=True, **for_each)


def main(arguments: list[str]) -> int:
    """Make the pair, and say how scheduler and workers take it."""
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print((__doc__ or "").splitlines()[0], file=sys.stderr)
        return 2
    try:
        certificate, key = make(Path(arguments[0]))
    except TlsError as error:
        print(error, file=sys.stderr)
        return 2
    flags = f"--tls-ca-file {certificate} --tls-cert {certificate} --tls-key {key}"
    print(f"dask scheduler --protocol tls {flags}")
    print(f"dask worker tls://HOST:8786 {flags} --nthreads 1")
    print(f"warpbook grade --scheduler tls://HOST:8786 --tls {arguments[0]} ...")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
