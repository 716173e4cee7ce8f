"""What a GPU will be given of an answer, fixed before any value that it is judged on is drawn.

The judge has it made (`fixing.fix`), writes its digest down, draws a seed, and only then judges. It
travels between these two steps as text, and a worker that gets it back gives the launcher this code and no other.
"""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import asdict, dataclass
from typing import Any

from autograder.classroom.sealed.compiling import Code, digest

NOT_FIXED = "not fixed"  # in place of a seed, for an answer of which nothing was written down before
MAX_BYTES = 256 << 20


class NotFixedBefore(RuntimeError):
    """Machine code that was not written down before the values were drawn."""


@dataclass(frozen=True)
class Fixed:
    """Machine code for one architecture, and the plans of a host function, one a case; None for a kernel."""

    architecture: str
    codes: tuple[Code, ...]
    plans: list[dict[str, Any]] | None = None

    @property
    def digest(self) -> str:
        """SHA-256 of all of it."""
        return digest(self.codes, plans_as_text(self.plans))

    def to_text(self) -> str:
        """Text that `of` reads."""
        codes = [{**asdict(code), "image": base64.b64encode(code.image).decode()} for code in self.codes]
        document = {"architecture": self.architecture, "codes": codes, "plans": self.plans}
        return base64.b64encode(zlib.compress(json.dumps(document).encode())).decode()

    @classmethod
    def of(cls, text: str) -> Fixed:
        """What `to_text` wrote. Raises ValueError, KeyError or TypeError for anything else."""
        try:
            unpacked = zlib.decompressobj().decompress(base64.b64decode(text, validate=True), MAX_BYTES)
        except zlib.error as error:
            raise ValueError(str(error)) from None
        document = json.loads(unpacked)
        codes = tuple(
            Code(**{**code, "image": base64.b64decode(code["image"]), "parameters": tuple(code["parameters"])})
            for code in document["codes"]
        )
        return cls(str(document["architecture"]), codes, document["plans"])


def plans_as_text(plans: list[dict[str, Any]] | None) -> str:
    """Plans as the digest takes them; "" for none."""
    return "" if plans is None else json.dumps(plans, sort_keys=True)
