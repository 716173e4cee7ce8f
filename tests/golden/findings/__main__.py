"""Compares the golden files with what is said now, or writes them anew."""

from __future__ import annotations

import argparse
import sys

from tests.golden.findings.catalogue import FILES, compare, write


def main() -> int:
    """Returns: 0 when every file says what is said now."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden.findings", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the .txt files anew")
    if parser.parse_args().write:
        for name in FILES:
            print(f"{write(name)}: {len(list(FILES[name]))} examples")
        return 0
    different = [name for name in FILES if compare(name)]
    print("\n".join(f"{name}.txt differs" for name in different) or f"{len(FILES)} files, no difference")
    return int(bool(different))


if __name__ == "__main__":
    sys.exit(main())
