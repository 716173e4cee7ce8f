"""Many GPUs and many machines: which there are, who works on which, and what happens when one of them is lost."""
