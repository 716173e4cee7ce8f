"""Printing to whoever listens: `| head` closes the pipe when it has what it wants, and that is no error."""

from __future__ import annotations

import os
import sys


def say(text: str) -> None:
    """Print to stdout and flush; nothing happens where nobody reads."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        speak_to_nobody()


def speak_to_nobody() -> None:
    """What is printed from here on goes nowhere, as does what the interpreter flushes at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
