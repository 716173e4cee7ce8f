"""What an engine file holds (`plan.py`), its bytes (`encoding.py`), and where its tensors lie in memory
(`memory.py`)."""
