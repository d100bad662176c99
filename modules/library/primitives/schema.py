"""What an entry of the table of primitives says.

A primitive is a function of the thread library, or a step of one. What its C text in ``pthread_stubs/`` says by itself
is not repeated here: which objects its parameters are, its steps, whether it blocks, whether the thread can be
cancelled in it, what it must not be called for (`modules/library/stubs.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from cseq.base.trace import Effect
from cseq.modules.library.acts import Act


class Silence(Enum):
    """Why a call leaves no event in a counterexample."""

    ATTRIBUTES = auto()
    """It is about attributes, which count where an object or a thread is made with them."""
    OWN = auto()
    """It is about the calling thread alone."""
    LOOKS = auto()
    """It changes nothing. What it stores for the caller is shown."""
    PRIORITY = auto()
    """It says how urgent something is, which only schedulers go by."""
    TIME = auto()
    """It lets time pass, or tells the time."""
    STEPS = auto()
    """Its steps, or what the chain makes of it, have entries of their own."""
    END = auto()
    """The end of its thread has an event, which stands for it too."""
    INNER = auto()
    """Only other functions of the library call it, and leave the event."""
    NEXT = auto()
    """Another step of the same call leaves the event."""
    REFUSED = auto()
    """Programs with such calls are refused."""


class NoText(Enum):
    """Why a primitive has no C text under its name."""

    CHAIN = auto()
    """The chain makes something else of its calls."""
    NOTHING = auto()
    """Its calls return 0 and change nothing that a property can see."""
    REFUSED = auto()
    """Its calls are refused."""


class Scheduled(Enum):
    """What the variant of a function is for that takes its place where priorities count."""

    ASKS = auto()
    """The program sees priorities with it."""
    PRIORITY = auto()
    """It keeps priorities."""
    PROTOCOL = auto()
    """It obeys the protocol of a mutex."""
    TIME = auto()
    """It says what only time brings about."""


@dataclass(frozen=True)
class Refusal:
    """What a call is refused with.

    what: which is not supported, with its verb. argument: only calls are refused whose argument is not 0; every call
    where that is None. unknown: also those calls whose argument is only known at run time.
    """

    what: str
    argument: int | None = None
    unknown: bool = False


@dataclass(frozen=True)
class Primitive:
    """One function.

    does: in order, what a call of it does; or why there is nothing to say of that.
    may_do_nothing: it has done that only where its result is not 0.
    shows: the arguments that lead to what it stores for its caller.
    no_text: why there is no C text of that name. becomes: the functions with C text that its calls are turned into.
    needs: what it needs besides that its text does not mention.
    hands_on: the argument that it hands on, to another thread or in another call. starts: the argument that is the
    start function of a thread. destructor: the argument that is called when a thread ends.
    of: for a step, the function that the user calls. effect: what it is for a reproducer.
    """

    name: str
    does: tuple[Act, ...] | Silence
    may_do_nothing: bool = False
    shows: tuple[int, ...] = ()
    no_text: NoText | None = None
    becomes: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    hands_on: int | None = None
    starts: int | None = None
    destructor: int | None = None
    refusal: Refusal | None = None
    scheduled: Scheduled | None = None
    of: str = ""
    effect: Effect = Effect.ACTS

    @property
    def acts(self) -> tuple[Act, ...]:
        """What a call does, if there is anything to say of that."""
        return () if isinstance(self.does, Silence) else self.does
