"""The machine that this runs on: its driver, what works, and what answers where there is no GPU."""
