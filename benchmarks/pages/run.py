"""Measure the pages of `--html` for executions of 10, 1 000 and 20 000 steps, in headless Chromium."""

from __future__ import annotations

import gzip
import os
import random
import shutil
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import common

SIZES = (10, 1_000, 20_000)
THREADS = (4, 32)
LINES = 400
"""The number of lines of the program."""

TARGET = 50.0
"""The target in milliseconds: 95 of 100 steps and jumps must be quicker."""

# Each of these ends when the page has been laid out again, which `offsetHeight` asks for.
_MEASURE = """\
const [random] = arguments;
const root = document.documentElement, lanes = document.getElementById("lanes");
const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
const timed = (act) => {
  const start = performance.now();
  act();
  root.offsetHeight;
  lanes.scrollTop;
  return performance.now() - start;
};
const slide = (step) => {
  const slider = document.getElementById("slider");
  slider.value = step;
  slider.dispatchEvent(new Event("input"));
};
press("Home");
const found = {step: [], jump: []};
for (let i = 0; i < 60; i++) found.step.push(timed(() => press("j")));
for (let i = 0; i < 60; i++) found.step.push(timed(() => press(i % 2 ? "k" : "n")));
for (const step of random) found.jump.push(timed(() => slide(step)));
for (let i = 0; i < 10; i++) found.jump.push(timed(() => press(i % 2 ? "Home" : "End")));
for (const step of random.slice(0, 10)) {
  slide(step);
  for (let i = 0; i < 6; i++) found.step.push(timed(() => press("j")));
}
found.rows = document.querySelectorAll(".step").length;
return found;
"""

# From the beginning of the navigation; the page is loaded when it has been painted twice after its script ended.
_LOADED = """\
const tell = arguments[arguments.length - 1];
requestAnimationFrame(() => requestAnimationFrame(() => tell(performance.now())));
"""


@dataclass
class Page:
    """The measurements of a page. size: in bytes. Times: in milliseconds, one value per run, or per step or jump.

    processor: processor time of the browser's main thread, per step and jump; one value per run.
    """

    steps: int
    threads: int
    size: int = 0
    packed: int = 0
    rows: int = 0
    render: list[float] = field(default_factory=list)
    load: list[float] = field(default_factory=list)
    step: list[float] = field(default_factory=list)
    jump: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    @property
    def row(self) -> list[str]:
        """The row of the table."""
        moves = [*self.step, *self.jump]
        most = statistics.quantiles(moves, n=20)[-1]
        return [
            common.number(self.steps, 0),
            str(self.threads),
            common.number(self.size / 1000, 0),
            common.number(self.packed / 1000, 0),
            common.number(common.median(self.render), 0),
            common.number(common.median(self.load), 0),
            common.number(common.median(self.step), 1),
            common.number(common.median(self.jump), 1),
            common.number(common.median(self.processor), 1),
            common.number(most, 1),
            common.number(max(moves), 1),
            str(self.rows),
            "met" if most < TARGET else "**missed**",
        ]


