#!/usr/bin/env python3
"""Run CSeq for a competition, from a checkout: with the Python that runs this file, or that of `.venv`."""

import os
import sys
from importlib.util import find_spec

PACKAGES = ("click", "cvc5", "elftools", "jinja2", "ply", "pycparser", "rich", "z3")

if not all(map(find_spec, PACKAGES)):
    python = os.path.join(os.path.dirname(os.path.realpath(__file__)), ".venv", "bin", "python")  # noqa: PTH118, PTH120
    if sys.executable != python and os.access(python, os.X_OK):
        os.execv(python, [python, __file__, *sys.argv[1:]])

from cseq.cli.svcomp import main  # noqa: E402  # as in cseq.py

sys.exit(main())
