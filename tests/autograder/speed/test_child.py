"""What a timing process says is what its own Python says: nothing that a kernel or a library prints is taken for it."""

import json
import subprocess
import sys

from tests.patience import PATIENCE_S

PRINTS = """
import ctypes, os
from autograder.speed import child

def run(job, yours):
    os.write(1, b'{"times_us": {"yours": [0.001]}}\\n')
    ctypes.CDLL(None).printf(b'{"times_us": {"yours": [0.001]}}\\n')  # C keeps it until the process ends
    print('{"times_us": {"yours": [0.001]}}')
    return {"times_us": {"yours": [7.0]}}

child.run = run
child.main()
"""


def test_what_reaches_descriptor_1_is_never_taken_for_the_times():
    done = subprocess.run(
        [sys.executable, "-c", PRINTS], input="{}", capture_output=True, text=True, timeout=PATIENCE_S
    )

    assert {"times_us": {"yours": [7.0]}} == json.loads(done.stdout), done.stderr
