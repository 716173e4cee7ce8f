"""`python -m minitrt.trtexec`."""

import sys

from minitrt.trtexec.command import main

if __name__ == "__main__":
    sys.exit(main())
