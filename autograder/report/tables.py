"""How a table begins on a page whose own style is not ours."""

from __future__ import annotations

# formgrader's pages set the padding of every cell to 0, so the gaps between columns are the table's own.
OPEN_TABLE = '<table style="border-collapse:separate;border-spacing:.8em .1em">'
SMALL_TABLE = '<table style="border-collapse:separate;border-spacing:.8em .1em;font-size:12px">'
