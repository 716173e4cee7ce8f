"""What a learner meets in a notebook: the question, what it shows, and the table of rungs at the end."""
