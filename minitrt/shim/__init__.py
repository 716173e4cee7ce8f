"""A `tensorrt` package for programs that import that name: put this folder first on PYTHONPATH, and they run on
minitrt.

    PYTHONPATH=$(python -c "import minitrt.shim; print(minitrt.shim.FOLDER)") polygraphy run net.onnx --trt --onnxrt
"""

from pathlib import Path

FOLDER = str(Path(__file__).parent)
