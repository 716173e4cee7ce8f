"""Answers to unit 06 that people write, right and wrong; one module per exercise."""
