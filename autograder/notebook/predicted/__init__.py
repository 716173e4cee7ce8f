"""What a learner commits to before a run, what it came to, and why."""
