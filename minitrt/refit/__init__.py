"""New weights for a built engine, by name or from an ONNX file."""
