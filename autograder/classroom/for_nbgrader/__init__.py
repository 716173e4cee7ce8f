"""nbgrader's steps with verdicts in the place of execution, and what a release drops."""
