"""The journal of a run (`--resume`): which parts of the levels have been checked, for a run that goes on from there.

It is a text file. The first line says what the run is about; each of the others is how one job ended: that it found
nothing within its bounds, that it was given up, so that its halves are checked instead, or that it has a violation. The
last is not taken from the journal: the job is done again, for its counterexample. A line that is not whole is as good
as none.
"""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cseq.model.claims import Cut
from cseq.model.errors import UsageError
from cseq.model.origin import CallSite, Origin
from cseq.model.verdict import Bound, Caution, Outcome, Reason, Verdict
from cseq.modules.symbolic.encode.sequentializer.tiles import WHOLE, Tile
from cseq.pipeline.jobs import Job, JobResult, telling
from cseq.version import __version__

_FORMAT = 1
_BEGIN = '{"cseq-journal": '
_NOTHING, _DIVIDED, _VIOLATED = "nothing", "divided", "violated"
_ENDS = {Reason.BOUNDED: _NOTHING, Reason.UNWINDING: _NOTHING, Reason.TIMEOUT: _DIVIDED, Reason.MEMORY: _DIVIDED}

_AS_LONG = 0.9
"""The part of its time that a job must have had before, or it is tried again although it was given up."""


@dataclass(frozen=True)
class _Entry:
    """How a job ended. seconds: those that it had, for one that was given up; 0 for any number."""

    end: str
    seconds: float = 0.0
    done: JobResult | None = None


class FileJournal:
    """The journal in the file *path*. Made by `opened`."""

    def __init__(self, path: Path, lines: Iterator[str]) -> None:
        self._path = path
        self._entries: dict[str, dict[Tile, _Entry]] = {}
        for line in lines:
            self._read(line)

    def known(self, job: Job) -> JobResult | None:
        """How *job* ended: without a violation, in it or in a larger tile; or that smaller ones are done instead."""
        done = self._known(job)
        if done is None or isinstance(done.outcome, Exception):
            return None
        outcome = done.outcome  # the receiver may change it
        return replace(done, outcome=replace(outcome, bounds=[*outcome.bounds], warnings=[*outcome.warnings]))

    def _known(self, job: Job) -> JobResult | None:
        entries = self._entries.get(job.key, {})
        tile = _tile(job)
        entry = entries.get(tile)
        if entry is not None and entry.end == _VIOLATED:
            return None
        for larger in _larger(tile):
            if (above := entries.get(larger)) is not None and above.end == _NOTHING:
                return above.done
        if entry is not None:
            is_enough = not entry.seconds or (job.seconds is not None and entry.seconds >= _AS_LONG * job.seconds)
            if is_enough:
                return entry.done
        if tile != WHOLE and any(tile in _larger(other) and other != tile for other in entries):
            return JobResult(Outcome(Verdict.UNKNOWN, Reason.TIMEOUT, "the engine ran out of time"))
        return None

    def add(self, job: Job, done: JobResult) -> None:
        """Note how *job* ended, if that can be used again. Raises UsageError if the file cannot be written."""
        told = _told(job, done)
        if told is None:
            return
        line = json.dumps(told)
        self._read(line)
        _append(self._path, line)

    def _read(self, line: str) -> None:
        try:
            told = json.loads(line)
            end, facts, tile = str(told["end"]), _facts(told["facts"]), Tile.read(told["tile"])
            seconds = float(told["seconds"])
            if end == _VIOLATED:
                entry = _Entry(end)
            elif end == _DIVIDED:
                outcome = Outcome(Verdict.UNKNOWN, Reason[told["reason"]], told["message"])
                entry = _Entry(end, seconds if outcome.reason is Reason.TIMEOUT else 0.0, JobResult(outcome, facts))
            elif end == _NOTHING:
                entry = _Entry(end, done=JobResult(_outcome(told), facts))
            else:
                return
            self._entries.setdefault(str(told["job"]), {})[tile] = entry
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
            return  # the job is done again


def opened(path: Path, program: str, chain: list[str], values: Mapping[str, object]) -> FileJournal:
    """The journal in the file *path*, which is made if there is none.

    program: a hash of the program. chain: the stages. values: of the parameters. Raises UsageError if the journal is of
    another program, or of a run with other options, or by another version; and if the file cannot be used.
    """
    about = {"version": __version__, "program": program, "chain": chain, "parameters": telling(values)}
    header = f"{_BEGIN}{_FORMAT}, {json.dumps(about)[1:]}"
    try:
        text = path.read_bytes().decode("utf-8", "replace") if path.exists() else ""
    except OSError as error:
        raise UsageError(f"--resume: {path}: cannot be read: {error.strerror}") from None
    first, is_whole, rest = text.partition("\n")
    if not is_whole and (_BEGIN.startswith(first) or first.startswith(_BEGIN)):
        try:
            path.write_text(f"{header}\n", encoding="utf-8")
        except OSError as error:
            raise UsageError(f"--resume: {path}: cannot be written: {error.strerror}") from None
        return FileJournal(path, iter(()))
    _check(path, first, about)
    return FileJournal(path, iter(rest.split("\n")))


