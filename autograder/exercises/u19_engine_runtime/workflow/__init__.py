"""Unit 19's run_network: from a file to a running engine, and what is found on the way."""
