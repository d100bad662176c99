"""What is observed in a traced program: each type has a writer and a reader, and equal observations have one number."""

import ast
from pathlib import Path
from typing import get_args

import pytest

from cseq.model.actions import ActionKind
from cseq.modules.tracing import observations
from cseq.modules.tracing.observations import AccessedValue, Clue, Observation, Result, SpuriousEvent

_MODULES = Path(observations.__file__).parents[1]
_WRITERS = ("tracing/tracer", "explicit/step_tracer", "explicit/step_output")
_READERS = ("tracing/execution", "explicit/step_output", "tracing/evidence")


def mentioned(modules: tuple[str, ...], patterns: bool) -> set[str]:
    """The classes that the *modules* create; with *patterns*, those that they tell from others."""
    found = set()
    for module in modules:
        for node in ast.walk(ast.parse((_MODULES / f"{module}.py").read_text())):
            match node:
                case ast.MatchClass(cls=ast.Name(id=name) | ast.Attribute(attr=name)) if patterns:
                    found.add(name)
                case ast.Call(func=ast.Name(id="isinstance"), args=[_, classes]) if patterns:
                    found |= {part.id for part in ast.walk(classes) if isinstance(part, ast.Name)}
                    found |= {part.attr for part in ast.walk(classes) if isinstance(part, ast.Attribute)}
                case ast.Call(func=ast.Name(id=name) | ast.Attribute(value=ast.Name("obs"), attr=name)) if not patterns:
                    found.add(name)
    return found


@pytest.mark.parametrize("kind", sorted(get_args(Observation), key=lambda kind: kind.__name__))
def test_each_observation_is_made_and_read(kind: type) -> None:
    assert kind.__name__ in mentioned(_WRITERS, patterns=False)
    assert kind.__name__ in mentioned(_READERS, patterns=True)


def test_all_clues_are_observations() -> None:
    assert set(get_args(Clue)) < set(get_args(Observation))


def test_equal_observations_are_one() -> None:
    assert (
        len({AccessedValue("read", "x", "int"), AccessedValue("read", "x", "int"), AccessedValue("write", "x", "int")})
        == 2
    )
    assert len({Result(ActionKind.LOCK, ActionKind.TRY), Result(ActionKind.LOCK, ActionKind.TRY)}) == 1
    assert SpuriousEvent(ActionKind.WAKE) != SpuriousEvent(ActionKind.WAKE, if_asleep=True)
