"""The calibration cache, TensorRT's text format: a header, then one line a tensor with its scale.

    TRT-101600-EntropyCalibration2
    input: 3c92aa10

The number is the scale as the big-endian bits of a float32, in hexadecimal: 3c92aa10 is 0.0179033577. A line is split
at its last colon, since names may hold colons.
"""

from __future__ import annotations

import struct

from minitrt.plan.plan import VERSION

MAJOR, MINOR, PATCH = (int(part) for part in VERSION.split("."))
NUMBER = MAJOR * 10000 + MINOR * 100 + PATCH


class CacheRejected(ValueError):
    """A cache of another algorithm or version, or text that is none."""


def write(scales: dict[str, float], algorithm: str) -> bytes:
    """The cache of these scales. algorithm: "EntropyCalibration2", "MinMaxCalibration", ..."""
    lines = [f"TRT-{NUMBER}-{algorithm}"]
    lines += [f"{name}: {struct.pack('>f', scale).hex()}" for name, scale in scales.items()]
    return ("\n".join(lines) + "\n").encode()


def read(data: bytes, algorithm: str) -> dict[str, float]:
    """The scales of a cache. Raises: CacheRejected."""
    try:
        header, *lines = bytes(data).decode().splitlines()
        scales = {}
        for line in lines:
            if line.strip():
                name, _, digits = line.rpartition(":")
                scales[name] = struct.unpack(">f", bytes.fromhex(digits.strip()))[0]
    except (ValueError, struct.error) as error:
        raise CacheRejected(f"this is no calibration cache: {error}") from error
    if header.strip() != f"TRT-{NUMBER}-{algorithm}":
        raise CacheRejected(f"the cache is of {header.strip()}, and this needs TRT-{NUMBER}-{algorithm}")
    return scales
