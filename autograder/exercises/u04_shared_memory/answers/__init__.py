"""Answers to unit 04 that people write, right and wrong; one module per exercise."""