def _check(path: Path, header: str, about: dict[str, Any]) -> None:
    """Raise UsageError if *header* is not that of a journal of the run that is *about* this."""
    try:
        told = json.loads(header)
    except ValueError:
        told = None
    names = {"cseq-journal", *about}
    if not isinstance(told, dict) or not names <= told.keys() or not isinstance(told["parameters"], dict):
        raise UsageError(f"--resume: {path}: is not a journal that --resume has written")
    if told["cseq-journal"] != _FORMAT or told["version"] != about["version"]:
        raise UsageError(f"--resume: {path}: is by CSeq {told['version']}, and this is {about['version']}")
    if told["program"] != about["program"]:
        raise UsageError(f"--resume: {path}: is about another program, or the program has been changed")
    if told["chain"] != about["chain"]:
        raise UsageError(f"--resume: {path}: is of a run with another chain")
    before, now = told["parameters"], about["parameters"]
    for name in sorted(before.keys() | now.keys()):
        if before.get(name) != now.get(name):
            values = f"{json.dumps(before.get(name))}, and is {json.dumps(now.get(name))}"
            raise UsageError(f"--resume: {path}: is of a run with other options: `{name}` was {values}")


def _append(path: Path, line: str) -> None:
    """Write *line*, and wait until it is on disk. Several processes may do so at the same time."""
    try:
        file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
        try:
            fcntl.lockf(file, fcntl.LOCK_EX)  # belongs to this process, and not to the open file as a flock does
            size = os.lseek(file, 0, os.SEEK_END)
            is_torn = size > 0 and os.pread(file, 1, size - 1) != b"\n"
            data = (f"\n{line}\n" if is_torn else f"{line}\n").encode()
            while data:
                data = data[os.write(file, data) :]
            os.fsync(file)
        finally:
            os.close(file)
    except OSError as error:
        raise UsageError(f"--resume: {path}: cannot be written: {error.strerror}") from None


def _tile(job: Job) -> Tile:
    return Tile.read(job.name.tile) if job.name.tile else WHOLE


def _larger(tile: Tile) -> list[Tile]:
    """*tile* and all that it is part of."""
    return [Tile(tile.number >> depth, tile.parts >> depth) for depth in range(tile.parts.bit_length())]


# What is kept of an outcome


def _told(job: Job, done: JobResult) -> dict[str, Any] | None:
    """The entry for *job*; None if its end says nothing to a later run."""
    outcome = done.outcome
    if isinstance(outcome, Exception):
        return None
    end = _VIOLATED if outcome.verdict is Verdict.FALSE else _ENDS.get(outcome.reason or Reason.BACKEND, "")
    is_plain = all(isinstance(each, Cut) for each in outcome.about) and outcome.counterexample is None
    if not end or (end == _NOTHING and not is_plain) or outcome.verdict is Verdict.TRUE:
        return None
    told: dict[str, Any] = {
        "job": job.key,
        "engine": job.name.engine,
        "property": job.name.property,
        "bounds": dict(job.name.bounds),
        "tile": str(_tile(job)),
        "end": end,
        "seconds": job.seconds if job.seconds is not None else 0.0,
        "facts": {name: _fact(value) for name, value in done.facts.items()},
    }
    if end == _VIOLATED:
        return told
    told |= {"reason": outcome.reason.name if outcome.reason else "", "message": outcome.message}
    if end == _NOTHING:
        told |= {
            "about": [each.key for each in outcome.about if isinstance(each, Cut)],
            "backend": outcome.backend,
            "solvers": outcome.solvers,
            "memory_model": outcome.memory_model,
            "limits": [[each.kind, each.value, each.cut.key, each.origin, each.certain] for each in outcome.bounds],
            "warnings": [[each.message, each.origin, each.strengthens, each.of] for each in outcome.warnings],
        }
    return told


def _outcome(told: Mapping[str, Any]) -> Outcome:
    """The outcome of an entry without a violation. Raises what `FileJournal` takes for an entry that is not whole."""
    limits = [
        Bound(str(kind), int(value), Cut.of(cut), _origin(origin), bool(certain))
        for kind, value, cut, origin, certain in told["limits"]
    ]
    if Reason[told["reason"]] not in (Reason.BOUNDED, Reason.UNWINDING) or not limits:
        raise ValueError(told["reason"])
    return Outcome(
        Verdict.UNKNOWN,
        Reason[told["reason"]],
        str(told["message"]),
        bounds=limits,
        about=tuple(Cut.of(key) for key in told["about"]),
        backend=str(told["backend"]),
        solvers=list(told["solvers"]),
        memory_model=str(told["memory_model"]),
        warnings=[Caution(message, _origin(origin), *flags) for message, origin, *flags in told["warnings"]],
    )


def _origin(told: Any) -> Origin | None:
    if told is None:
        return None
    file, line, column, function, path, iteration, stages, statement = told
    calls = tuple(CallSite(*call) for call in path)
    return Origin(file, line, column, function, calls, tuple(iteration), tuple(stages), tuple(statement))


def _fact(value: object) -> Any:
    if isinstance(value, Cut):
        return {"cut": value.key}
    if value is None or isinstance(value, bool):
        return value
    raise TypeError(f"{value!r} does not belong into a journal")


def _facts(told: Mapping[str, Any]) -> dict[str, object]:
    return {name: Cut.of(value["cut"]) if isinstance(value, dict) else value for name, value in told.items()}
