"""Write docs/pictures.md and the pictures on it: what each shows, how to draw it, and the same in words.

python -m tools.make.pictures            write them
python -m tools.make.pictures --check    fail when the page is not current
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

import simt
from tools.parts.picture_examples import EXAMPLES, REVERSE, Example, kernel_of
from tools.parts.units import ROOT

PAGE = ROOT / "docs" / "pictures.md"
FOLDER = ROOT / "docs" / "pictures"
HEAD = """# Pictures

What a kernel does, drawn from a run in the interpreter: no GPU is needed. In a notebook `q.show(kernel)` draws the
picture that explains most about an answer, `q.show(kernel, line=12)` that of one line, and `q.step(kernel)` goes
through a block line by line. Without the course, `simt.figures` draws from a trace, and `simt.step` goes line by line;
in a terminal, `warpbook trace --draw picture.svg` draws what explains most about any kernel.

Every picture is SVG in a notebook and text in a terminal (`print(figure.words)`); `figure.alt` says in a sentence or
two what it holds. Colours are from palettes that colour-blind eyes tell apart, and nothing rests on colour alone: lanes
carry their numbers, and what is outside or waits is labelled.

This page is written by `python -m tools.make.pictures`.
"""
STEP = """## One block, line by line

Forward, back, to a line: lanes at work, variables of a thread, memory after each step, barriers, and mistakes at the
step that shows them. In JupyterLab this is a widget with buttons and a slider; it needs `ipywidgets`.

```python
walk = simt.step(kernel, grid, block, *args)
walk.to_line(9)
walk.thread = 3
```

"""


def page(drawn: dict[str, object]) -> str:
    """The whole page. drawn: name -> figure."""
    return "\n".join([HEAD, *(section(example, drawn[example.name]) for example in EXAMPLES), stepping()])


def section(example: Example, figure) -> str:
    """One picture, with the kernel and the call that it is drawn from, and itself in words."""
    code = f"```python\n{example.source}```\n\n" if example.source else ""
    return f"""## {example.title}

{example.answers}

{code}```python
{example.call}
```

![{figure.alt}](pictures/{example.name}.svg)

<details><summary>In words</summary>

```text
{figure.words}
```

</details>
"""


def stepping() -> str:
    """A step of a kernel as a terminal shows it."""
    walk = simt.step(kernel_of(REVERSE), 1, 64, np.arange(64, dtype=np.float32), thread=3).last()
    return f"{STEP}```python\n{REVERSE}```\n\n```text\n{walk.text()}\n```\n"


def main(arguments: list[str] | None = None) -> int:
    """Write or compare. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail when docs/pictures.md is not current")
    check = parser.parse_args(arguments).check
    drawn = {example.name: example.draw() for example in EXAMPLES}
    current = page(drawn)
    if check:
        same = PAGE.exists() and current == PAGE.read_text(encoding="utf-8")
        print("docs/pictures.md is current." if same else "docs/pictures.md is not current: run make_pictures.")
        return 0 if same else 1
    FOLDER.mkdir(exist_ok=True)
    PAGE.write_text(current, encoding="utf-8")
    for name, figure in drawn.items():
        (FOLDER / f"{name}.svg").write_text(figure._repr_svg_(), encoding="utf-8")
    print(f"Wrote {PAGE.relative_to(ROOT)} and {len(drawn)} pictures.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
