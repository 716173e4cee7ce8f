"""Answers to unit 08 that people write, right and wrong; one module per exercise."""
