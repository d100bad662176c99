#!/usr/bin/env python3
"""Run CSeq from a checkout, with the Python environment that `make setup` has made beside this file, if any."""

import os
import sys

python = os.path.join(os.path.dirname(os.path.realpath(__file__)), ".venv", "bin", "python")  # noqa: PTH118, PTH120
if sys.executable != python and os.access(python, os.X_OK):
    os.execv(python, [python, *sys.argv])

from cseq.cli.main import main  # noqa: E402  # a package wins over this file, which has the same name

sys.exit(main())
