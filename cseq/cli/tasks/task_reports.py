"""What is printed about several programs: a line when one is done, and the summary or the report for programs."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cseq.cli.console import style, warn, write
from cseq.model.taskresults import TaskEnd, TaskResult, counted
from cseq.report.text import tasklines

if TYPE_CHECKING:
    from cseq.cli.outputs import PrintOptions
    from cseq.cli.progress import Progress
    from cseq.cli.tasks.task import Task
    from cseq.pipeline.status import RunningTask


class Reporter:
    """Prints a line about each task that is done, and keeps the live view up to date."""

    def __init__(self, printed: PrintOptions, tasks: Sequence[Task | TaskResult], view: Progress | None) -> None:
        self._printed, self._view = printed, view
        self._total = len(tasks)
        self._style = style()
        self._columns = tasklines.width([tasklines.name(_empty(task)) for task in tasks])

    def show(self, result: TaskResult) -> None:
        """Print what became of a task."""
        printed = self._printed
        if printed.json or printed.sarif:
            return
        with self._view.aside() if self._view is not None else contextlib.nullcontext():
            if printed.quiet:
                write(f"{tasklines.brief(result)}\n")
                return
            if result.outcome is not None:
                warn(str(caution) if caution.origin else f"{result.path}: {caution}" for caution in
                     result.outcome.warnings)  # fmt: skip
            lines = list(tasklines.lines(result, self._columns, self._style, seconds=printed.verbose))
            if printed.cex or printed.explain or printed.verbose:
                lines += tasklines.report(
                    result, self._style, steps=printed.cex, details=printed.verbose, explained=printed.explain
                )
            write("".join(f"{line}\n" for line in lines))

    def changed(self, running: tuple[RunningTask, ...], results: list[TaskResult]) -> None:
        """Show in the live view which tasks are running, and what is known."""
        if self._view is not None:
            from cseq.pipeline.status import TasksChanged

            done = [result for result in results if result.end is not TaskEnd.STOPPED]
            violated = counted(done).violated
            self._view.status.report(TasksChanged(running, len(done), violated, self._total))


def _empty(task: Task | TaskResult) -> TaskResult:
    """A result with the name of *task*."""
    return task if isinstance(task, TaskResult) else TaskResult(task.path, TaskEnd.STOPPED, task.only)


def conclude(
    printed: PrintOptions,
    command: Sequence[str],
    results: Sequence[TaskResult],
    seconds: float,
    interrupted: bool = False,
) -> int:
    """Print the summary or the report for programs; returns the exit status.

    command: the words of the command line. seconds: how long all took. interrupted: whether the user ended the run.
    """
    if printed.json:
        from cseq.report.json import tasksjson

        write(tasksjson.render(results, seconds, interrupted))
    elif printed.sarif:
        from cseq.report.sarif import sarifreport

        write(sarifreport.render_all(results, command, interrupted))
    elif not printed.quiet:
        write(f"{tasklines.summary(results, seconds)}\n")
    return counted(results).exit_status
