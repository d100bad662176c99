"""Decide what is asked of the deductive family."""

from cseq.model.errors import UsageError
from cseq.model.verdict import Outcome
from cseq.modules.deductive.run import ENGINE
from cseq.modules.questions.questions import Questions
from cseq.options.properties import UNREACH
from cseq.pipeline.stage import Runner

PROVABLE = (UNREACH,)
"""The properties that the family proves."""


class DeductiveQuestions(Questions):
    """in: what the user asked. out: the outcome, from one run of the stages for each property.

    Other properties than those that the family proves are refused by name.
    """

    takes = (ENGINE, *Questions.takes)
    engine = ENGINE

    def plan(self, session: Runner) -> Outcome:
        """Check one property after another. Raises UsageError for a property that the family does not prove."""
        for name in self._properties():
            if name not in PROVABLE:
                what = f"-b {self.parameter(ENGINE)} proves {', '.join(PROVABLE)}, not {name}"
                raise UsageError(f"{what}; without -b, CSeq chooses the engine of each property")
        return super().plan(session)

    def _is_about_all(self, name: str) -> bool:
        """A proof covers what happens without a reason, too, whether or not the user cares."""
        return True
