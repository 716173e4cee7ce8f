"""The documentation as static files: home, units with recorded outputs, guides, reference; with search and dark mode.

    python -m tools.site [--address https://code.host/you/warpbook] [--lite lite] [--unit NAME ...]
    python -m http.server --directory build/site 8000

The address is that of your copy of this repository: links to source files lead there, and are plain words without it.
--lite names the folder of the browser build (`make lite`) beside the site's pages. Any broken link ends the build.
"""

from __future__ import annotations

import argparse
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

from tools.parts.units import ROOT, Unit
from tools.site.sources import UNITS

OUTPUT = ROOT / "build" / "site"
NEEDS = ("material", "mkdocs", "mkdocstrings", "nbconvert")


def main(options: list[str] | None = None) -> int:
    """Build it, and say where it is. Ends with MkDocs's own exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--address", default="", help="of the repository, as in https://code.host/you/warpbook")
    parser.add_argument("--lite", default="", help="the browser build's folder, as seen from the site's root")
    parser.add_argument(
        "--unit", action="append", choices=[unit.id for unit in UNITS], help="only this one; repeatable"
    )
    parser.add_argument("--output", type=Path, default=OUTPUT, help="default: build/site")
    arguments = parser.parse_args(options)
    if missing := [name for name in NEEDS if importlib.util.find_spec(name) is None]:
        print(f"{', '.join(missing)}: not installed. Run: python -m pip install -e '.[site]'", file=sys.stderr)
        return 2
    units = [unit for unit in UNITS if not arguments.unit or unit.id in arguments.unit]
    return build(units, arguments.output, arguments.address.rstrip("/"), arguments.lite)


def build(units: list[Unit], output: Path, address: str, lite: str) -> int:
    """Write the sources beside the output, and let MkDocs make pages of them. Returns its exit code."""
    from tools.site.build import write_sources

    sources = output.with_name(f"{output.name}-sources")
    shutil.rmtree(sources, ignore_errors=True)
    configuration = write_sources(sources, units, address, lite)
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--config-file", str(configuration)]
    whole = [*command, "--site-dir", str(output.resolve())]
    done = subprocess.run(whole, cwd=ROOT, stdin=subprocess.DEVNULL)  # without one, MkDocs forgets where its file lies
    if done.returncode == 0:
        print(f"{output}: {len(units)} units. Look at it: python -m http.server --directory {output} 8000")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
