"""The work log: each check of an answer, one line of JSON in the learner's own data folder, sent nowhere."""
