"""Does something once a module has been imported, and loads nothing until then."""

from __future__ import annotations

import importlib.abc
import importlib.util
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


def when_imported(name: str, act: Callable[[], object]) -> None:
    """Call `act` at the end of the first import of a module; at once where it is there already."""
    if name in sys.modules:
        act()
    elif not any(isinstance(one, _Waiting) and one.name == name for one in sys.meta_path):
        sys.meta_path.insert(0, _Waiting(name, act))


class _Waiting(importlib.abc.MetaPathFinder):
    """Finds nothing itself: what the others find of one name acts when it has been loaded."""

    def __init__(self, name: str, act: Callable[[], object]) -> None:
        self.name, self._act = name, act

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name != self.name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            load, act = spec.loader.exec_module, self._act

            def load_and_act(module: ModuleType) -> None:
                load(module)
                act()

            vars(spec.loader)["exec_module"] = load_and_act
        return spec
