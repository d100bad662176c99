"""Ask TLC and the engine `native` about the same programs: whether they say the same."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml

from benchmarks import common

BENCHMARKS = common.ROOT / "sv-benchmarks"
CONFORMANCE = common.ROOT / "tests" / "programs" / "conformance"
FOLDERS = ("threads", "c11", "deadlock")
"""Those of the programs for the thread library."""

ENGINES = ("tlc", "native")
DECIDED = ("TRUE", "FALSE")

_BOUNDS = ("--rounds", "--unwind")
"""Options that only other families need; each has a number."""


@dataclass(frozen=True)
class Task:
    """A program and what is asked about it. expected: the verdict, "" where only the agreement counts."""

    name: str
    words: tuple[str, ...]
    expected: str = ""


@dataclass(frozen=True)
class Said:
    """What both engines said of a task: the verdicts, what was said besides, and processor time in seconds."""

    name: str
    expected: str
    verdicts: tuple[str, str]
    messages: tuple[str, str]
    seconds: tuple[float, float]

    @property
    def is_finished(self) -> bool:
        """Whether TLC decided."""
        return self.verdicts[0] in DECIDED

    @property
    def is_wrong(self) -> bool:
        """Whether TLC contradicts the other engine, or the task."""
        others = [verdict for verdict in (self.verdicts[1], self.expected) if verdict in DECIDED]
        return self.is_finished and any(verdict != self.verdicts[0] for verdict in others)

    @property
    def group(self) -> str:
        """The folder of the program."""
        return str(Path(self.name).parent)


ABOUT = """\
Each program is asked about with `-b tlc` and with `-b native`, each for {limit:g} s at most: those of `sv-benchmarks`
with the property of their task, where TLC can be asked about that, and those for the thread library in
`tests/programs/conformance`, without and with `-D BUG`. Seconds are processor time.
"""


def tasks() -> Iterator[Task]:
    """All programs, with what is asked."""
    for path in sorted(BENCHMARKS.rglob("*.yml")):
        if path.parent.name != "race" and "compiled" not in path.parts:
            yield _of_benchmarks(path)
    for folder in FOLDERS:
        for path in sorted((CONFORMANCE / folder).glob("*.c")):
            words = (*options_of(path.read_text(encoding="utf-8")), str(path))
            name = f"conformance/{folder}/{path.stem}"
            yield Task(name, words)
            yield Task(f"{name} BUG", ("-D", "BUG", *words))


def _of_benchmarks(path: Path) -> Task:
    about: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    [asked] = about["properties"]
    files = about["input_files"]
    file = path.parent / asked["property_file"]
    words = [
        *([] if file.stem == "unreach-call" else ["--spec", str(file)]),  # without it, misuse counts as well
        "--32" if about["options"]["data_model"] == "ILP32" else "--64",
        *about.get("cseq", {}).get("options", ()),
        *(str(path.parent / file) for file in ([files] if isinstance(files, str) else files)),
    ]
    name = str(path.relative_to(BENCHMARKS.parent).with_suffix(""))
    return Task(name, tuple(words), "TRUE" if asked["expected_verdict"] else "FALSE")


def options_of(text: str) -> list[str]:
    """The options in the second line of a conformance program, without those for other families."""
    line = text.split("\n", 2)[1]
    words = line.removeprefix(" * ").removesuffix("*/").split() if line.startswith(" * --") else []
    kept: list[str] = []
    while words:
        word = words.pop(0)
        if word in _BOUNDS:
            words.pop(0)
        else:
            kept.append(word)
    return kept


def asked(limit: float, only: str = "", results: Path | None = None) -> Iterator[Said]:
    """What is said of each task. only: a part of the name. results: where answers are kept, and found again."""
    known: dict[str, Said] = {}
    if results is not None and results.exists():
        for line in results.read_text(encoding="utf-8").splitlines():
            read: dict[str, Any] = json.loads(line)
            pairs: dict[str, Any] = {key: tuple(one) if isinstance(one, list) else one for key, one in read.items()}
            known[pairs["name"]] = Said(**pairs)
    for task in tasks():
        if only not in task.name:
            continue
        if task.name not in known:
            answers = [ask(task, engine, limit) for engine in ENGINES]
            verdicts, messages, seconds = zip(*answers, strict=True)
            known[task.name] = said = Said(task.name, task.expected, verdicts, messages, seconds)
            common.progress(f"{task.name}: {verdicts} {messages if said.is_wrong or not said.is_finished else ''}")
            if results is not None:
                with results.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(said)) + "\n")
        yield known[task.name]


def ask(task: Task, engine: str, limit: float) -> tuple[str, str, float]:
    """The verdict of an engine, what it says of it, and its processor time."""
    words = [*common.CSEQ, *task.words, "-b", engine, "--timeout", f"{limit:g}", "--json"]
    run = common.run(words, limit=limit + 10)
    if run.timed_out:
        return "UNKNOWN", "out of time", run.cpu
    if run.status not in (0, 1, 3) or not run.stdout:
        lines = [line for line in run.stderr.splitlines() if line.strip()]
        return "refused", (lines or ["nothing"])[0], run.cpu
    answer = json.loads(run.stdout)
    return answer["verdict"], answer["message"], run.cpu


def tables(found: Sequence[Said]) -> Iterator[str]:
    """How many programs TLC decides, and in how many it agrees; where it does not; why it does not decide."""
    groups: dict[str, list[Said]] = {}
    for said in found:
        groups.setdefault(said.group, []).append(said)
    lines = [[f"`{group}`", *_counts(those)] for group, those in sorted(groups.items())]
    lines.append(["all", *_counts(found)])
    header = (
        "folder",
        "programs",
        "TLC decides",
        "as native",
        "native does not",
        "contradictions",
        "s, TLC",
        "s, native",
    )
    yield "## Verdicts\n\n" + common.table(header, lines, "l")
    wrong = [[f"`{one.name}`", one.expected, *one.verdicts, *one.messages] for one in found if one.is_wrong]
    if wrong:
        columns = ("program", "expected", "tlc", "native", "tlc says", "native says")
        yield "## Contradictions\n\n" + common.table(columns, wrong, "llllll")
    reasons = Counter(_kind(one.messages[0]) for one in found if not one.is_finished)
    if reasons:
        rows = [[reason, str(count)] for reason, count in reasons.most_common()]
        yield "## Why TLC does not decide\n\n" + common.table(("reason", "programs"), rows, "l")


def _counts(found: Sequence[Said]) -> list[str]:
    finished = [one for one in found if one.is_finished]
    same = [one for one in finished if one.verdicts[0] == one.verdicts[1]]
    alone = [one for one in finished if one.verdicts[1] not in DECIDED]
    seconds = [common.number(sum(one.seconds[which] for one in finished), 0) for which in (0, 1)]
    numbers = (found, finished, same, alone, [one for one in found if one.is_wrong])
    return [*(str(len(those)) for those in numbers), *seconds]


def _kind(message: str) -> str:
    """A message without its place in a program."""
    parts = message.split(": ")
    while len(parts) > 1 and ("/" in parts[0] or parts[0] in ("cseq", "error") or ".c" in parts[0]):
        parts = parts[1:]
    return ": ".join(parts)
