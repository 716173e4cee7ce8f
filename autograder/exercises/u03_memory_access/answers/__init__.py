"""Answers to unit 03 that people write, right and wrong; one module per exercise."""
