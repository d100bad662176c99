"""The engine of the explicit family on step programs that are written by hand."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cseq.backends.native import EXPLORER_SOURCES
from tests.support.checkout import ROOT

HERE = Path(__file__).resolve().parent
ENGINE = ROOT / "backends" / "explorer"


class Engine:
    """The engine, compiled once; and programs linked with it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._objects = [folder / f"{source.stem}.o" for source in EXPLORER_SOURCES]
        self._programs: dict[tuple[str, ...], Path] = {}
        self._gcc("-c", *EXPLORER_SOURCES)

    def _gcc(self, *arguments: str | Path) -> None:
        flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-fno-pie", "-no-pie", f"-I{ENGINE}"]
        subprocess.run(["gcc", *flags, *arguments], cwd=self._folder, check=True)

    def program(self, name: str, *defines: str) -> Path:
        """The program *name*.c of this folder, linked with the engine."""
        key = (name, *defines)
        if key not in self._programs:
            binary = self._folder / f"program{len(self._programs)}"
            self._gcc(*(f"-D{define}" for define in defines), HERE / f"{name}.c", *self._objects, "-o", binary)
            self._programs[key] = binary
        return self._programs[key]

    def output(self, name: str, *options: str, defines: tuple[str, ...] = (), env: dict[str, str] | None = None) -> str:
        """What the engine prints for a program."""
        command = [self.program(name, *defines), *options]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, env=env)
        return done.stdout

    def __call__(self, name: str, *options: str, **how: Any) -> Answer:
        """What the engine finds about a program."""
        return Answer(json.loads(self.output(name, *options, **how)))

    def failure(self, *command: str | Path) -> str:
        """What the engine says about a command line that it does not take."""
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stdout) == (2, "")
        return done.stderr

    def follow(self, name: str, answer: Answer, *options: str, **how: Any) -> list[str]:
        """The lines that the engine prints when it follows the schedule of an answer."""
        schedule = self._folder / "schedule.json"
        schedule.write_text(json.dumps(answer.schedule), encoding="utf-8")
        return self.output(name, "--follow", str(schedule), *options, **how).splitlines()


class Answer:
    """What the engine says at its end: ``status`` and the like as attributes, also those of its statistics."""

    def __init__(self, json: dict[str, Any]) -> None:
        self.json = json

    def __getattr__(self, name: str) -> Any:
        return self.json[name] if name in self.json else self.json["statistics"][name]


@pytest.fixture(scope="session")
def engine(processes: None, tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """The engine, to be called with the name of a program, options, and defines."""
    return Engine(tmp_path_factory.mktemp("engine"))
