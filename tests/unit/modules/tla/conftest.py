"""TLC, for the tests of what is written by hand in TLA+."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cseq.backends import tlc
from cseq.process.run import Completed, run

MODULES = Path(tlc.__file__).parent.parent / "modules" / "tla" / "library"
CONSTANTS = "CONSTANTS Undef = Undef Null = Null Layout <- Layouts "


@pytest.fixture
def searched(processes: None, tmp_path: Path) -> Callable[[str, str], tlc.TlcOutput]:
    """``searched(definitions, config)``: what TLC finds in a module over those in `tla/`, which defines Layouts."""
    _skip_without_tlc()
    return lambda definitions, config: tlc.parse(_check(tmp_path, definitions, config))


@pytest.fixture
def evaluated(processes: None, tmp_path: Path) -> Callable[[str, list[str]], list[str]]:
    """``evaluated(definitions, expressions)``: the values of TLA+ expressions in such a module, in one run of TLC."""
    _skip_without_tlc()

    def evaluate(definitions: str, expressions: list[str]) -> list[str]:
        lines = [f'ASSUME PrintT("value " \\o ToString({one}))' for one in expressions]
        done = _check(tmp_path, "\n".join([definitions, *lines]))
        values = [line[len('"value ') : -1] for line in done.stdout.splitlines() if line.startswith('"value ')]
        assert len(values) == len(expressions), done.stdout[-3000:]
        return [one.replace('\\"', '"') for one in values]

    return evaluate


def _skip_without_tlc() -> None:
    if tlc.find() is None or tlc.java() is None:
        pytest.skip("TLC or Java is not installed")


def _check(folder: Path, definitions: str, config: str = "") -> Completed:
    for path in MODULES.glob("*.tla"):
        shutil.copy(path, folder)
    text = f"---- MODULE Cases ----\nEXTENDS CMemory, TLC\n{definitions}\n====\n"
    (folder / "Cases.tla").write_text(text, encoding="ascii")
    (folder / "Cases.cfg").write_text(CONSTANTS + config, encoding="ascii")
    jar = tlc.find()
    assert jar is not None
    return run(
        tlc.command(jar, folder, "Cases.tla", "Cases.cfg", tlc.TlcOptions(optimize=False)), folder=folder, timeout=60
    )
