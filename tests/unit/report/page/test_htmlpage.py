"""The page for browsers, in headless Chromium: by keys and by mouse, dark and light, wide and narrow."""

from pathlib import Path
from typing import Any

import pytest

from cseq.model import trace as tr
from cseq.model.claims import Claim, Kind
from cseq.model.verdict import Outcome, Property, Verdict, summed
from cseq.report.page import htmlreport
from tests.support.browser import check_page, console, load, prefer, resize
from tests.support.executions import ELEMENTS, MAIN, A, B, elements, nasty, origin, step, violation

PROGRAM = """\
#include <pthread.h>
int x;
pthread_mutex_t m;
void *left(void *unused) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
}
void *right(void *unused) { x = 5; }
int main(void) {
  create(); /* </script> */
  assert(x == 2);
}
"""


def lively() -> Outcome:
    """A violation with three threads, a lock, and values."""
    lock, unlock = tr.Action(tr.ActionKind.LOCK, "m", object=64), tr.Action(tr.ActionKind.UNLOCK, "m", object=64)
    x = [tr.Access("read", "x", "0", True, 8), tr.Access("write", "x", "1", True, 8)]
    return violation([
        step(MAIN, 11, tr.Action(tr.ActionKind.CREATE, thread=A), tr.Action(tr.ActionKind.CREATE, thread=B)),
        step(A, 5, lock),
        step(A, 6, accesses=x),
        step(B, 9, accesses=[tr.Access("write", "x", "5", True, 8)]),
        step(A, 7, unlock, tr.Action(tr.ActionKind.END)),
        step(MAIN, 12, accesses=[tr.Access("read", "x", "5", True, 8)]),
    ])  # fmt: skip


