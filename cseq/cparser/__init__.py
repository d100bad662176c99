"""C on top of pycparser: parsing with origins and a memo, printing with a line map, building trees."""

from cseq.cparser.parser import parse
from cseq.cparser.printer import Printer, print_unit

__all__ = ["Printer", "parse", "print_unit"]
