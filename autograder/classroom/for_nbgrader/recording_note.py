"""What a solved notebook says of its recording: metadata of the notebook, and the note that its first cell ends with.

Without nbgrader, so that a machine with a GPU and little else can record.
"""

from __future__ import annotations

RECORD = "warpbook"  # metadata: of a notebook, where and when it ran; of a cell, what its outputs are of


def recording_note(record: dict[str, str]) -> str:
    """The paragraph that a solved notebook's first cell ends with. record: "device" and "date"."""
    return f"\n\n*The outputs below were recorded on {record['device']} on {record['date']}.*"


def remove_note(notebook) -> None:
    """Take the note on the recording off the first cell, where there is one."""
    record = notebook.metadata.get(RECORD)
    if record and notebook.cells:
        notebook.cells[0].source = notebook.cells[0].source.removesuffix(recording_note(record))
