"""What is asked about a specification, and its modules in the user's folder."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from cseq.model.claims import Cut
from cseq.model.errors import UsageError
from cseq.model.verdict import Bound
from cseq.modules.explicit.encode.scheduling_model import SCHEDULER
from cseq.modules.explicit.encode.step_program import STEPS
from cseq.modules.explicit.engine import FAIR, FORMULA, NO_POR, SPECIFYING, STRONG_FAIR
from cseq.modules.frontend.merger.merger import MENTIONED
from cseq.modules.frontend.observers.observers import CAN_PREEMPT, PROP
from cseq.modules.questions import ltl
from cseq.modules.tla import spec
from cseq.modules.tla.agglomeration import AGGLOMERATE, Agglomeration, agglomeration
from cseq.modules.tla.properties import (
    TLA_INVARIANT,
    TLA_MODULE,
    TLA_PROPERTY,
    Fairness,
    PropertyQuestion,
    names_in,
    question,
)
from cseq.modules.tla.writer.written import check_command, save, written
from cseq.options.mutual_exclusion import MUTEX
from cseq.options.properties import PROPERTY
from cseq.pipeline.facts import Fact, Gives, Needs
from cseq.pipeline.stage import Parameter, Unit, Wrapper


def _folder(text: str) -> None:
    if not text:
        raise ValueError("the name of the folder is empty")


TLA: Parameter[str | None] = Parameter(
    "tla", str, None, "write the program as TLA+ modules into DIR; without -b, that is all", ("--tla",), "DIR",
    check=_folder,
)  # fmt: skip


@dataclass(frozen=True)
class PublishedModules:
    """Modules in a folder of the user's. paths: the files, the program's module first. command: checks it there."""

    folder: Path
    paths: tuple[Path, ...]
    command: str


PUBLISHED = Fact[PublishedModules | None]("published")


class Publisher(Wrapper):
    """in: a step program. out: the same; the question about its specification is a fact.

    Where the user asks for them, the modules of the specification are written into a folder. Raises UsageError for a
    folder that cannot be written to, a file in it that was not generated, and lines that are not in the program.
    """

    takes = (
        PROPERTY,
        NO_POR,
        AGGLOMERATE,
        MUTEX,
        SCHEDULER,
        CAN_PREEMPT,
        PROP,
        FORMULA,
        FAIR,
        STRONG_FAIR,
        TLA_INVARIANT,
        TLA_PROPERTY,
        TLA_MODULE,
        TLA,
    )
    steps = Needs(STEPS)
    specification = Needs(spec.SPECIFICATION)
    with_frames = Needs(spec.FRAMED_SPECIFICATION)
    question = Gives(spec.QUESTION)
    question_with_frames = Gives(spec.FRAMED_QUESTION)
    published = Gives(PUBLISHED)

    @classmethod
    def settle(cls, values: dict[str, object], given: Collection[str]) -> None:
        """Refuse schedulers, since any thread may go on. Note the names in formulas, so that their objects are kept."""
        chosen = [one for one in (SCHEDULER, CAN_PREEMPT) if one.of(values) != one.default]
        if chosen:
            raise UsageError(f"the backend `{SPECIFYING}` does not support {chosen[0].options[0]}")
        names = names_in((*TLA_INVARIANT.of(values), *TLA_PROPERTY.of(values)), TLA_MODULE.of(values))
        if names:
            values[MENTIONED.name] = names

    def run(self, value: Unit) -> Unit:
        """Find the question, and write the modules."""
        merged = agglomeration(self.specification, self.steps, not self.parameter(NO_POR), self.parameter(AGGLOMERATE))
        self._bound(merged)
        asked = self._asked()
        self.question = merged.of(question(self.specification, merged.visible, asked))
        self.question_with_frames = self._with_frames(asked)
        self.published = self._published()
        return value

    def _with_frames(self, asked: PropertyQuestion) -> spec.Question | None:
        """The question where functions that recurse have frames; None where there is none, or the user merges lines."""
        specification = self.with_frames
        if specification is None or specification.visible is None or self.parameter(AGGLOMERATE):
            return None
        every = frozenset(statement.label for statement in specification.statements)
        return question(specification, every if self.parameter(NO_POR) else specification.visible, asked)

    def _bound(self, merged: Agglomeration) -> None:
        """Have the verdict say what the user's agglomeration leaves out."""
        for key in merged.cuts:
            cut = Cut.of(key)
            self.steps.bounds.setdefault(cut, Bound.of(cut))

    def _asked(self) -> PropertyQuestion:
        words = [text.partition("=")[0].strip() for text in self.parameter(PROP)]
        text = self.parameter(FORMULA) or ""
        strong, weak = self.parameter(STRONG_FAIR), self.parameter(FAIR)
        return PropertyQuestion(
            self.parameter(PROPERTY),
            Fairness.STRONG if strong else Fairness.WEAK if weak else Fairness.NONE,
            ltl.read(text, words) if text else None,
            text,
            self.parameter(MUTEX),
            self.parameter(TLA_INVARIANT),
            self.parameter(TLA_PROPERTY),
            self.parameter(TLA_MODULE),
        )

    def _published(self) -> PublishedModules | None:
        wanted = self.parameter(TLA)
        if wanted is None:
            return None
        specification: spec.Specification = self.specification
        asked: spec.Question = self.question
        if self.with_frames is not None and self.question_with_frames is not None:  # it has no bound
            specification, asked = self.with_frames, self.question_with_frames
        texts = written(specification, asked)
        if asked.module:
            path = Path(asked.folder) / f"{asked.module}.tla"
            if path.name in texts:
                raise UsageError(f"--tla-module: {path.name} is the name of a generated module")
        paths = save(texts, Path(wanted))
        return PublishedModules(Path(wanted), tuple(paths), check_command(specification, asked))
