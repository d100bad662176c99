"""How a step program for ILP32 becomes an object file that can be linked with the engine, which has 64 bits.

x32 has the types of ILP32 in code for 64-bit processors, and needs neither headers nor libraries for 32 bits. Its
object files differ from those for 64 bits only in their format.
"""

import shutil
from pathlib import Path

from cseq.c.preprocess import compiler
from cseq.model.errors import MissingError, UnsupportedError
from cseq.process.run import run

OPTION = "-mx32"
"""The compiler's."""

_LIBRARY = ("memcpy", "memmove", "memset", "memcmp", "strncmp", "labs")
"""Functions with parameters or results of type ``long`` or ``size_t``; `backends/explorer/x32.c` has versions of them.
"""


def conversion(made: Path, target: Path) -> list[str]:
    """The command that turns the object file *made* into one for 64 bits. MissingError without ``objcopy``."""
    if shutil.which("objcopy") is None:
        raise MissingError("programs with 32 bits are searched natively with `objcopy` (binutils), which is not found")
    # Nothing unwinds the stack, and the frames' descriptions have addresses of x32.
    renamed = [f"--redefine-sym={name}=cs_x32_{name}" for name in _LIBRARY]
    return ["objcopy", "-O", "elf64-x86-64", "-R", ".eh_frame", *renamed, str(made), str(target)]


def check_compiler() -> None:
    """Raise UnsupportedError if the compiler does not know x32."""
    if run([compiler(), OPTION, "-fsyntax-only", "-x", "c", "/dev/null"], timeout=10).status != 0:
        raise UnsupportedError(
            f"`{compiler()}` does not compile for ILP32 with 64-bit registers ({OPTION}), as programs with 32 bits "
            "are searched natively: gcc for x86-64 does (CC=gcc), and the symbolic engines need no such compiler"
        )
