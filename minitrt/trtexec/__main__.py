"""`python -m minitrt.trtexec`."""

import sys

from minitrt.trtexec.command import main

sys.exit(main())
