"""The words for the two sides of a data race."""

from dataclasses import replace

from cseq.model.trace import Atomicity, Hold, Race, RaceKind, Racing
from cseq.report.catalogue import Catalogue

_DOES = Catalogue("race.does", {RaceKind.READ: "reads", RaceKind.WRITE: "writes", RaceKind.FREE: "frees"})
_DO = Catalogue("race.do", {RaceKind.READ: "read", RaceKind.WRITE: "write", RaceKind.FREE: "free"})
_HOW = Catalogue(
    "how", {Atomicity.NONE: "", Atomicity.ATOMIC: " atomically", Atomicity.SECTION: " in an atomic section"}
)

_SENTENCES = Catalogue(
    "race",
    {
        "race": "data race{on}: {sides}",
        "on": " on `{memory}`",
        "both": "{one} and {other} both {do} {what} at {place}",
        "side": "{thread} {does} {what}{how} at {place}",
        "it": "it",
        "memory": "memory",
        "name": "`{name}`",
        "function": "{what} in `{function}`",
        "about": "is about to {do} {name}{how}{function}",
        "by": " in {function}",
        "holds": "holds {name} since {place}",
        "holds for reading": "holds {name} for reading since {place}",
        "holds nothing": "holds no lock",
    },
)


def does(side: Racing) -> str:
    """``reads``."""
    return _DOES.say(side.action)


def how(side: Racing) -> str:
    """`` atomically``; "" for a plain access."""
    return _HOW.say(side.how)


def race(found: Race) -> str:
    """The whole race in one sentence."""
    one, other = found.sides
    on = _SENTENCES.say("on", memory=found.memory) if found.memory else ""
    if replace(one, thread=other.thread, holds=other.holds) == other:
        what = _what(one, found.memory)
        both = _SENTENCES.say(
            "both", one=one.thread, other=other.thread, do=_DO.say(one.action), what=what, place=one.origin
        )
        return _SENTENCES.say("race", on=on, sides=both)
    sides = [
        _SENTENCES.say(
            "side",
            thread=side.thread,
            does=does(side),
            what=_what(side, found.memory),
            how=how(side),
            place=side.origin,
        )
        for side in (one, other)
    ]
    return _SENTENCES.say("race", on=on, sides=", ".join(sides))


def about(side: Racing) -> list[str]:
    """What a report says of a thread that has stopped before its access: what it is about to do, and its locks."""
    named = _is_named(side)
    does_what = _SENTENCES.say(
        "about",
        do=_DO.say(side.action),
        name=side.name or _SENTENCES.say("memory"),
        how=how(side),
        function=_SENTENCES.say("by", function=side.function) if named else "",
    )
    return [does_what, *([_holds(held) for held in side.holds] or [_SENTENCES.say("holds nothing")])]


def _holds(held: Hold) -> str:
    return _SENTENCES.say("holds for reading" if held.reading else "holds", name=held.name, place=held.since)


def _is_named(side: Racing) -> bool:
    """Whether the name of the library function says more than the action."""
    return side.function not in ("", "free")


def _what(side: Racing, memory: str) -> str:
    """What is accessed. memory: what the sentence is about, which is called "it"."""
    key = "memory" if not memory else "it" if side.name in ("", memory) else "name"
    what = _SENTENCES.say(key, name=side.name)
    return _SENTENCES.say("function", what=what, function=side.function) if _is_named(side) else what