@pytest.fixture
def shown(browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """``shown(outcome, fragment)`` loads the page of an outcome whose program is `PROGRAM`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.c").write_text(PROGRAM)

    def show(outcome: Outcome, fragment: str = "") -> Path:
        path = tmp_path / "page.html"
        path.write_text(htmlreport.render(outcome, ["a.c"], ["cseq", "a.c"]), encoding="utf-8")
        load(browser, path, fragment)
        return path

    yield show
    resize(browser, 1280, 800)
    prefer(browser, "light")


def test_a_page_that_lights_another_line_is_found_out(browser: Any, shown: Any) -> None:
    path = shown(lively())
    text = path.read_text()
    for right, wrong, said in (
        ('[0,6,"left","line 6;"]', '[0,7,"left","line 6;"]', "at step 3"),
        ("at a.c:12 in main", "somewhere", "what is violated"),
        ('"use strict";', '"use strict"; console.warn("oh");', "oh"),
        ('j: "on"', 'j: "on", ArrowDown: "back"', "at step 2"),
    ):
        assert right in text
        path.write_text(text.replace(right, wrong))
        with pytest.raises(AssertionError, match=said):
            check_page(browser, path, lively())


def settles(browser: Any, script: str) -> bool:
    """Whether the value of *script* becomes true within some seconds."""
    wait = """const tell = arguments[0], end = performance.now() + 5000;
    const look = () => ((%s) || performance.now() > end ? tell(Boolean(%s)) : setTimeout(look, 10));
    look();"""
    return bool(browser.execute_async_script(wait % (script, script)))


def keys(browser: Any, *pressed: str) -> None:
    """Press keys as a user does."""
    from selenium.webdriver import ActionChains

    ActionChains(browser, duration=0).send_keys(*pressed).perform()


def now(browser: Any) -> int:
    """The number of the current step."""
    return int(browser.execute_script("return document.documentElement.dataset.step"))


def lit(browser: Any) -> list[int]:
    """The numbers of the lines that are lit."""
    script = "return [...document.querySelectorAll('.lit')].map((line) => Number(line.dataset.line))"
    return [int(line) for line in browser.execute_script(script)]


def click(browser: Any, selector: str) -> None:
    from selenium.webdriver.common.by import By

    browser.find_element(By.CSS_SELECTOR, selector).click()


def texts(browser: Any, selector: str) -> list[str]:
    """The visible text of the elements."""
    script = """return [...document.querySelectorAll(arguments[0])].map((one) => {
        const copy = one.cloneNode(true);
        copy.querySelectorAll("[hidden]").forEach((part) => part.remove());
        return copy.textContent;
    })"""
    return [str(text) for text in browser.execute_script(script, selector)]


def test_what_has_to_hold_of_every_page(browser: Any, shown: Any) -> None:
    check_page(browser, shown(lively()), lively())


def test_keys(browser: Any, shown: Any) -> None:
    from selenium.webdriver import Keys

    shown(lively())
    assert (now(browser), lit(browser)) == (1, [11])
    for key, then, line in (
        ("j", 2, 5), (Keys.ARROW_DOWN, 3, 6), (Keys.ARROW_RIGHT, 4, 9), ("k", 3, 6), (Keys.ARROW_UP, 2, 5), ("n", 4, 9),
        ("n", 5, 7), ("p", 4, 9), (Keys.END, 6, 12), ("j", 6, 12), (Keys.ARROW_LEFT, 5, 7), (Keys.HOME, 1, 11),
        ("p", 1, 11), (Keys.PAGE_DOWN, 6, 12), (Keys.PAGE_UP, 1, 11),
    ):  # fmt: skip
        keys(browser, key)
        assert (now(browser), lit(browser)) == (then, [line]), key
    keys(browser, "?")
    assert browser.execute_script("return document.getElementById('about').open")
    keys(browser, "j", Keys.ESCAPE)
    assert not browser.execute_script("return document.getElementById('about').open")
    assert now(browser) == 1
    assert console(browser) == []


def test_the_mouse(browser: Any, shown: Any) -> None:
    shown(lively())
    click(browser, "#row-3 .code")
    assert (now(browser), lit(browser)) == (3, [6])
    click(browser, "[data-go=on]")
    assert now(browser) == 4
    click(browser, "[data-go=switch-back]")
    assert now(browser) == 2
    click(browser, "[data-go=last]")
    assert now(browser) == 6
    click(browser, "#values button[data-step]")
    assert (now(browser), lit(browser)) == (4, [9])
    click(browser, ".line[data-line='6'] code")
    assert (now(browser), lit(browser)) == (3, [6])
    browser.execute_script(
        "const s = document.getElementById('slider'); s.value = 5; s.dispatchEvent(new Event('input'))"
    )
    assert (now(browser), lit(browser)) == (5, [7])


def test_arrows_in_words_lead_to_their_other_ends(browser: Any, shown: Any) -> None:
    lock, unlock = tr.Action(tr.ActionKind.LOCK, "m", object=64), tr.Action(tr.ActionKind.UNLOCK, "m", object=64)
    outcome = violation([
        step(MAIN, 11, tr.Action(tr.ActionKind.CREATE, thread=A), tr.Action(tr.ActionKind.CREATE, thread=B)),
        step(A, 5, lock, unlock),
        step(B, 9, lock),
    ])  # fmt: skip
    shown(outcome, "#step-3")
    assert texts(browser, "#now .ways span") == ["← created in step 1 main", "← got m from step 2 left (thread 1)"]
    click(browser, "#now .ways span:last-child button")
    assert now(browser) == 2
    assert texts(browser, "#now .ways span") == ["← created in step 1 main", "→ gives m to step 3 right (thread 2)"]


def test_an_initialisation_that_another_thread_has_done(browser: Any, shown: Any) -> None:
    begin, finish, skip = (tr.Action(tr.ActionKind(kind), "o", object=64) for kind in ("begin", "finish", "pass"))
    shown(violation([step(A, 5, begin), step(A, 6, finish), step(B, 9, skip)]), "#step-3")
    assert texts(browser, "#now .ways span") == ["← finds o done by step 2 left (thread 1)"]
    keys(browser, "k")
    assert texts(browser, "#now .ways span") == ["→ is done with o before step 3 right (thread 2)"]
    said = "left (thread 1) is done with the routine of o: step 2 → step 3"
    assert set(texts(browser, "#lanes .arrow.once title")) == {said}


def test_elements_that_follow_each_other_are_one_effect(browser: Any, shown: Any) -> None:
    shown(violation([step(MAIN, 11, accesses=elements())]))
    assert texts(browser, "#now .effects") == [" · ".join(ELEMENTS)]


def test_the_address_names_the_step(browser: Any, shown: Any) -> None:
    shown(lively(), "#step-4")
    assert (now(browser), lit(browser)) == (4, [9])
    keys(browser, "j")
    assert settles(browser, "location.hash === '#step-5'")
    browser.execute_script("location.hash = '#step-2'")
    assert settles(browser, "document.documentElement.dataset.step === '2'")
    shown(lively(), "#step-1000")
    assert now(browser) == 6


def test_values(browser: Any, shown: Any) -> None:
    shown(lively())

    def row() -> list[str]:
        return texts(browser, "#values .shared tbody tr:first-child > *")

    assert row() == ["x", "0", "initial"]  # what is read before it is written was there from the beginning
    keys(browser, "j", "j")
    assert row() == ["x", "1", "1step 3◆ now"]
    assert texts(browser, "#values tr.written th") == ["x"]
    keys(browser, "j")
    assert row() == ["x", "5", "2step 4◆ now"]
    keys(browser, "j")
    assert row() == ["x", "5", "2step 4"]
    assert texts(browser, "#values tr.written th") == []
    keys(browser, "j")
    assert row() == ["x", "5", "2step 4read now"]


def test_locks_that_are_held(browser: Any, shown: Any) -> None:
    shown(lively(), "#step-2")
    held = "#values .held tbody tr > *"
    assert texts(browser, held) == ["m", "1left (thread 1)", "step 2◆ now"]
    keys(browser, "j", "j")
    assert texts(browser, held) == ["m", "1left (thread 1)", "step 2"]
    keys(browser, "j")
    assert texts(browser, "#values caption") == ["shared between threads"]


def test_where_every_thread_is(browser: Any, shown: Any) -> None:
    shown(lively(), "#step-4")
    marks = """return [...document.querySelectorAll('.line .badge')].map(
        (badge) => [badge.textContent, badge.closest('.line').dataset.line])"""
    assert sorted(browser.execute_script(marks)) == [["0", "11"], ["1", "6"], ["2", "9"]]
    keys(browser, "j", "j")
    assert sorted(browser.execute_script(marks)) == [["0", "12"], ["2", "9"]]  # thread 1 has ended


def test_lines_arrows_and_bars(browser: Any, shown: Any) -> None:
    shown(lively())
    kinds = [".rail", ".bar", ".arrow.create:not(.tip, .near)", ".handover", ".node:not(.current)"]
    counted = "return arguments[0].map((kind) => document.querySelectorAll(`#lanes ${kind}`).length)"
    assert browser.execute_script(counted, kinds) == [3, 1, 2, 4, 6]
    assert texts(browser, "#lanes .bar title") == ["holds m since step 2"]
    assert texts(browser, ".head") == ["0main", "1left", "2right"]


def test_several_answers(browser: Any, shown: Any) -> None:
    stuck = [
        tr.Stuck(
            A, origin(5), tr.LockWait(tr.ObjectKind.MUTEX, "m", tr.Holder(B)), (B,), (tr.Hold("k", origin(4)),), True
        ),
        tr.Stuck(
            B, origin(9), tr.LockWait(tr.ObjectKind.MUTEX, "k", tr.Holder(A)), (A,), (tr.Hold("m", origin(3)),), True
        ),
        tr.Stuck(MAIN, origin(12), tr.ThreadWait(A), (A,)),
    ]
    stands = [step(thread, line, stands=True) for thread, line in ((A, 5), (B, 9), (MAIN, 12))]
    dead = violation([step(MAIN, 11, tr.Action(tr.ActionKind.CREATE, thread=A)), *stands], stuck=stuck)
    dead.property, dead.violated = ("no-deadlock", Property(Claim(Kind.DEADLOCK), account=tuple(stuck)))
    both = summed([lively(), Outcome(Verdict.TRUE, property="no-overflow"), dead])
    path = shown(both)
    assert texts(browser, "#answer option") == ["unreach-call", "no-deadlock"]
    assert len(texts(browser, ".answer")) == 3
    check_page(browser, path, both)
    load(browser, path, "#no-deadlock.step-2")
    assert (now(browser), lit(browser)) == (2, [5])
    assert texts(browser, "#finding tbody tr:first-child td") == [
        "1left (thread 1)", "line 5", "waits for m, held by right (thread 2)", "k since line 4",
    ]  # fmt: skip
    picture = "return document.querySelector('.waiting').getAttribute('aria-label')"
    assert browser.execute_script(picture).split("; ") == [
        "left (thread 1) waits for right (thread 2)",
        "right (thread 2) waits for left (thread 1)",
        "main waits for left (thread 1)",
    ]


def test_a_race_and_an_execution_that_goes_on_for_ever(browser: Any, shown: Any) -> None:
    sides = [
        tr.Racing(A, origin(6), tr.RaceKind.WRITE, "x", holds=(tr.Hold("m", origin(5)),)),
        tr.Racing(B, origin(9), tr.RaceKind.READ, "x", tr.Atomicity.ATOMIC),
    ]
    steps = [step(MAIN, 11), step(A, 6, stands=True), step(B, 9, stands=True)]
    race = violation(steps, racing=sides)
    check_page(browser, shown(race), race)
    assert texts(browser, "#finding tbody tr:last-child td") == [
        "2right (thread 2)",
        "line 9",
        "reads x atomically",
        "no lock",
    ]
    for cycle, said in ((1, "Steps 2 to 3 are repeated for ever."), (3, "From here on, nothing happens any more.")):
        endless = violation([step(MAIN, 11), step(A, 6), step(B, 9)], cycle=cycle)
        check_page(browser, shown(endless), endless)
        assert said in texts(browser, "#finding")[0]
    assert len(texts(browser, ".cycle.label")) == 0
    shown(violation([step(MAIN, 11), step(A, 6), step(B, 9)], cycle=1))
    assert texts(browser, ".cycle.label") == ["from here on, for ever ↻"]


def test_markup_of_the_users_does_nothing(browser: Any, shown: Any) -> None:
    check_page(browser, shown(nasty()), nasty())
    assert browser.title != "owned"
    assert browser.execute_script("return document.querySelectorAll('img').length") == 0


def test_several_files(browser: Any, shown: Any, tmp_path: Path) -> None:
    (tmp_path / "b.c").write_text("int y;\nint z;\n")
    outcome = violation([step(MAIN, 11), tr.Step(A, origin(2, "left", "b.c"), "int z;"), step(MAIN, 12)])
    check_page(browser, shown(outcome), outcome)
    keys(browser, "k")
    assert texts(browser, "#files [aria-selected=true]") == ["b.c"]
    click(browser, "#files [data-file='0']")
    assert lit(browser) == []
    assert texts(browser, "#source .number")[-1] == "13"


def long(count: int, threads: int = 3) -> Outcome:
    """A violation of so many steps."""
    known = [MAIN, *(tr.Thread(number, f"a_worker_with_quite_a_long_name_{number}") for number in range(1, threads))]
    steps = [
        step(
            known[i // 7 % threads],
            5 + i % 3,
            accesses=[tr.Access("write", f"x{i % 50}", str(i), True, 8 * (i % 50 + 1))],
        )
        for i in range(count)
    ]
    return violation(steps, known)


def test_a_long_execution_with_many_threads(browser: Any, shown: Any) -> None:
    outcome = long(3000, 40)
    check_page(browser, shown(outcome), outcome)
    assert len(texts(browser, ".step")) < 60
    scrolled = "const l = document.getElementById('lanes'); return [l.scrollWidth > l.clientWidth, l.scrollLeft > 0]"
    browser.execute_script("location.hash = '#step-2990'")
    assert settles(browser, "document.documentElement.dataset.step === '2990'")
    assert browser.execute_script(scrolled) == [True, True]


def colours(browser: Any, area: tuple[int, int, int, int] | None = None) -> tuple[int, float]:
    """How many colours a picture of the page has, and how light it is on the whole, from 0 to 255."""
    from io import BytesIO

    from PIL import Image, ImageStat

    picture = Image.open(BytesIO(browser.get_screenshot_as_png())).convert("RGB")
    part = picture.crop(area) if area else picture
    return len(part.getcolors(1 << 24) or ()), ImageStat.Stat(part.convert("L")).mean[0]


def test_something_is_drawn_dark_and_light(browser: Any, shown: Any) -> None:
    shown(lively())
    prefer(browser, "light")
    lanes = browser.execute_script(
        "const b = document.getElementById('lanes').getBoundingClientRect(); return [b.x, b.y, b.right, b.bottom]"
    )
    left, top, right, bottom = (int(edge) for edge in lanes)
    own = browser.execute_script(
        "return [0, 1, 2].map((t) => getComputedStyle(document.querySelector(`.rail.t${t}`)).stroke)"
    )
    assert len(set(own)) == 3
    for third in range(3):  # each of the lanes
        many, light = colours(
            browser, (left + (right - left) * third // 3, top, left + (right - left) * (third + 1) // 3, bottom)
        )
        assert many > 12
        assert light > 200
    prefer(browser, "dark")
    many, light = colours(browser)
    assert many > 50
    assert light < 80
    click(browser, "#theme")
    assert colours(browser)[1] > 200
    keys(browser, "t")
    assert colours(browser)[1] < 80
    browser.execute_script("localStorage.clear()")


def test_a_narrow_window(browser: Any, shown: Any) -> None:
    resize(browser, 420, 800)
    check_page(browser, shown(lively()), lively())
    wide = "return document.documentElement.scrollWidth <= window.innerWidth"
    assert browser.execute_script(wide)
    boxes = """return ['lanes', 'source', 'values'].map((id) => {
        const box = document.getElementById(id).getBoundingClientRect();
        return box.width > 300 && box.height > 60;
    })"""
    assert browser.execute_script(boxes) == [True, True, True]


def test_paper_gets_a_table_of_all_steps(browser: Any, shown: Any) -> None:
    import base64

    shown(lively())
    browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    assert len(texts(browser, "#print tbody tr")) == 6
    assert texts(browser, "#print tr:nth-child(3) td") == ["3", "left (thread 1)", "a.c:6", "line 6;reads x = 0x = 1"]
    browser.execute_script("window.dispatchEvent(new Event('afterprint'))")
    assert texts(browser, "#print tr") == []
    assert len(base64.b64decode(browser.print_page())) > 5000
    assert console(browser) == []
