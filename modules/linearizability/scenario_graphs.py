"""Explore the execution graphs of scenarios, where a structure has memory orders weaker than seq_cst."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cseq.model.errors import BackendError, UnsupportedError
from cseq.model.origin import Origin
from cseq.modules.analysis.robustness import is_robust_tree
from cseq.modules.graphs.encode import PROGRAM, NotFollowedError, not_followed
from cseq.modules.graphs.run import HISTORY, Explored, build, search
from cseq.modules.graphs.verdict import cut_at
from cseq.modules.ir import instructions as ir
from cseq.modules.linearizability import scenario_programs
from cseq.modules.linearizability.histories import History, OrderTree
from cseq.modules.linearizability.scenario_programs import ScenarioFrame, Variant
from cseq.modules.linearizability.scenarios import Scenario
from cseq.options.memory_models import C11, MEMORY_MODEL
from cseq.options.properties import PROPERTY, REFUSE, UNREACH
from cseq.pipeline.chain import Chain
from cseq.pipeline.session import Session
from cseq.pipeline.stage import Context

_INLINED, _ENCODED = "inliner", "graphs/encode"


@dataclass(frozen=True)
class GraphsAnswer:
    """What the execution graphs of a scenario show.

    kind: of a violation: `unexplained`, with the *history*; `deadlock`, `assertion` or `race`; empty if there is none.
    executions: how many graphs there are. gap: why there is no answer. refused: because something is not followed.
    """

    kind: str = ""
    history: History | None = None
    executions: int = 0
    gap: str = ""
    refused: bool = False


@dataclass(frozen=True)
class ScenarioGraphs:
    """The explorer with the program of a structure, which takes a scenario as its input.

    binary: None if the program cannot be followed, for the reason *refused*. places: where the instructions of the
    program are. cuts: what cuts executions off, by the numbers of instructions. leaks: memory has to be freed.
    """

    frame: ScenarioFrame
    binary: Path | None
    places: tuple[Origin | None, ...] = ()
    cuts: Mapping[int, str] | None = None
    refused: str = ""
    leaks: bool = False

    @classmethod
    def built(
        cls, frame: ScenarioFrame, chain: Chain, values: Mapping[str, Any], folder: Path, leaks: bool, always: bool
    ) -> ScenarioGraphs | None:
        """Build it in *folder*. None if all executions are sequentially consistent, unless it is wanted *always*.

        chain: of the family. values: those of the user's parameters. Raises CSeqError.
        """
        known = {parameter.name for _, stage in chain.stages for parameter in stage.takes}
        given = {name: value for name, value in values.items() if name in known}
        given |= {"backend": "graphs", MEMORY_MODEL.name: C11, PROPERTY.name: UNREACH, REFUSE.name: True}
        values = chain.values(given)
        if not always:
            session = cls._session(frame, Variant.SILENT, chain, values, folder / "orders")
            try:
                if is_robust_tree(session.run(values, until=_INLINED).tree, session.context.model):
                    return None
            except UnsupportedError as error:
                return cls(frame, None, refused=str(error))
        session = cls._session(frame, Variant.MARKED, chain, values, folder)
        try:
            unit = session.run(values, until=_ENCODED)
        except NotFollowedError as error:
            return cls(frame, None, refused=not_followed(error))
        except UnsupportedError as error:
            return cls(frame, None, refused=str(error))
        program, _ = session.context.facts[PROGRAM]
        places = tuple(node.origin for node in program.instructions)
        cuts = {node.number: cut_at(node).key for node in program.instructions if _cuts(node)}
        return cls(frame, build(unit.text, folder), places, cuts, leaks=leaks)

    @staticmethod
    def _session(
        frame: ScenarioFrame, variant: Variant, chain: Chain, values: Mapping[str, Any], folder: Path
    ) -> Session:
        folder.mkdir(parents=True, exist_ok=True)
        source = folder / "scenarios.c"
        source.write_text(scenario_programs.program(frame, variant), encoding="utf-8")
        return Session(chain, [str(source), *frame.structure.beside], Context(dict(values), folder))

    def explore(self, scenario: Scenario, known: OrderTree, seconds: float, memory: int) -> GraphsAnswer:
        """Explore the graphs of *scenario*. known: the sequential orders of its calls. memory: megabytes.

        Raises BackendError if the explorer fails.
        """
        if self.binary is None:
            return GraphsAnswer(gap=self.refused, refused=True)
        options = ["--check", HISTORY, "--model", C11, "--leaks", str(int(self.leaks))]
        options += ["--force", ",".join(map(str, self.frame.choices(scenario)))]
        found = search(self.binary, options, seconds, memory)
        if found.status == "violated":
            return GraphsAnswer("race" if found.kind == "race" else "assertion", executions=found.executions)
        histories = self._histories(found, scenario)
        for one in histories:
            if not known.explains(replace(one, is_stuck=False)):
                return GraphsAnswer("unexplained", known.reduced(replace(one, is_stuck=False)), found.executions)
        if not all(map(known.explains, histories)):
            return GraphsAnswer("deadlock", executions=found.executions)
        refused = found.status == "refused"
        return GraphsAnswer(executions=found.executions, gap=self._gap(found), refused=refused)

    def _histories(self, found: Explored, scenario: Scenario) -> list[History]:
        """What was found, in an order that does not depend on the search: those with most results first.

        Raises BackendError if the calls are not those of the *scenario*.
        """
        choices = self.frame.choices(scenario)
        if any(choices[int(slot)] != call for record in found.histories for slot, call in record["begun"].items()):
            raise BackendError("the backend `graphs` failed: the calls are not those of the scenario")
        histories = [History.of(record, self.frame) for record in found.histories]
        return sorted(histories, key=lambda one: (-len(one.returned), one.returned, one.before, one.is_stuck))

    def _gap(self, found: Explored) -> str:
        """Why the answer is not complete; empty if it is."""
        if found.status == "refused":
            return not_followed(NotFollowedError(found.text, self.places[found.where]))
        if found.status == "cut":
            return "\n".join(dict.fromkeys((self.cuts or {})[number] for number in found.cuts))
        return "" if found.status == "safe" else found.status


def _cuts(node: ir.Instruction) -> bool:
    """Whether the explorer may say that executions are cut off at the instruction."""
    return node.is_sampled if isinstance(node, ir.Choose) else isinstance(node, (ir.Call, ir.CutUnless, ir.Abandon))
