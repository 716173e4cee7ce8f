"""Take docs/engine-viewer.png: the page of ResNet-50 in INT8, after the last pass that changed it.

    python -m tools.make.engine_viewer

Needs Playwright (``python tools/set_up.py --dev``) and Chromium.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import onnx

from autograder.machine.scratch import ScratchFolder
from benchmarks.models.networks import NETWORKS
from minitrt.trtexec import main as trtexec
from tools.parts.lab_server import browser_page
from tools.parts.units import ROOT

PICTURE = ROOT / "docs" / "engine-viewer.png"
WIDTH, HEIGHT = 1200, 760  # CSS pixels
PASS, LAYER = "constants that are left", "layer1.0.conv2"
SETTLED_MS = 500


def take(picture: Path, scratch: Path) -> None:
    """Build the engine without a GPU, open its page, go to a pass, and choose a layer."""
    model, shown = scratch / "resnet50.onnx", scratch / "resnet50.html"
    onnx.save(NETWORKS["resnet50"](int8=True), model)
    os.environ["MINITRT_BACKEND"] = "reference"
    sizes = ["--shapes=input:1x3x224x224", "--buildOnly", f"--viewer={shown}"]
    assert trtexec([f"--onnx={model}", "--stronglyTyped", *sizes]) == 0
    with browser_page(scratch / "profile", WIDTH, HEIGHT) as page:
        page.goto(shown.as_uri())
        page.locator("#stages button", has_text=PASS).click()
        page.locator("#find").fill(LAYER)
        page.wait_for_timeout(SETTLED_MS)
        page.screenshot(path=picture)


def main(options: list[str] | None = None) -> int:
    """Take it, and say where it is."""
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args(options)
    with ScratchFolder("engine-viewer") as scratch:
        take(PICTURE, Path(scratch))
    print(f"wrote {PICTURE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
