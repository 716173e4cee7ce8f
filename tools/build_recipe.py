"""Build the conda package of recipe/ and run the recipe's tests on it, in environments of their own.

    python -m tools.build_recipe                 with conda-forge's Python and packages
    python -m tools.build_recipe --no-channel    with this machine's Python, and what pip brings, made conda packages

Needs py-rattler-build (``python tools/set_up.py --dev``). The second form proves the recipe on Linux where no channel
can be reached; what it makes of Python is good for nothing else. Debian's own Python installs into folders of its own,
so that there --python names another one.
"""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml

from tools.parts.units import ROOT

RECIPE = ROOT / "recipe" / "recipe.yaml"
OUTPUT = ROOT / "build" / "conda"
PLATFORM = f"linux-{ {'x86_64': '64'}.get(platform.machine(), platform.machine()) }"
LEFT_OUT = ("__pycache__", "site-packages", "dist-packages", "test", "config-*", "EXTERNALLY-MANAGED")
ABOUT = """
import json, platform, sys, sysconfig
base = {"installed_base": sys.base_prefix, "base": sys.base_prefix}
print(json.dumps({
    "version": platform.python_version(), "program": getattr(sys, "_base_executable", sys.executable),
    "library": sysconfig.get_path("stdlib", "posix_prefix", base), "home": sys.base_prefix,
    "scheme": sysconfig.get_preferred_scheme("prefix"),
}))
"""


class NoSuchPython(ValueError):
    """A Python of which no conda package can be made; the message says why, and what to do."""


def build(output: Path, channels: list[str]) -> Path:
    """Build and test; channels may be empty where `output` has all that is needed. Returns: the package.

    Raises: rattler_build's errors, whose text is the build's own.
    """
    from rattler_build import Stage0Recipe, ToolConfiguration, VariantConfig

    (variant,) = Stage0Recipe.from_file(RECIPE).render(VariantConfig())
    made = variant.run_build(ToolConfiguration(test_strategy="native"), output, channels, package_format="conda:1")
    return Path(made.packages[0])


def make_channel(folder: Path, python: str) -> None:
    """Put a Python and what the recipe names beside it into a folder that rattler-build takes packages from.

    python: a program. Raises NoSuchPython.
    """
    from rattler_build import assemble_package

    about = json.loads(subprocess.run([python, "-c", ABOUT], check=True, capture_output=True, text=True).stdout)
    if about["scheme"] != "posix_prefix":
        raise NoSuchPython(
            f"{python} installs packages as {about['scheme']} says, not as conda does. "
            "Pass --python with another Python, as pyenv, uv or conda make them."
        )
    staged = folder / "staged"
    shutil.rmtree(staged, ignore_errors=True)
    _stage_python(staged / "python", about)
    made = {"compression_level": 1}
    assemble_package(
        "python", about["version"], PLATFORM, "0_cpython", folder / PLATFORM, files_dir=staged / "python", **made
    )
    for name, pin in _needed():
        target = staged / name / "site-packages"
        pip = [python, "-m", "pip", "install", "-q", "--no-deps", "--target", str(target), f"{name}{pin}"]
        subprocess.run(pip, check=True)
        shutil.rmtree(target / "bin", ignore_errors=True)
        version = next(target.glob(f"{name}-*.dist-info")).name.removesuffix(".dist-info").partition("-")[2]
        of_python = {"depends": ["python"], "noarch": "python"}
        assemble_package(
            name, version, "noarch", "py_0", folder / "noarch", files_dir=staged / name, **of_python, **made
        )
    shutil.rmtree(staged)


def _needed() -> Iterator[tuple[str, str]]:
    """What the recipe asks for besides Python, with its pin, each once."""
    asked = yaml.safe_load(RECIPE.read_text(encoding="utf-8"))["requirements"]
    for requirement in sorted({*asked["host"], *asked["run"]}):
        name, _, pin = requirement.partition(" ")
        if name != "python":
            yield name, pin


def _stage_python(prefix: Path, about: dict[str, str]) -> None:
    """An interpreter and its library as conda lays them out, without anything that was installed into it."""
    name = f"python{about['version'].rpartition('.')[0]}"
    program, library = prefix / "bin" / name, prefix / "lib" / name
    program.parent.mkdir(parents=True)
    shutil.copy2(Path(about["program"]).resolve(), program)
    for other in ("python", "python3"):
        (program.parent / other).symlink_to(name)
    shutil.copytree(about["library"], library, ignore=shutil.ignore_patterns(*LEFT_OUT))
    (library / "site-packages").mkdir()
    for shared in Path(about["home"], "lib").glob(f"lib{name}*.so*"):
        shutil.copy2(shared, prefix / "lib" / shared.name)


def main(arguments: list[str] | None = None) -> int:
    """Build, and say where the package is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--no-channel", action="store_true", help="with this machine's Python and pip's packages")
    parser.add_argument(
        "--python", default=sys._base_executable, help="which, with --no-channel; default: the running one"
    )
    parser.add_argument("--channel", default="conda-forge", help="where packages come from; default: conda-forge")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="default: build/conda")
    options = parser.parse_args(arguments)
    options.output.mkdir(parents=True, exist_ok=True)
    if options.no_channel:
        try:
            make_channel(options.output, options.python)
        except NoSuchPython as error:
            parser.error(str(error))
    print(build(options.output, [] if options.no_channel else [options.channel]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
