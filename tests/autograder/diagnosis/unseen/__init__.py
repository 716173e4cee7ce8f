"""Answers from outside that were once misjudged: wrong ones with what their verdicts say, and right ones."""
