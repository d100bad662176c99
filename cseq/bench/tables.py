"""HTML tables of results, by BenchExec's table-generator."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree


def make_tables(files: Sequence[Path], folder: Path, name: str) -> str:
    """Make one table of the result *files*, called *name*, in *folder*; returns a line that says where it is.

    Where there is no table-generator, or it fails, the line says so: the results are there without tables, too.
    """
    program = shutil.which("table-generator", path=str(Path(sys.executable).parent)) or shutil.which("table-generator")
    if program is None:
        return "no tables: table-generator is not installed (it comes with BenchExec: `lazy-cseq[bench]`)"
    root = ElementTree.Element("table")
    union = ElementTree.SubElement(root, "union", title=name)
    for file in files:
        ElementTree.SubElement(union, "result", filename=str(file.absolute()))
    description = folder / f"{name}.table.xml"
    description.write_text(ElementTree.tostring(root, "unicode"), encoding="utf-8")
    done = subprocess.run(
        [
            program,
            "--xml",
            str(description),
            "--outputpath",
            str(folder),
            "--name",
            name,
            "--format",
            "html",
            "--format",
            "csv",
            "--quiet",
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    table = folder / f"{name}.table.html"
    if done.returncode or not (table.exists() or (folder / f"{name}.html").exists()):
        said = done.stderr.strip().splitlines()
        return f"no tables: table-generator failed: {said[-1] if said else f'exit status {done.returncode}'}"
    return f"tables: {table if table.exists() else folder / f'{name}.html'}"
