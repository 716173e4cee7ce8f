"""The course attacks itself: mutants of its own answers, and which of them the judge lets pass.

`sites.py` says how one place of a source becomes another; `expressions.py`, `bounds.py`, `statements.py` and `hosts.py`
hold the operators; `asked.py` asks the judge, `equivalence.py` tells whether a mutant that passes is one, and
`page.py` writes what came out.
"""
