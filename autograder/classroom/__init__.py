"""A class: take submissions in, read them, judge them, and hand back grades and feedback.

receive -> read -> grade -> verdict files -> feedback pages, the gradebook, and nbgrader (`preprocessors`).
A submission is data from the first byte to the last: what must run, runs in a jail that holds no answers (`jail`).
"""
