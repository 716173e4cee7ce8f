"""Reads YAML with the quick loader, where PyYAML was built with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

try:
    from yaml import CSafeLoader as SafeLoader
except ImportError:
    from yaml import SafeLoader  # type: ignore[assignment]


def content_of(path: Path, loader: type = SafeLoader) -> Any:
    """What a file of ours says. Raises: yaml.YAMLError."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader=loader)
