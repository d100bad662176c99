"""The words for what an engine or a stage is doing."""

from cseq.model.activity import Activity, ActivityKind, Amount, Phase

_DOING = {
    ActivityKind.TRANSLATING: "translating",
    ActivityKind.COMPILING: "compiling the program",
    ActivityKind.MAKING_VERIFIER: "making SPIN's verifier",
    ActivityKind.REPLAYING: "replaying the counterexample",
    ActivityKind.TRYING_REPRODUCER: "compiling it, and running it a few times",
    ActivityKind.RUNNING: "running",
    ActivityKind.READING: "reading the program",
    ActivityKind.EXECUTING_SYMBOLICALLY: "executing the program symbolically",
    ActivityKind.MAKING_FORMULA: "making a formula",
    ActivityKind.SOLVING: "solving",
    ActivityKind.SEARCHING: "searching",
    ActivityKind.PROVING: "looking for a proof",
}
_AMOUNTS = {
    Amount.STEPS: "{} steps",
    Amount.VARIABLES: "{} variables",
    Amount.CLAUSES: "{} clauses",
    Amount.ASSIGNMENTS: "{} assignments",
    Amount.STATES: "{} states",
    Amount.STATES_PER_SECOND: "{} per second",
    Amount.DEPTH: "depth {}",
    Amount.WAITING: "{} waiting",
    Amount.RUNS: "{} runs",
    Amount.SCHEDULES: "{} schedules",
    Amount.RACES: "{} data races",
    Amount.SCENARIOS: "{} scenarios",
}


def phase_in_words(phase: Phase, beside: str = "") -> str:
    """*phase* in words, such as "cbmc: solving (12 steps)".

    beside: the engine whose name is shown next to these words, and so is left out of them.
    """
    said = ", ".join(
        f"{solver}: {activity_in_words(activity)}" if solver else activity_in_words(activity)
        for solver, activity in phase.activities
    )
    whose = phase.engine if phase.engine != beside else ""
    parts = [part for part in (whose, "asked about the bounds" if phase.about_bounds else "") if part]
    return f"{', '.join(parts)}: {said}" if parts else said


def activity_in_words(activity: Activity) -> str:
    """The activity with its counters; for a search, the counters alone if there are any."""
    amounts = ", ".join(_AMOUNTS[what].format(grouped(number)) for what, number in activity.amounts)
    if not amounts:
        return _DOING[activity.doing]
    return amounts if activity.doing is ActivityKind.SEARCHING else f"{_DOING[activity.doing]} ({amounts})"


def grouped(number: float) -> str:
    """A whole number with its digits grouped for readers: "1 234 567"."""
    return f"{number:,.0f}".replace(",", " ")
