"""Modules that are written from specifications, and what TLC and SANY say of them."""

import subprocess
from pathlib import Path

from cseq.modules.tla.spec import Question, Specification
from cseq.modules.tla.writer.written import save, written
from tests.support.tlc_runs import jar


def java(folder: Path, *words: str) -> str:
    """What a program in TLC's jar prints, run in *folder*."""
    (folder / "tmp").mkdir(exist_ok=True)
    options = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xss64m", f"-Djava.io.tmpdir={folder / 'tmp'}"]
    command = ["java", *options, "-cp", str(jar()), *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    return done.stdout + done.stderr


def checked(folder: Path, specification: Specification, question: Question) -> str:
    """What TLC says."""
    save(written(specification, question), folder)
    name = specification.name
    return java(folder, "tlc2.TLC", "-metadir", "meta", "-workers", "1", "-config", f"{name}.cfg", f"{name}.tla")
