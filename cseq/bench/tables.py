"""HTML and CSV tables of results, by BenchExec's table-generator.

It is a program of its own because it ends the process when something is wrong, and sets handlers of signals.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

_PROGRAM = "import benchexec.tablegenerator as generator; generator.main()"


def make_tables(files: Sequence[Path], folder: Path, name: str) -> str:
    """Make one table of the result *files*, called *name*, in *folder*; returns a line that says where it is.

    If the table-generator fails, the line says so: the results are useful without tables, too.
    """
    root = ElementTree.Element("table")
    union = ElementTree.SubElement(root, "union", title=name)
    for file in files:
        ElementTree.SubElement(union, "result", filename=str(file.absolute()))
    description = folder / f"{name}.table.xml"
    description.write_text(ElementTree.tostring(root, "unicode"), encoding="utf-8")
    words = ["--xml", str(description), "--outputpath", str(folder), "--name", name, "--quiet"]
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *words, "--format", "html", "--format", "csv"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    table = folder / f"{name}.table.html"
    if done.returncode or not table.exists():
        lines = done.stderr.strip().splitlines()
        return f"no tables: table-generator failed: {lines[-1] if lines else f'exit status {done.returncode}'}"
    return f"tables: {table}"
