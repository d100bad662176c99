#!/usr/bin/env python3
"""Run CSeq for a competition, from a checkout, with the environment that `make setup` has made beside this file."""

import os
import sys

python = os.path.join(os.path.dirname(os.path.realpath(__file__)), ".venv", "bin", "python")  # noqa: PTH118, PTH120
if sys.executable != python and os.access(python, os.X_OK):
    os.execv(python, [python, __file__, *sys.argv[1:]])

from cseq.cli.svcomp import main  # noqa: E402  # as in cseq.py

sys.exit(main())
