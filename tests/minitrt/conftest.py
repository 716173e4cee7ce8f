"""What a test draws at random does not depend on which tests ran before it, in this process or in another."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

import numpy as np
import pytest

from minitrt.api.deprecation import SAID


@cache
def generators() -> list[tuple[np.random.Generator, Any]]:
    """Every generator of these tests' modules, with its state before the first test."""
    modules = [module for name, module in sys.modules.items() if name.startswith("tests.minitrt")]
    found = {id(it): it for module in modules for it in vars(module).values() if isinstance(it, np.random.Generator)}
    return [(generator, generator.bit_generator.state) for generator in found.values()]


@pytest.fixture(autouse=True)
def nothing_said_yet():
    """What warns once a process warns in each test."""
    SAID.clear()


@pytest.fixture(autouse=True)
def drawn_from_the_start():
    """Each test draws as if it were the first."""
    for generator, state in generators():
        generator.bit_generator.state = state
