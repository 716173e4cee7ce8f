"""The package itself: what an import loads, what its names are, and that a fact of the hardware is written once."""

import ast
import subprocess
import sys

import simt
from simt import hardware
from tools.parts.units import ROOT

PACKAGE = ROOT / "simt"


def loaded_by(statement: str) -> list[str]:
    """The modules of simt, and the libraries, that a fresh interpreter has after a statement."""
    asks = "print(*(name for name in sys.modules if name.split('.')[0] in ('simt', 'numpy', 'numba', 'autograder')))"
    command = [sys.executable, "-c", f"import sys\n{statement}\n{asks}"]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout.split()


def test_a_table_is_imported_without_the_interpreter():
    assert {"simt", "simt.timing", "simt.timing.gpus", "simt.hardware"} == set(loaded_by("import simt.timing.gpus"))


def test_importing_simt_loads_nothing_before_a_name_is_used():
    assert ["simt"] == loaded_by("import simt")
    assert "simt.run" in loaded_by("import simt; simt.launch")


def test_no_public_name_is_a_module_s_unless_it_is_that_module():
    for name in simt.__all__:
        module = (PACKAGE / f"{name}.py").exists() or (PACKAGE / name).is_dir()
        assert module == (type(getattr(simt, name)) is type(simt)), name


def test_the_public_names_are_found_by_completion():
    assert set(simt.__all__) <= set(dir(simt))


def test_an_import_of_any_module_leaves_the_public_names_as_they_are():
    statement = "import simt, simt.run, simt.tracing, simt.stepper.text; assert callable(simt.launch), simt.launch\n"
    assert loaded_by(statement + "assert callable(simt.trace) and callable(simt.step) and callable(simt.bound_of)")


def test_the_root_holds_few_modules_and_every_folder_says_what_it_is_for():
    modules = [path.name for path in PACKAGE.glob("*.py")]
    folders = [path.parent for path in PACKAGE.rglob("__init__.py") if path.parent != PACKAGE]
    assert len(modules) <= 8  # the public entries, and what every room meets at
    for folder in folders:
        assert ast.get_docstring(ast.parse((folder / "__init__.py").read_text())), folder


def test_modules_import_by_full_name():
    relative = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert [] == relative


def test_a_fact_of_the_hardware_is_written_in_one_file():
    facts = {name for name in vars(hardware) if name.isupper()}
    elsewhere = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for package in ("simt", "autograder")
        for path in (ROOT / package).rglob("*.py")
        if path != PACKAGE / "hardware.py" and "exercises" not in path.parts
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant | ast.BinOp | ast.Tuple)
        for target in node.targets
        if isinstance(target, ast.Name) and target.id in facts
    ]
    assert [] == elsewhere
