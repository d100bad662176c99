"""A program on its way to the engine, and scripts that replace CBMC."""

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from cseq.pipeline.chain import load
from cseq.pipeline.stage import Context, Unit


def sent(folder: Path, text: str, **parameters: Any) -> tuple[Context, Unit]:
    """The engine's input for the program *text*, and the context with the facts of the stages so far."""
    (folder / "program.c").write_text(dedent(text), encoding="utf-8")
    chain = load("lazy")
    context = Context(chain.values(parameters), folder)
    value: Any = [str(folder / "program.c")]
    for name, stage in chain.chosen(context.values):
        value = stage(context).run(value)
        if name == "instrumenter":
            break
    return context, value


def fake(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Replace CBMC 6.6 with a shell script; its first argument is the program."""
    path = folder / "fake-cbmc"
    path.write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then echo "6.6.0 (cbmc-6.6.0)"; exit; fi\n{script}\n')
    path.chmod(0o755)
    monkeypatch.setenv("CSEQ_CBMC", str(path))


def missing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide every CBMC."""
    monkeypatch.setenv("CSEQ_CBMC", str(folder / "none"))


def answering(folder: Path, status: str, description: str = "", inputs: tuple[int, ...] = ()) -> str:
    """A script that answers like CBMC: ``safe``, or ``violated`` with these inputs."""
    trace = [
        {"stepType": "assignment", "lhs": "__CSEQ_input", "value": {"binary": format(value, "064b")}}
        for value in inputs
    ]
    failed = {"status": "failed", "description": description, "trace": trace}
    messages = [{"cProverStatus": "success"}] if status == "safe" else [failed, {"cProverStatus": "failure"}]
    (folder / "answer.json").write_text(json.dumps(messages))
    return f"cat '{folder}/answer.json'; exit {0 if status == 'safe' else 10}"
