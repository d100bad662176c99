"""What is printed where a program was written as TLA+ modules, and nothing was checked."""

import shlex
from collections.abc import Sequence
from pathlib import Path


def render(folder: Path, paths: Sequence[Path], command: str) -> str:
    """The text: the files that were written, and the command that checks them in their *folder*."""
    lines = [f"written: {path}" for path in paths]
    return (
        "\n".join([*lines, "", "To check the program:", "", f"    cd {shlex.quote(str(folder))} && {command}"]) + "\n"
    )
