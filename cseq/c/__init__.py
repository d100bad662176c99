"""C, based on pycparser: parsing with origins and a memo, printing with a line map, building trees."""

import pycparser

from cseq.model.errors import UsageError

if tuple(int(part) for part in pycparser.__version__.split(".")[:2]) < (3, 12):
    raise UsageError(
        f"pycparser 3.12 is needed, and this Python has {pycparser.__version__} (`make setup` installs it)"
    )

from cseq.c.parser import parse
from cseq.c.printer import Printer, print_unit

__all__ = ["Printer", "parse", "print_unit"]
