"""Answers to unit 02 that people write, right and wrong; one module per exercise."""