def execution(steps: int, threads: int) -> Any:
    """An outcome whose counterexample has this many steps: threads take turns of a few steps, with and without locks.

    Each step is an iteration of some loop, and reads or writes some of 60 variables, as real steps do.
    """
    from cseq.model.origin import CallSite, Origin
    from cseq.model.trace import Access, Action, Counterexample, Step, Thread
    from cseq.model.verdict import Outcome, Property, Verdict

    known = [Thread(0, "main"), *(Thread(number, f"worker_{number % 3}") for number in range(1, threads))]
    made: list[Step] = []
    holder: int | None = None
    for number in range(steps):
        turn = number // 6
        thread = known[0] if turn == 0 else known[turn % threads]
        line = 20 + (number * 7 + thread.number * 13) % (LINES - 30)
        path = (CallSite(thread.function, "program.c", 15 + thread.number),) if number % 3 else ()
        origin = Origin("program.c", line, 0, f"function_{line % 20}", path, (number // 40 + 1, number % 4 + 1))
        step = Step(thread, origin, f"line {line}")
        if 0 < number < threads and turn == 0:
            step.actions.append(Action("create", thread=known[number]))
            step.events.append(f"creates {known[number]}")
        elif number % 6 == 1:
            step.actions.append(Action("lock", "mutex", object=4096))
            step.events.append("locks mutex")
            holder = thread.number
        elif number % 6 == 4 and holder == thread.number:
            step.actions.append(Action("unlock", "mutex", object=4096))
            step.events.append("unlocks mutex")
        else:
            cell = number * 31 % 60
            step.accesses.append(Access("read", f"table[{cell}]", str(number % 17), True, 8192 + 4 * cell))
            step.accesses.append(Access("write", f"table[{cell}]", str((number + 1) % 17), True, 8192 + 4 * cell))
            step.accesses.append(Access("write", "i", str(number % 9)))
        made.append(step)
    claim = Property("assertion", "assertion `table[0] == 1`", made[-1].origin)
    return Outcome(Verdict.FALSE, violated=claim, counterexample=Counterexample(made, known), backend="native")


def measure(page: Page, driver: Any, folder: Path, runs: int) -> None:
    """Write the page, load it, and step through it."""

    from cseq.report.page import htmlreport
    from tests.support.browser import console

    program = folder / "program.c"
    program.write_text("".join(f"  table[{n % 60}] = table[{n % 59}] + {n}; /* {n} */\n" for n in range(1, LINES + 1)))
    outcome = execution(page.steps, page.threads)
    path = folder / "page.html"
    drawn = random.Random(1)
    for _ in range(runs):
        start = time.perf_counter()
        text = htmlreport.render(outcome, ["program.c"], ["cseq", "program.c"])
        page.render.append((time.perf_counter() - start) * 1000)
        path.write_text(text, encoding="utf-8")
        driver.get("about:blank")
        driver.get(path.as_uri())
        page.load.append(driver.execute_async_script(_LOADED))
        before = _processor(driver)
        found = driver.execute_script(_MEASURE, [drawn.randint(1, page.steps) for _ in range(40)])
        page.processor.append((_processor(driver) - before) / (len(found["step"]) + len(found["jump"])))
        page.step += found["step"]
        page.jump += found["jump"]
        page.rows = max(page.rows, found["rows"])
    page.size, page.packed = len(text.encode()), len(gzip.compress(text.encode()))
    said = console(driver)
    if said:
        raise SystemExit(f"the page of {page.steps} steps: {said[0]}")


def _processor(driver: Any) -> float:
    """The processor time that the main thread of the page has taken, in milliseconds."""
    found = driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return float(next(one["value"] for one in found if one["name"] == "TaskDuration")) * 1000


def main() -> None:
    """Measure, and write the results."""
    options = common.arguments(__doc__ or "", __file__, runs=5).parse_args()
    from tests.support.browser import chromium, missing

    if missing():
        raise SystemExit(missing())
    pages = [Page(steps, threads) for steps in SIZES for threads in THREADS if steps > threads or threads == THREADS[0]]
    with tempfile.TemporaryDirectory(prefix="cseq-pages-") as name, chromium(1440, 900) as driver:
        folder = Path(name)
        driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        os.chdir(folder)  # as the page reads the source by its name
        for page in pages:
            common.progress(f"{page.steps} steps, {page.threads} threads")
            measure(page, driver, folder, options.runs)
    header = (
        "steps", "threads", "size, kB", "gzip, kB", "rendering, ms", "loading, ms", "a step, ms", "a jump, ms",
        "processor, ms", "95 of 100 below, ms", "slowest, ms", "rows", f"below {TARGET:g} ms",
    )  # fmt: skip
    sections = (
        "Synthetic executions: threads take turns of six steps with a lock, 60 shared variables, call paths and "
        f"iterations, in a program of {LINES} lines; the window is 1440 by 900. Rendering: in Python, from the outcome "
        "to the text. Loading: from the beginning of the navigation until the page has been painted. A step: a key, "
        "until the page is laid out again; a jump: with the slider to anywhere, or `Home` and `End`. Medians, the "
        f"slowest, and what 95 of 100 are below; runs of each: {options.runs}, with 180 steps and 50 jumps each. "
        "Processor: what a step or jump takes the browser's main thread on the average. Rows: so many elements stand "
        "for steps at the same time.\n",
        common.table(header, (page.row for page in pages), "r" * 12 + "l"),
    )
    version = common.run([shutil.which("chromium") or "chromium", "--version"]).stdout.strip()
    common.report("Pages", __file__, sections, options.output, {"browser": version})


if __name__ == "__main__":
    main()
