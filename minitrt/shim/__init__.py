"""A `tensorrt` package for programs that import that name:

    python -m minitrt.shim program.py

or, for programs of other packages, this folder first on PYTHONPATH:

    PYTHONPATH=$(python -c "import minitrt.shim; print(minitrt.shim.FOLDER)") polygraphy run net.onnx --trt --onnxrt
"""

from pathlib import Path

FOLDER = str(Path(__file__).parent)
