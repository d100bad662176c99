"""The C of the runtime that schedules compiled programs, and what the compilers are given with it."""

import os

FOLDER = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
"""Where it is. A text, since the compilers `cseq-cc` and `cseq-c++` start faster without pathlib."""
