"""Single edits of an answer, by what they change: one kind of change a file."""
