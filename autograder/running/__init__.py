"""Running an answer on its cases: compiled, interpreted, on the GPU; and what each run left behind."""
