"""Ways to run an operation, and the contract they keep (`contract.py`)."""
