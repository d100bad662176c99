"""What the claims that the stages write about expressions mean: the fact that goes to the replay."""

from dataclasses import dataclass

from cseq.model.claims import Claim
from cseq.pipeline.facts import Fact

NAME = "check "
"""How the messages of these claims begin, before the number."""


@dataclass(frozen=True)
class Check:
    """The meaning of one of the checker's assertions.

    claim: what is wrong if it does not hold. part: the part of the property, if it has parts.
    """

    claim: Claim
    part: str = ""


CHECKS = Fact[list[Check]]("checks")
"""The meanings of the checker's assertions, by number."""


def number_of(message: str) -> int | None:
    """The number of the check whose *message* this is; None for other assertions."""
    number = message.removeprefix(NAME)
    return int(number) if message.startswith(NAME) and number.isdigit() else None
