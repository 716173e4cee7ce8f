"""A submitted notebook made safe to look at: what a browser would run or load becomes text.

nbgrader renders submitted markdown, raw cells and metadata to the instructor without cleaning them (its templates take
no notice of nbconvert's `sanitize_html`), so this happens before its templates see them.
"""

from __future__ import annotations

from nbformat import NotebookNode

KEPT_METADATA = ("nbgrader",)  # nbgrader itself checks and restores this


def make_harmless(notebook: NotebookNode, trusted: frozenset[str]) -> NotebookNode:
    """Change a notebook in place, and return it. Code stays as it is, since templates escape it.

    trusted: texts of the instructor's own markdown cells, which stay as they are.
    """
    notebook.metadata = NotebookNode(
        kernelspec=NotebookNode(name="python3", display_name="Python 3", language="python"),
        language_info=NotebookNode(name="python"),
    )
    for cell in notebook.cells:
        cell.metadata = NotebookNode({key: cell.metadata[key] for key in KEPT_METADATA if key in cell.metadata})
        cell.pop("attachments", None)
        if cell.cell_type != "code" and cell.source not in trusted:
            cell.source = as_text(cell.source)
    return notebook


def as_text(markdown: str) -> str:
    """Markdown that renders without any HTML of its own, and without links or pictures that load or run something."""
    escaped = markdown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return escaped.replace("](", "]\\(").replace("]:", "]\\:").replace("://", ":\u200b//")
