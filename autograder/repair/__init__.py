"""Repair by search: single edits of the learner's own lines, tried in the interpreter on the cases that are wrong."""
