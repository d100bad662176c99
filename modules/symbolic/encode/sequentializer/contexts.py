"""Which contexts the driver runs under the user's bounds, and what these bounds leave out."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from cseq.model.claims import Cut, Limit
from cseq.model.errors import UsageError
from cseq.model.verdict import Bound
from cseq.modules.symbolic.encode.sequentializer.tiles import TILE
from cseq.pipeline.stage import Parameter


def _check(expression: str) -> None:
    from cseq.modules.symbolic.encode.sequentializer.schedule import read

    read(expression)


ROUNDS = Parameter(
    "rounds", int, 1, "explore schedules of N rounds, in each of which every thread runs once", ("--rounds", "-r"), "N",
    minimum=1,
)  # fmt: skip
SCHEDULE: Parameter[str | None] = Parameter(
    "schedule", str, None,
    "let only some threads run in a round: rounds with `:` between, each `+` for all threads or thread numbers with "
    "`,` between (main is 0)", ("--schedule",), "ROUNDS", check=_check,
)  # fmt: skip
CONTEXTS: Parameter[int | None] = Parameter(
    "contexts", int, None, "explore schedules with at most N context switches", ("--contexts",), "N", minimum=0
)
PARAMETERS = (ROUNDS, SCHEDULE, CONTEXTS, TILE)

SCHEDULES = ("rounds", "contexts", "schedule", "tile")
"""The kinds of bounds that leave out schedules: under one of them there is no proof."""


def settle(values: dict[str, object], given: Collection[str]) -> None:
    """Derive the number of rounds from the other two bounds if the user has not set it.

    UsageError if it differs from the schedule's.
    """
    schedule, contexts = SCHEDULE.of(values), CONTEXTS.of(values)
    if schedule is not None:
        from cseq.modules.symbolic.encode.sequentializer.schedule import read

        number = len(read(schedule))
        if ROUNDS.name in given and ROUNDS.of(values) != number:
            said = f"--rounds is {ROUNDS.of(values)}, and --schedule has {number} round{'' if number == 1 else 's'}"
            raise UsageError(f"{said}: leave --rounds out")
        values[ROUNDS.name] = number
    elif contexts is not None and ROUNDS.name not in given:
        values[ROUNDS.name] = contexts + 1  # never too few; `plan` leaves out superfluous ones


@dataclass(frozen=True)
class Plan:
    """The contexts of the driver.

    rounds:   the numbers of the threads that it calls, for each round, without main's last context.
    switches: the most context switches of an execution; None if that is no restriction.
    needed:   the number of rounds that cover all schedules.
    bounds:   what is left out.
    """

    rounds: list[list[int]]
    switches: int | None
    needed: int
    bounds: list[Bound] = field(default_factory=list)


def rounds_for(switches: int, threads: int) -> int:
    """The number of rounds that cover all schedules with *switches* context switches of *threads* threads.

    The first context is main's, so the first switch leads to a greater number. One more round is needed for each switch
    to a smaller number. At most *threads* - 1 of these can follow one another, down to main; then one has to lead up
    again. So of N switches at most N - ceil(N / threads) lead down. If N is a multiple of *threads* and that many lead
    down, the last one leads to main, whose context after the last round serves for it. In both cases that makes N -
    floor(N / threads) rounds.
    """
    return max(1, switches - switches // threads)


def plan(sizes: Sequence[int], rounds: int, contexts: int | None = None, schedule: str | None = None) -> Plan:
    """The contexts for threads with these numbers of steps, under the parameters of these names.

    UsageError for a schedule of threads that the program does not have.
    """
    threads = len(sizes)
    # Each further round serves a switch from a later to an earlier thread. Each such switch is preceded by a step of a
    # thread that is not the first one, and followed by a step of a thread that is not the last one.
    needed = min(sum(sizes[1:]), sum(sizes[:-1])) + 1
    everyone = list(range(threads))
    called = [everyone] * rounds
    if schedule is not None:
        called = _scheduled(schedule, threads)
    restricted = any(listed != everyone for listed in called)
    # Each context except the first is begun by a switch and has a step, or it could be left out. Moreover, every
    # schedule has a form with at most the needed rounds, followed by main's context.
    all_switches = min(sum(sizes) - 1, needed * threads) if threads > 1 else 0
    most = min(all_switches, rounds * threads)
    switches: int | None = contexts if contexts is not None and contexts < most else None
    bounds = []
    if rounds < needed and (switches is None or rounds < rounds_for(switches, threads)):
        bounds.append(Bound.of(Cut(Limit.ROUNDS, rounds, runs=needed)))
    if switches is not None:
        bounds.append(Bound.of(Cut(Limit.CONTEXTS, switches, runs=all_switches)))
    if restricted:
        bounds.append(Bound.of(Cut(Limit.SCHEDULE, len(called), schedule or "")))
    if contexts is not None and not restricted:
        called = called[: min(needed, rounds_for(contexts, threads))]
    return Plan(called, switches, needed, bounds)


def _scheduled(expression: str, threads: int) -> list[list[int]]:
    from cseq.modules.symbolic.encode.sequentializer.schedule import ScheduleError, called, read

    try:
        return called(read(expression), threads)
    except ScheduleError as error:
        raise UsageError(f"--schedule: {error}") from None
