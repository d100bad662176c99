"""Instructions for checking a program with the verifier that it was made for."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cseq.backends.base import Backend, Options
from cseq.backends.registry import backend
from cseq.model.errors import BackendError
from cseq.report.text import seqprogram


def instructions(files: Sequence[str], values: Mapping[str, Any]) -> str:
    """The comment at the top of a program for one verifier: what it was made from, and how to check it.

    files: the user's files. values: the parameters of the translation, including `backend`.
    """
    engine = backend(values["backend"])
    return seqprogram.instructions(files, values, engine.name, _commands(engine, seqprogram.saved_as(files), values))


def _commands(engine: Backend, program: Path, values: Mapping[str, Any]) -> list[list[str]]:
    """The commands that check *program*; empty where they depend on the version, and the verifier is not installed."""
    path = engine.find()
    options = Options(values.get("bits", 64), values.get("timeout"), values.get("memlimit"), values.get("solver"))
    called = path or Path(engine.name)
    try:
        return [*engine.prepare(called, program, options), engine.command(called, program, options)]
    except BackendError:
        if path is not None:
            raise
        return []
