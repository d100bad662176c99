"""The shared data of a program in words: what protects each object, and what is missing where nothing does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cseq.model.sharing import (
    LockOrderEdge,
    OpenPair,
    Protection,
    ProtectionKind,
    SharedAccess,
    SharedData,
    SharedObject,
)
from cseq.report.catalogue import Catalogue

_MOST_NAMES = 8
"""The number of functions of a library that are listed."""

_MOST_PAIRS = 3
"""The number of pairs that are shown of an object."""

_PROTECTIONS = Catalogue(
    "protection",
    {
        ProtectionKind.LOCK: "under `{by}`",
        ProtectionKind.ATOMIC: "atomic",
        ProtectionKind.SECTIONS: "in atomic sections",
        ProtectionKind.BEFORE: "{done} before the threads exist",
        ProtectionKind.AFTER: "{done} after the threads are joined",
        ProtectionKind.TURNS: "by threads that never exist at the same time",
        ProtectionKind.OWN_PART: "{part} per thread",
        ProtectionKind.OTHER_PART: "the threads access different parts",
        ProtectionKind.UNPUBLISHED: "known to only one thread at that time",
        ProtectionKind.SEMAPHORE: "handed over by the semaphore `{by}`",
        ProtectionKind.SEEN: "handed over by `{by}`",
        ProtectionKind.BARRIER: "in phases between waits at the barrier `{by}`",
        ProtectionKind.SEARCHED: "no race in any execution (search)",
    },
)
_WORDS = Catalogue(
    "sharing",
    {
        "object": "`{name}`: {why}",
        "local": "`{name}` of `{function}`: {why}",
        "unknown": "memory of which nothing is known: {why}",
        "always": "always {why}",
        "missing": "no common lock: {sides}",
        "several": "perhaps not the lock of the same object: {sides}",
        "plain": "not always atomic: {sides}",
        "race": "data race: {sides}",
        "others": "other accesses: {why}",
        "more": "and {number} more pairs",
        "side": "`{function}()` at {origin} ({action}) holds {locks}",
        "plain_side": "`{function}()` at {origin} ({action}) is plain",
        "order": "while a thread may hold `{held}`, it waits for {wanted} ({origin})",
        "alone": "no thread waits for a lock or for another thread while it holds a lock",
        "none": "no data is shared and written",
        "any": "the reasons hold for any number of threads, iterations and calls",
        "valid": "the reasons hold for any number of threads, iterations and calls, if all accesses to memory are "
        "valid (--memsafety)",
        "library": "the reasons hold for any number of threads that call {names} with valid arguments, of which "
        "structures may be shared, and other memory belongs to the caller",
        "library_valid": "the reasons hold for any number of threads that call {names} with valid arguments, of which "
        "structures may be shared, and other memory belongs to the caller, if all accesses to memory are valid "
        "(--memsafety)",
        "unfollowed": "nothing is known of the shared data: {why}",
        "summary": "{objects} shared and written: {protected} protected{left}",
        "left": ", {number} with accesses that have no common lock",
        "raced": ", {number} in a data race",
        "heading": "{name} ({origin})",
        "heading_block": "{name}",
        "heading_local": "{name} of {function} ({origin})",
        "heading_unknown": "memory of which nothing is known",
        "reads": "reads",
        "writes": "writes",
        "reads_atomic": "reads atomically",
        "writes_atomic": "writes atomically",
        "holding": "under {locks}",
        "cut": "executions may be cut off at {origin}",
    },
)


def protection(given: Protection, name: str = "") -> str:
    """A reason: "always under `m`". name: of the object."""
    done = "written" if given.writes else "read"
    part = "one cell" if "[" in name else "one"
    text = _PROTECTIONS.say(given.kind, by=given.by, done=done, part=part)
    is_lock = given.kind is ProtectionKind.LOCK and given.always
    return _WORDS.say("always", why=text) if is_lock else text


def missing(pair: OpenPair) -> str:
    """What a pair of accesses lacks: "no common lock: `log()` at net.c:88 (write) holds none"."""
    sides = list(dict.fromkeys((pair.one, pair.other)))
    if pair.race:
        return _WORDS.say("race", sides=", ".join(map(_side, sides)))
    plain = [each for each in sides if not each.atomic]
    if len(plain) == 1 and len(sides) > 1 and not any(each.holds for each in sides):
        return _WORDS.say("plain", sides=_plain_side(plain[0]))
    if len({each.origin for each in sides}) == 1 and not any(each.holds for each in sides):
        sides = [each for each in sides if each.writes][:1]
    what = "several" if set(pair.one.holds) & set(pair.other.holds) else "missing"
    return _WORDS.say(what, sides=", ".join(map(_side, sides)))


def _side(access: SharedAccess) -> str:
    locks = ", ".join(f"`{name}`" for name in access.holds) or "none"
    return _WORDS.say("side", **_parts(access), locks=locks)


def _plain_side(access: SharedAccess) -> str:
    return _WORDS.say("plain_side", **_parts(access))


def _parts(access: SharedAccess) -> dict[str, object]:
    function = access.origin.function or access.thread
    return {"function": function, "origin": access.origin, "action": "write" if access.writes else "read"}


def pairs(shared: SharedObject) -> list[OpenPair]:
    """The pairs that are left over, one for each two places: those with a race first, then two writes."""
    found: dict[object, OpenPair] = {}
    for pair in sorted(shared.open, key=lambda pair: (not pair.race, not (pair.one.writes and pair.other.writes))):
        found.setdefault(frozenset({pair.one.origin, pair.other.origin}), pair)
    return list(found.values())


def why(shared: SharedObject) -> str:
    """What protects an object, and what is missing."""
    left = pairs(shared)
    found = [missing(pair) for pair in left[:_MOST_PAIRS]]
    if len(left) > _MOST_PAIRS:
        found.append(_WORDS.say("more", number=len(left) - _MOST_PAIRS))
    reasons = "; ".join(protection(each, shared.name) for each in shared.protections)
    if found and reasons:
        reasons = _WORDS.say("others", why=reasons)
    return "; ".join([*found, *([reasons] if reasons else [])])


def reasons(shared: SharedObject) -> list[str]:
    """The same, one line each, with all pairs."""
    told = [protection(each, shared.name) for each in shared.protections]
    if shared.open and told:
        told = [_WORDS.say("others", why="; ".join(told))]
    return [*map(missing, pairs(shared)), *told]


def heading(shared: SharedObject) -> str:
    """An object, and where it is declared or allocated."""
    if not shared.name:
        return _WORDS.say("heading_unknown")
    is_placed = shared.origin is not None and not shared.name.endswith(str(shared.origin))
    what = "heading_local" if shared.function else "heading" if is_placed else "heading_block"
    return _WORDS.say(what, name=shared.name, function=shared.function, origin=shared.origin)


def summary(sharing: SharedData) -> str:
    """How many objects there are, and how many are left over."""
    if sharing.unfollowed:
        return _WORDS.say("unfollowed", why=sharing.unfollowed)
    left = len(sharing.left)
    raced = sum(any(pair.race for pair in each.open) for each in sharing.left)
    number = len(sharing.objects)
    told = _WORDS.say("left", number=left - raced) if left > raced else ""
    told += _WORDS.say("raced", number=raced) if raced else ""
    objects = f"{number} object{'s' if number != 1 else ''}"
    return _WORDS.say("summary", objects=objects, protected=number - left, left=told)


def action(access: SharedAccess) -> str:
    """What an access does."""
    done = "writes" if access.writes else "reads"
    return _WORDS.say(f"{done}_atomic" if access.atomic else done)


def holding(access: SharedAccess) -> str:
    """The locks that are held."""
    return _WORDS.say("holding", locks=", ".join(access.holds)) if access.holds else ""


def accesses(found: Sequence[SharedAccess]) -> list[tuple[str, str, str, str, str]]:
    """The accesses, one row for each place and thread: thread, function, place, what is done, and the locks held."""
    rows: dict[tuple[str, str, str, str], list[str]] = {}
    for each in found:
        key = (each.thread, f"{each.origin.function or each.thread}()", str(each.origin), holding(each))
        rows.setdefault(key, []).append(action(each))
    return [
        (thread, function, place, ", ".join(sorted(set(done))), held)
        for (thread, function, place, held), done in rows.items()
    ]


def line(shared: SharedObject) -> str:
    """An object with what protects it: "`queue.head`: always under `queue.lock`"."""
    if not shared.name:
        return _WORDS.say("unknown", why=why(shared))
    if shared.function:
        return _WORDS.say("local", name=shared.name, function=shared.function, why=why(shared))
    return _WORDS.say("object", name=shared.name, why=why(shared))


def order(edge: LockOrderEdge) -> str:
    """A wait: "while a thread may hold `a`, it waits for `b` (x.c:3)"."""
    wanted = f"`{edge.wanted}`" if edge.wanted else "another thread"
    return _WORDS.say("order", held=edge.held, wanted=wanted, origin=edge.origin)


def lines(sharing: SharedData) -> Iterator[str]:
    """Everything that an answer without a violation rests on, one line each."""
    if sharing.unfollowed:
        yield summary(sharing)
        return
    yield from map(line, sharing.objects)
    yield from map(order, sharing.orders)
    if not (sharing.orders or sharing.objects):
        yield _WORDS.say("alone" if sharing.of_locks else "none")
    yield rests_on(sharing)


def rests_on(sharing: SharedData) -> str:
    """What the reasons rest on."""
    if sharing.cut is not None:
        return _WORDS.say("cut", origin=sharing.cut)
    if sharing.entries:
        names = ", ".join(f"`{name}`" for name in sharing.entries[:_MOST_NAMES])
        names += ", …" if len(sharing.entries) > _MOST_NAMES else ""
        return _WORDS.say("library_valid" if sharing.given_valid else "library", names=names)
    return _WORDS.say("valid" if sharing.given_valid else "any")
