"""Calls by their ways, and what is not followed."""

from __future__ import annotations

from collections.abc import Callable

from cseq.modules.modular.environment import SHARED, Activation, NotFollowedError
from cseq.modules.modular.program_analysis import ProgramAnalysis


def test_activations_know_the_calls_around_them(analyse: Callable[..., ProgramAnalysis]) -> None:
    templates = analyse("").program.by_name
    outer = Activation(templates["work"], (), None, True)
    inner = Activation(templates["use"], (0, 3), outer, True)
    assert (outer.depth, inner.depth) == (0, 1)
    assert inner.templates == {templates["work"], templates["use"]}
    assert not inner.is_shared and Activation(templates["use"], (SHARED, 1), outer, False).is_shared


def test_the_head_of_a_loop_is_a_node(analyse: Callable[..., ProgramAnalysis]) -> None:
    template = analyse("while (x) { y; }".replace("y;", "l = 1;")).program.by_name["work"]
    activation = Activation(template, (), None, True)
    inside = next(block.number for block in template.blocks if block.loop is not None and block.loop != block.number)
    assert activation.head((inside, 0)) == (template.blocks[inside].loop, 0)
    assert activation.head((0, 0)) is None


def test_what_is_not_followed_has_a_place_if_it_is_an_instruction() -> None:
    assert NotFollowedError("a program without `main`").origin is None
