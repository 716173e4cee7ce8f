"""Answers to unit 15 that people write, right and wrong; one module per exercise."""
