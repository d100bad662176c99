"""TLC, for the tests of what is written by hand in TLA+."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cseq.backends import tlc
from cseq.process.run import Completed, run

MODULES = Path(tlc.__file__).parent.parent / "modules" / "specification" / "tla"


@pytest.fixture
def evaluated(tmp_path: Path) -> Callable[..., list[str]]:
    """``evaluated(definitions, expressions, config)``: the values of TLA+ expressions over the modules in `tla/`.

    All are evaluated in one run of TLC, each to a value that is printed on one line.
    """

    def evaluate(definitions: str, expressions: list[str], config: str = "") -> list[str]:
        lines = ["---- MODULE Cases ----", "EXTENDS CMemory, TLC", definitions]
        lines += [f'ASSUME PrintT("value " \\o ToString({one}))' for one in expressions]
        done = _check(tmp_path, "\n".join([*lines, "====", ""]), config)
        values = [line[len('"value ') : -1] for line in done.stdout.splitlines() if line.startswith('"value ')]
        assert len(values) == len(expressions), done.stdout[-3000:]
        return values

    if tlc.find() is None or tlc.java() is None:
        pytest.skip("TLC or Java is not installed")
    return evaluate


def _check(folder: Path, text: str, config: str) -> Completed:
    for path in MODULES.glob("*.tla"):
        shutil.copy(path, folder)
    (folder / "Cases.tla").write_text(text, encoding="ascii")
    constants = "CONSTANTS Undef = Undef Null = Null Layout <- Layouts\n"
    (folder / "Cases.cfg").write_text(constants + config, encoding="ascii")
    jar = tlc.find()
    assert jar is not None
    return run(tlc.command(jar, folder, "Cases.tla", "Cases.cfg", tlc.Search(optimize=False)), folder=folder, timeout=60)
