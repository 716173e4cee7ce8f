"""Questions on a learner's own kernel, drawn from its trace and marked by the interpreter: `q.explain()`.

What no one else can answer without running it: the lines, the sizes and the numbers are those of this very answer.
"""
