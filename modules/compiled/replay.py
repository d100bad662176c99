"""Repeat a saved run."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from cseq.modules.compiled.client.record import End, RequestFlag, Strategy
from cseq.modules.compiled.client.recorded import Module, RecordedRun
from cseq.modules.compiled.client.server import RunBatch, Server
from cseq.modules.compiled.sameness import Places, fails, same_failure
from cseq.modules.compiled.saved import Place, SavedRun, address


@dataclass(frozen=True)
class RepetitionCounts:
    """What became of a saved run that was repeated. All but the last are numbers of runs.

    times: how often it was. same: failed in the same way. otherwise: failed in another way. diverged: could not follow
    the schedule. shown: of these the first run of the first kind that there was; one that did not fail comes last.
    order: that of all runs.
    """

    times: int
    same: int
    otherwise: int
    diverged: int
    shown: RecordedRun
    order: RunBatch


def order_for(saved: SavedRun, modules: Iterable[Module]) -> RunBatch:
    """The order that repeats *saved* in a process with these *modules*. Places that are not in it are left out."""
    loaded = list(modules)
    sites = [found for site in saved.sites if (found := address(site, loaded)) is not None]
    return RunBatch(
        strategy=Strategy.ROUND if saved.hangs else Strategy.RUN, flags=saved.request_flags, steps=saved.steps,
        seconds=saved.seconds, choices=saved.choices, sites=sites,
    )  # fmt: skip


def races_of(saved: SavedRun, modules: Iterable[Module]) -> list[Places]:
    """The data races of *saved*, as addresses in a process with these *modules*."""
    loaded = list(modules)
    pairs = [(_place(one, loaded), _place(other, loaded)) for one, other in saved.races]
    return [frozenset(pair) for pair in pairs]


def _place(place: Place, modules: list[Module]) -> int:
    found = address(place, modules)
    return -1 if found is None else found


def end_of(saved: SavedRun) -> End:
    """How the saved run ended. Raises ValueError for an end that there is not."""
    if saved.end.upper() not in End.__members__:
        raise ValueError(f"there is no end `{saved.end}`")
    return End[saved.end.upper()]


def repeat(server: Server, saved: SavedRun, times: int) -> RepetitionCounts:
    """Repeat *saved* so many times."""
    order = order_for(saved, server.modules)
    races, end = races_of(saved, server.modules), end_of(saved)
    kinds: dict[str, list[RecordedRun]] = {"same": [], "otherwise": [], "diverged": [], "passes": []}
    counts = dict.fromkeys(kinds, 0)
    detailed = replace(order, flags=order.flags | RequestFlag.DETAIL)
    for _ in range(times):
        recorded = server.recorded(detailed)
        if saved.hangs:
            kind = "same" if recorded.end == end else "otherwise" if fails(recorded, saved.status) else "passes"
        elif same_failure(end, saved.detail, races, recorded, saved.status):
            kind = "same"
        elif recorded.end == End.DIVERGED:
            kind = "diverged"
        else:
            kind = "otherwise" if fails(recorded, saved.status) else "passes"
        counts[kind] += 1
        if not kinds[kind]:
            kinds[kind].append(recorded)
    shown = next(runs[0] for runs in kinds.values() if runs)
    return RepetitionCounts(times, counts["same"], counts["otherwise"], counts["diverged"], shown, order)
