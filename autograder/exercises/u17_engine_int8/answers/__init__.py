"""Answers to unit 17 that people write, right and wrong; one module per exercise."""
