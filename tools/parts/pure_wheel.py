"""Wheels of pure Python, written without a build backend, with the same bytes from the same files."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from collections.abc import Mapping
from pathlib import Path

EPOCH = (1980, 1, 1, 0, 0, 0)  # the oldest time a zip file can hold


def write(folder: Path, name: str, version: str, files: Mapping[str, bytes]) -> Path:
    """Write `name`-`version`-py3-none-any.whl. files: contents by path in site-packages. Returns the wheel's path.

    The metadata names no requirements: whoever installs it brings them.
    """
    info = f"{name}-{version}.dist-info"
    whole = {
        **files,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: warpbook\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    lines = [f"{path},sha256={_digest(data)},{len(data)}" for path, data in sorted(whole.items())]
    whole[f"{info}/RECORD"] = "\n".join([*lines, f"{info}/RECORD,,", ""]).encode()
    wheel = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as packed:
        for path, data in sorted(whole.items()):
            entry = zipfile.ZipInfo(path, EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, data)
    return wheel


def files_of(*packages: Path) -> dict[str, bytes]:
    """Every file of these packages, by its path below the folder that holds the package; no caches."""
    return {
        path.relative_to(package.parent).as_posix(): path.read_bytes()
        for package in packages
        for path in sorted(package.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
