"""nbgrader's sanitising, so that no notebook ends a run: read as `warpbook grade` reads, and marked anew.

    c.Autograde.exporter_class = SubmissionExporter
    c.Autograde.sanitize_preprocessors = [OwnMetadata, ClearOutput, OverwriteKernelspec, OverwriteCells, ...]
    go_on_without_odd_names()

nbgrader itself stops the whole class at metadata of another schema version, and gives a copied cell such metadata.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.converters.base import BaseConverter
from nbgrader.nbgraderformat import SCHEMA_VERSION, SchemaTooNewError, SchemaTooOldError
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.classroom.reading.answers import is_touched
from autograder.classroom.receive import Refusal, parse, read_regular


def go_on_without_odd_names() -> None:
    """Let nbgrader's commands leave out folders that would end the run for everybody."""
    if BaseConverter.init_notebooks.__module__ != __name__:  # once, however often the configuration is read
        found = BaseConverter.init_notebooks

        def init_notebooks(converter: BaseConverter) -> None:
            found(converter)
            leave_out_names_of_several_lines(converter)

        BaseConverter.init_notebooks = init_notebooks


def leave_out_names_of_several_lines(converter: BaseConverter) -> None:
    """Take out what lies in folders whose names hold a line break: nbgrader finds no student in such a path."""
    for path in [path for path in converter.assignments if "\n" in path]:
        del converter.assignments[path]
        converter.log.error("%r is left out: no student's name has a line break. Rename the folder.", path)


class SubmissionExporter(NotebookExporter):
    """Reads one regular file of bounded size; a notebook that cannot be read is one student's failure."""

    def from_filename(self, filename, resources=None, **kw):
        """Convert a notebook. Raises Refusal, which nbgrader reports for this student before it goes on."""
        path = Path(filename)
        resources = {} if resources is None else resources
        resources["metadata"] = {"name": path.stem, "path": str(path.parent)}
        try:
            notebook = parse(read_regular(path.parent, (path.name,)))
        except Refusal as refusal:
            raise Refusal(f"{path} is not taken in: {refusal}") from None
        try:
            return self.from_notebook_node(notebook, resources=resources, **kw)
        except (SchemaTooOldError, SchemaTooNewError) as error:  # at which nbgrader would end the run
            raise Refusal(f"{path} has nbgrader's metadata in another version: {error}.") from error


class OwnMetadata(NbGraderPreprocessor):
    """Gives the assignment's cells the metadata that they had when they were released, and all others none.

    A submission's own metadata chooses cells and says nothing more. Of several that claim one id, the last one counts
    that holds more than the stub, as for `warpbook grade`.
    """

    def preprocess(self, nb, resources):
        """Change a notebook as it came in."""
        names = resources["nbgrader"]
        with Gradebook(names["db_url"]) as book:
            released = _released(book.find_notebook(names["notebook"], names["assignment"]))
        chosen: dict[str, NotebookNode] = {}
        for cell in nb.cells:
            name = _claimed(cell)
            cell.metadata = NotebookNode()
            cell.pop("attachments", None)
            if name in released:
                copied = name in chosen
                if copied:
                    self.log.warning("%s has several cells %r: one of them counts.", names["student"], name)
                if not copied or not released[name]["solution"] or is_touched(cell.source, name):
                    chosen[name] = cell
        for name, cell in chosen.items():
            cell.metadata.nbgrader = NotebookNode(released[name])
        return nb, resources


def _claimed(cell: NotebookNode) -> str:
    """The id that a cell's metadata claims; "" for none."""
    claimed = cell.metadata.get("nbgrader")
    name = claimed.get("grade_id") if isinstance(claimed, dict) else None
    return name if isinstance(name, str) else ""


def _released(notebook: Any) -> dict[str, dict[str, Any]]:
    """The metadata of each of a notebook's cells, by its id, out of nbgrader's database."""
    points = {cell.name: float(cell.max_score) for cell in (*notebook.grade_cells, *notebook.task_cells)}
    graded, solutions, tasks = (
        {cell.name for cell in cells} for cells in (notebook.grade_cells, notebook.solution_cells, notebook.task_cells)
    )
    known = {}
    for cell in notebook.source_cells:
        known[cell.name] = {
            "schema_version": SCHEMA_VERSION,
            "grade_id": cell.name,
            "cell_type": cell.cell_type,
            "grade": cell.name in graded,
            "solution": cell.name in solutions,
            "task": cell.name in tasks,
            "locked": cell.locked,
        } | ({"points": points[cell.name]} if cell.name in points else {})
    return known
