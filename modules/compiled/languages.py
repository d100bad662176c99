"""The languages of source files, by the ends of their names."""

from pathlib import PurePath

CXX = (".cc", ".cpp", ".cxx", ".C", ".c++", ".cp", ".CPP")
"""What the names of files in C++ end with."""

LINKED = (".o", ".a", ".so")
"""The same of files that are only linked."""


def is_cxx(name: str) -> bool:
    """Whether the file *name* is in C++."""
    return PurePath(name).suffix in CXX


def is_linked(name: str) -> bool:
    """Whether the file *name* is compiled already."""
    return PurePath(name).suffix in LINKED
