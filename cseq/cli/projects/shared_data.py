"""What is known of the shared data of a program after a search for data races."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from cseq.model.origin import Origin
from cseq.model.sharing import DRIVER, OpenPair, Protection, ProtectionKind, SharedData, SharedObject
from cseq.model.trace import Race
from cseq.model.verdict import Outcome, Property, Reason, Verdict

Side = tuple[str, int]
"""The place of an access: file and line."""


def with_search(analysed: Outcome, searched: Outcome) -> Outcome:
    """The answer of a search for data races, with the shared data of the thread-modular analysis.

    A pair that was left over is a race if the search has found one at its places. If the search has proved that there
    is no race, that is the reason for what is left over. Without either, the answer is UNKNOWN, however many
    executions were searched.
    """
    sharing = analysed.sharing or SharedData(unfollowed=analysed.message)
    if searched.verdict is Verdict.UNKNOWN:
        message = analysed.message
        return replace(searched, reason=Reason.UNPROVED, message=message, about=(), bounds=[], sharing=sharing)
    if searched.verdict is Verdict.FALSE:
        return replace(searched, sharing=_with_races(sharing, races(searched)))
    if sharing.entries:  # there were few structures to call the functions with
        return replace(analysed, backend=searched.backend)
    if any(caution.strengthens for caution in searched.warnings):
        return replace(searched, sharing=sharing)
    return replace(searched, sharing=_all_protected(sharing))


def of_library(analysed: Outcome, entries: tuple[str, ...]) -> Outcome:
    """The answer for a library whose functions *entries* may be called by any number of threads."""
    if analysed.sharing is None:
        return analysed
    objects = tuple(each for each in map(_of_user, analysed.sharing.objects) if each.protections or each.open)
    found = replace(analysed, sharing=replace(analysed.sharing, objects=objects, entries=entries))
    if found.verdict is Verdict.TRUE:
        names = f"`{entries[0]}`" if len(entries) == 1 else f"`{entries[0]}` and {len(entries) - 1} more"
        called = f"no data race if threads call {names} with valid arguments"
        found.message = f"{called}, without invalid accesses to memory" if found.message else called
    return found


def _of_user(shared: SharedObject) -> SharedObject:
    """An object without what the calling program does with it: it fills structures before there are threads."""
    accesses = tuple(each for each in shared.accesses if not each.origin.file.startswith(DRIVER))
    if len(accesses) == len(shared.accesses):
        return shared
    left = [each for each in shared.protections if each.kind is not ProtectionKind.BEFORE]
    if len(left) == 1 and not shared.open:
        is_always = left[0].kind is not ProtectionKind.LOCK or all(left[0].by in each.holds for each in accesses)
        left = [replace(left[0], always=is_always)]
    return replace(shared, origin=None, accesses=accesses, protections=tuple(left))


def races(searched: Outcome) -> list[tuple[Side, Side]]:
    """The places of the data races that were found."""
    found: Iterable[Property] = [each for each in (searched.violated, *searched.others) if each is not None]
    accounts = [each.account for each in found]
    return [(_place(each.sides[0].origin), _place(each.sides[1].origin)) for each in accounts if isinstance(each, Race)]


def _place(origin: Origin) -> Side:
    return origin.file, origin.line


def _with_races(sharing: SharedData, found: Iterable[tuple[Side, Side]]) -> SharedData:
    known = {frozenset(pair) for pair in found}

    def marked(pair: OpenPair) -> OpenPair:
        places = frozenset({_place(pair.one.origin), _place(pair.other.origin)})
        return replace(pair, race=places in known and (pair.one.writes or pair.other.writes))

    return replace(
        sharing,
        objects=tuple(replace(each, open=tuple(map(marked, each.open))) for each in sharing.objects),
    )


def _all_protected(sharing: SharedData) -> SharedData:
    def protected(shared: SharedObject) -> SharedObject:
        if not shared.open:
            return shared
        found = Protection(ProtectionKind.SEARCHED, always=not shared.protections)
        return replace(shared, open=(), protections=(*shared.protections, found))

    return replace(sharing, objects=tuple(map(protected, sharing.objects)))
