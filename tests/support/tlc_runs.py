"""TLC on modules that tests write by hand, of the form that the specifications of programs have."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from cseq.backends import tlc
from cseq.modules.tla.properties import THREADS
from cseq.modules.tla.spec import Operator, Question

HOLDS, INVARIANT, LIVENESS = 0, 12, 13
"""TLC's exit status: nothing is violated; an invariant is; a property of executions is."""


def jar() -> Path:
    """The file with TLC; the test is skipped where it, or Java, is missing."""
    path = tlc.find()
    if path is None or path.suffix != ".jar" or tlc.java() is None:
        pytest.skip("TLC is not installed")
    return path


def definition(operator: Operator) -> str:
    """The definition of *operator* in TLA+."""
    parameters = f"({', '.join(operator.parameters)})" if operator.parameters else ""
    slots = ", ".join("_" for _ in operator.parameters)
    recursive = f"RECURSIVE {operator.name}({slots})\n" if operator.recursive else ""
    return f"{recursive}{operator.name}{parameters} == {operator.body}"


def check(folder: Path, system: str, question: Question, *extra: str) -> tuple[int, str]:
    """TLC's exit status and output for *question* about *system*: the text from the variables to `Next`.

    extra: further lines at the end of the module.
    """
    fairness = f" /\\ {question.fairness}" if question.fairness else ""
    text = "\n".join([
        "---- MODULE System ----", "EXTENDS Integers, Sequences, FiniteSets, TLC", system,
        *map(definition, question.operators), f"Spec == Init /\\ [][Next]_memory{fairness}", question.observer,
        *(one.text for one in question.properties), *extra, "====",
    ])  # fmt: skip
    config = [f"SPECIFICATION {question.specification}", "CHECK_DEADLOCK FALSE"]
    config += [f"{'PROPERTY' if one.is_temporal else 'INVARIANT'} {one.name}" for one in question.properties]
    (folder / "System.tla").write_text(text + "\n", encoding="utf-8")
    (folder / "System.cfg").write_text("\n".join(config) + "\n", encoding="utf-8")
    root = "System"
    if question.module:
        shutil.copy(Path(question.folder) / f"{question.module}.tla", folder)
        shutil.copy(folder / "System.cfg", folder / f"{question.module}.cfg")
        root = question.module
    return run(folder, root)


def run(folder: Path, root: str) -> tuple[int, str]:
    """TLC's exit status and output for the module *root* in *folder*, with its configuration."""
    options = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", f"-Djava.io.tmpdir={folder}"]
    command = ["java", *options, "-cp", str(jar()), "tlc2.TLC", "-metadir", str(folder / "meta"), "-workers", "1"]
    done = subprocess.run(
        [*command, "-config", f"{root}.cfg", f"{root}.tla"], cwd=folder, capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    return done.returncode, done.stdout


_PRINTED = re.compile(rf'<<\s*"cseq",\s*"{THREADS}",\s*\{{([\d,\s]*)\}}\s*>>')


def printed_threads(output: str) -> list[int]:
    """The threads that TLC printed last, as those that violate a property; none if it printed none."""
    found = _PRINTED.findall(output)
    return sorted(int(part) for part in found[-1].split(",") if part.strip()) if found else []
