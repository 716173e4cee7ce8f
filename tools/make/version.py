"""Write the version of pyproject.toml, the one place where it is set, into the other files that name it.

python -m tools.make.version            write it
python -m tools.make.version --check    fail when a file names another
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib

from tools.parts.units import ROOT

PLACES = {  # file -> the line that names the version
    "CITATION.cff": re.compile(r"^(version: )(\S+)", re.MULTILINE),
    "recipe/recipe.yaml": re.compile(r'^(  version: ")([^"]+)(?=")', re.MULTILINE),
}


def current(name: str, text: str) -> str:
    """The file with the project's version. Raises ValueError where it names none, or several."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    text, found = PLACES[name].subn(rf"\g<1>{version}", text)
    if found != 1:
        raise ValueError(f"{name} has {found} lines like {PLACES[name].pattern!r}, and needs one.")
    return text


def main(arguments: list[str] | None = None) -> int:
    """Write, or check. Returns 1 where a file names another version."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a file names another")
    check = parser.parse_args(arguments).check
    stale = []
    for name in PLACES:
        path = ROOT / name
        text = path.read_text(encoding="utf-8")
        wanted = current(name, text)
        if text != wanted:
            stale.append(name)
            if not check:
                path.write_text(wanted, encoding="utf-8")
    if check and stale:
        print(f"{', '.join(stale)}: not pyproject.toml's version. Run `python -m tools.make.version`.", file=sys.stderr)
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
