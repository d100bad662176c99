"""The live view of a run on a terminal, as lines: the stages of the chain, the work of engines, time and memory."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from cseq.model.verdict import limits
from cseq.pipeline.status import Lane, Status, TasksChanged
from cseq.report import job_words
from cseq.report.activity_words import phase_in_words
from cseq.report.words import clean, level

MARGIN = 2
"""The number of columns between the name of one of several engines and its lines."""

_RECENT = 3
"""The number of earlier levels that are shown."""

_NARROW = 50
"""On narrower terminals, the name of an engine gets a line of its own."""


@dataclass(frozen=True)
class Glyphs:
    """Symbols that the terminal can show. done: the mark for what is done. SPIN run: the frames of the animation."""

    done: str
    spinner: str

    def turning(self, seconds: float) -> str:
        """The frame of the SPIN run at this time."""
        return self.spinner[int(seconds * 10) % len(self.spinner)]


UNICODE = Glyphs("✓", "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
ASCII = Glyphs("+", "|/-\\")


def console(width: int, colours: bool) -> Console:
    """A console for lines of at most *width* characters; its output can be captured as text for a terminal."""
    return Console(
        width=width,
        force_terminal=colours,
        color_system="auto" if colours else None,
        highlight=False,
        emoji=False,
        markup=False,
    )


def frame(
    status: Status, now: float, memory: int, console: Console, height: int, glyphs: Glyphs = UNICODE
) -> list[Text]:
    """The view at the time *now*, as of `time.monotonic`: at most *height* lines, no wider than *console*.

    memory: the memory of the run in bytes; 0 if it is not known.
    If there is too little room, finished stages are left out first.
    """
    lines: list[Text] = []
    for detail in (2, 1, 0):
        drawing = _Drawing(status, now, memory, console, glyphs, detail)
        lines = [line for part in drawing.parts() for line in part]
        if len(lines) <= height:
            break
    return lines[:height]


@dataclass(frozen=True)
class _Drawing:
    """One view of a run. detail: 2 for everything, 1 to sum up what is over, 0 for what goes on now."""

    status: Status
    now: float
    memory: int
    console: Console
    glyphs: Glyphs
    detail: int

    def parts(self) -> Iterator[list[Text]]:
        """Lines that belong together."""
        status = self.status
        yield self._header()
        if status.tasks is not None:
            yield from self._tasks(status.tasks)
            return
        if not status.engines:
            yield from self._lane(status.lane, {}, 0, self.detail)
            return
        if self.detail:
            yield from self._lane(status.lane, {}, 0, min(self.detail, 1))
        names = list(status.engines)
        is_wide = self.console.width >= _NARROW
        margin = max(cell_len(name) for name in names) + MARGIN if is_wide else MARGIN
        for name, lane in status.engines.items():
            parts = self._lane(lane, status.lane.times, margin, self.detail, beside=name)
            lines = [line for part in parts for line in part]
            yield _labelled(Text(name, "bold"), lines, margin, is_wide)

    def _header(self) -> list[Text]:
        status = self.status
        which = f" ({status.number} of {status.count})" if status.count > 1 else ""
        time = duration(self.now - status.begun)
        parts = [time if status.timeout is None else f"{time} (limit {duration(status.timeout, whole=True)})"]
        if self.memory:
            limit = "" if status.memory is None else f" (limit {status.memory} MB)"
            parts.append(f"{self.memory // (1024 * 1024)} MB{limit}")
        title = [Text(f"{clean(status.property)}{which}", "bold")] if status.property else []
        return self._flowing([*title, *(Text(part) for part in parts)], 0)

    def _tasks(self, tasks: TasksChanged) -> Iterator[list[Text]]:
        """The programs that are checked now, those that began first on top."""
        found = f", {tasks.violated} violated" if tasks.violated else ""
        waiting = tasks.total - tasks.done - len(tasks.running)
        parts = [f"{tasks.done} of {tasks.total} programs done{found}"]
        parts += [
            f"{number} {what}" for number, what in ((len(tasks.running), "running"), (waiting, "waiting")) if number
        ]
        yield self._flowing([Text(part) for part in parts], 0)
        turning = self.glyphs.turning(self.now)
        for task in tasks.running:
            since = f" {duration(self.now - task.since)}"
            yield self._wrapped(Text.assemble((turning, "cyan"), f" {clean(task.name)}", (since, "dim")), 0)

    def _lane(
        self, lane: Lane, times: dict[str, float], margin: int, detail: int, beside: str = ""
    ) -> Iterator[list[Text]]:
        """The progress of one engine. beside: its name, if that is shown next to these lines."""
        if lane.result:
            yield self._wrapped(Text(f"{self.glyphs.done} {clean(lane.result)}", "dim"), margin)
            return
        if lane.level:
            yield self._wrapped(Text(f"trying {clean(limits(lane.level))}"), margin)
        own = lane.stages[lane.known :] if times else lane.stages
        yield self._flowing([*self._stages(lane, own, {**times, **lane.times}, detail)], margin)
        if lane.phase and lane.stage:
            yield self._wrapped(Text(clean(phase_in_words(lane.phase, beside))), margin)
        if lane.jobs is not None:
            said = job_words.now(lane.jobs.running, lane.jobs.done, lane.jobs.waiting)
            yield self._wrapped(Text(clean(said)), margin)
        for tried in lane.tried[-(0, 1, _RECENT)[detail] :] if detail and not self.status.told else ():
            yield self._wrapped(Text(clean(level(tried)), "dim"), margin)

    def _stages(self, lane: Lane, names: Sequence[str], times: dict[str, float], detail: int) -> Iterator[Text]:
        """The stages in order: finished, running, to come."""
        at = names.index(lane.stage) if lane.stage in names else _over(lane, names)
        done = names[:at]
        if detail < 2 and done:
            total = duration(sum(times.get(name, 0.0) for name in done))
            many = f"{len(done)} stage{'s' if len(done) > 1 else ''}"
            yield Text.assemble((f"{self.glyphs.done} ", "green"), f"{many} {total}")
        for name in done if detail == 2 else ():
            took = f" {duration(times[name])}" if name in times else ""
            yield Text.assemble((f"{self.glyphs.done} ", "green"), clean(name), (took, "dim"))
        if lane.stage:
            turning = self.glyphs.turning(self.now)
            yield Text.assemble((turning, "cyan"), (f" {clean(lane.stage)} {duration(self.now - lane.since)}", "bold"))
        for name in names[at + bool(lane.stage) :] if detail == 2 else ():
            yield Text(clean(name), "dim")

    def _flowing(self, items: Iterable[Text], margin: int) -> list[Text]:
        """*items* side by side, as many per line as fit."""
        room = self.console.width - margin
        lines: list[Text] = []
        for item in items:
            if lines and lines[-1].cell_len + 2 + item.cell_len <= room:
                lines[-1].append("  ").append_text(item)
            else:
                lines.append(Text().append_text(item))
        return [line for whole in lines for line in self._wrapped(whole, margin)]

    def _wrapped(self, text: Text, margin: int) -> list[Text]:
        """*text*, wrapped into lines that fit."""
        lines = text.wrap(self.console, max(self.console.width - margin, 1), overflow="fold")
        for line in lines:
            line.rstrip()
        return list(lines)


def _over(lane: Lane, names: Sequence[str]) -> int:
    """The number of finished stages among *names*, if none is running."""
    done = [number for number, name in enumerate(names, 1) if name in lane.times or name in lane.stages[: lane.known]]
    return max(done, default=0)


def _labelled(label: Text, lines: list[Text], margin: int, beside: bool) -> list[Text]:
    """*lines* after a margin, with the *label* in the margin or on a line above."""
    shown = [Text(" " * margin).append_text(line) for line in lines]
    if not beside or not lines:
        return [label, *shown]
    label.append(" " * (margin - label.cell_len))
    return [label.append_text(lines[0]), *shown[1:]]


def duration(seconds: float, whole: bool = False) -> str:
    """A time with its unit. seconds: the time. whole: show whole seconds as such, as for a limit that the user set."""
    if whole and seconds == int(seconds) and seconds < 600:
        return f"{int(seconds)} s"
    if seconds < 0.1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 1:
        return f"{seconds:.2f} s"
    if seconds < 600:
        return f"{seconds:.1f} s"
    minutes = int(seconds) // 60
    if minutes < 60:
        return f"{minutes} min {int(seconds) % 60:02} s"
    return f"{minutes // 60} h {minutes % 60:02} min"


Frame = Callable[[Status, float, int, int, int], str]


def renderer(colours: bool, glyphs: Glyphs) -> Frame:
    """A function from a status, the time, the memory, and the columns and rows of the terminal to text.

    The lines end in "\\r\\n", and are narrower than the terminal.
    """
    made: dict[int, Console] = {}

    def draw(status: Status, now: float, memory: int, columns: int, rows: int) -> str:
        width = max(columns - 1, 1)
        if width not in made:
            made.clear()
            made[width] = console(width, colours)
        lines = frame(status, now, memory, made[width], max(rows - 2, 0), glyphs)
        with made[width].capture() as captured:
            for line in lines:
                made[width].print(line, no_wrap=True, overflow="crop", crop=True)
        return captured.get().replace("\n", "\r\n")

    return draw
