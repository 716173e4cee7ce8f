"""Speed on this GPU, now: the learner's kernel beside the reference, the naive version and a copy, round by round.

Points come from where the time lands between naive and reference, so they carry from a T4 to an H200. Without a
GPU speed is not graded and never guessed.
"""
