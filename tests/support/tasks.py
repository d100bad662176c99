"""The task files of sv-benchmarks, each read once."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def about(task: Path) -> dict[str, Any]:
    """What the task file *task* says."""
    found: dict[str, Any] = yaml.load(task.read_text(encoding="utf-8"), Loader=_LOADER)
    return found


def input_files(task: Path) -> list[Path]:
    """The input files of a task."""
    names = about(task)["input_files"]
    return [task.parent / name for name in (names if isinstance(names, list) else [names])]
