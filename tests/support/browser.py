"""Headless Chromium, and the checks of every page that `--html` writes."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cseq.model.verdict import Outcome
from cseq.report import words

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

MOST = 24
"""The number of steps of a long execution that are checked, apart from the last ones."""

_NUMBERS = itertools.count(1)

# Goes through an execution with the keyboard, and returns what the page shows at each step.
_WALK = """\
const [answer, wanted] = arguments;
const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
const choice = document.getElementById("answer");
if (choice.options.length !== COUNT) return `there are ${choice.options.length} answers`;
if (Number(choice.value) !== answer) {
  choice.value = String(answer);
  choice.dispatchEvent(new Event("change"));
}
const look = () => {
  const lit = [...document.querySelectorAll("#source .lit")];
  const file = document.querySelector("#files [aria-selected=true]");
  const row = document.querySelector("#lanes [aria-selected=true]");
  const box = row?.getBoundingClientRect(), pane = document.getElementById("lanes").getBoundingClientRect();
  return {
    step: Number(document.documentElement.dataset.step),
    lines: lit.map((line) => Number(line.dataset.line)),
    current: lit.map((line) => line.getAttribute("aria-current")),
    file: file?.title,
    row: row?.id,
    seen: Boolean(box) && box.height > 0 && box.bottom > pane.top && box.top < pane.bottom,
  };
};
const seen = [];
press("Home");
let now = 0;
for (const step of wanted) {
  if (step !== now + 1 && step !== now) {
    const slider = document.getElementById("slider");
    slider.value = step;
    slider.dispatchEvent(new Event("input"));
    seen.push([step - 1, look()]);
  }
  if (step) press("ArrowDown");
  seen.push([step, look()]);
  now = step;
}
press("End");
const finding = document.getElementById("finding"), box = finding.getBoundingClientRect();
const pane = document.getElementById("lanes").getBoundingClientRect();
return {
  seen,
  last: Number(document.documentElement.dataset.step),
  finding: finding.textContent,
  shown: box.height > 0 && box.top < pane.bottom && box.bottom > pane.top,
};
"""


def missing() -> str:
    """Why there is no browser for tests; empty where there is one."""
    if shutil.which("chromium") is None or shutil.which("chromedriver") is None:
        return "Chromium with its driver is not installed"
    return ""


@contextmanager
def chromium(width: int = 1280, height: int = 800) -> Iterator[Chrome]:
    """A headless Chromium with a window of this size, in pixels. It does not use the network."""
    from selenium.webdriver import Chrome
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = shutil.which("chromium") or ""
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--hide-scrollbars",
        f"--window-size={width},{height}",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        resize(driver, width, height)
        yield driver
    finally:
        driver.quit()


def resize(driver: Chrome, width: int, height: int) -> None:
    """Give the page a window of this size, in pixels."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def prefer(driver: Chrome, scheme: str) -> None:
    """Have the reader prefer the colours of *scheme*, ``dark`` or ``light``."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def load(driver: Chrome, path: Path, fragment: str = "") -> None:
    """Load the page in the file *path* again, and wait until it is ready."""
    driver.get_log("browser")
    # A change of the fragment alone would not load it again.
    driver.get(f"{path.resolve().as_uri()}?{next(_NUMBERS)}{fragment}")
    assert driver.execute_script("return document.documentElement.dataset.ready") == "yes", console(driver)


def console(driver: Chrome) -> list[str]:
    """The messages on the page's console since the last call: errors, warnings and all others."""
    return [f"{entry['level']}: {entry['message']}" for entry in driver.get_log("browser")]


def check_page(driver: Chrome, path: Path, outcome: Outcome) -> None:
    """Check the page for *outcome* in the file *path*.

    It loads without a message on the console. Stepping reaches each step (some steps of a long execution); its row is
    visible, and the highlighted line is the step's. The last step shows the violation in words.
    """
    load(driver, path)
    shown = [part for part in outcome.all() if part.counterexample is not None]
    for number, part in enumerate(shown):
        assert part.counterexample is not None
        steps = part.counterexample.steps
        wanted = _sample(len(steps))
        walked = driver.execute_script(_WALK.replace("COUNT", str(len(shown))), number, wanted)
        assert isinstance(walked, dict), walked
        for step, seen in walked["seen"]:
            _check_step(step, seen, steps[step].origin.line, words.clean(steps[step].origin.file))
        assert walked["last"] == len(steps), "the last step is another one"
        assert walked["shown"], "the last step does not show what the execution comes to"
        assert words.clean(words.answer(part)) in walked["finding"], "the last step does not say what is violated"
    said = console(driver)
    assert not said, said


def _sample(count: int) -> list[int]:
    """Some of the steps, including the last, in order."""
    if count <= MOST:
        return list(range(count))
    return sorted({*range(0, count, -(-count // MOST)), *range(count - 3, count)})


def _check_step(step: int, seen: dict[str, Any], line: int, file: str) -> None:
    where = f"at step {step + 1}"
    assert seen["step"] == step + 1, where
    lit = (seen["file"], seen["lines"], seen["current"])
    assert lit == (file, [line], ["step"]), f"{where}: {lit} is lit"
    assert (seen["row"], seen["seen"]) == (f"row-{step + 1}", True), f"{where}: {seen['row']} is selected"
