"""Answers to unit 09 that people write, right and wrong; one module per exercise."""
