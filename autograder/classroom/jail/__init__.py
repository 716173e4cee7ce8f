"""Where a student's code runs, and the judge's side of it: what it is sent, and what is believed of what comes back."""
