"""Every message of the interpreter with the smallest kernel that earns it, and the text it gets.

    python -m tests.golden.findings            compares
    python -m tests.golden.findings --write    writes the .txt files anew; read their difference before you commit it

A file of examples holds the kernels of one kind; the .txt file of its name, what is said about each. A message that no
example earns fails `test_findings.py`.
"""
