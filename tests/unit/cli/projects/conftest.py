"""Compilation databases for the tests of projects."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Written = Callable[..., Path]


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Written:
    """Write files, given as keywords (`a_c="…"` is a.c), and a database of the C files, whose path is returned.

    The current folder is that of the files. flags: by the names of files.
    """
    monkeypatch.chdir(tmp_path)

    def write(flags: dict[str, str] | None = None, **files: str) -> Path:
        names = {name.replace("_", "."): text for name, text in files.items()}
        for name, text in names.items():
            (tmp_path / name).write_text(text)
        entries = [
            {"directory": str(tmp_path), "file": name, "command": f"cc {(flags or {}).get(name, '')} -c {name}"}
            for name in names
            if name.endswith((".c", ".cpp"))
        ]
        path = tmp_path / "compile_commands.json"
        path.write_text(json.dumps(entries, indent=1))
        return path

    return write
