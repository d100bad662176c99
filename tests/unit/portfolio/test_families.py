"""Which family of engines answers, and what is said of it, with a made-up search in the place of the real one."""

import json
import os
import struct
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import cseq
from cseq.api import Functions, run
from cseq.backends import cbmc
from cseq.cli.main import main
from cseq.model.activity import ActivityKind, phase
from cseq.model.claims import Cut, Limit
from cseq.model.errors import BackendError, InputError, MissingError, UsageError
from cseq.model.verdict import Attempt, Bound, Listing, Outcome, Reason, Verdict, summed
from cseq.pipeline.status import EngineDone, EngineReported, Event, LevelBegan, PhaseBegan, PropertyBegan, StageBegan
from cseq.portfolio import families
from cseq.portfolio.deciding import decided
from cseq.portfolio.families import COMPILED, DEDUCTIVE, EXPLICIT, SYMBOLIC, Families
from tests.support.processes import alive
from tests.support.shell import BUGGY

needs_cbmc = pytest.mark.skipif(cbmc.find() is None, reason="CBMC is not installed")

SAFE = BUGGY.replace("x == 2", "x <= 2")

CHAIN = """\
families explicit
planner symbolic/questions
stage merger
stage normalise
stage control_flow
stage thread_local_promotion
stage three_address
stage inliner
stage walker
stage searcher when backend=native
stage trailer when backend=spin
"""

WALKER = """\
from cseq.model.errors import UnsupportedError
from cseq.pipeline.translator import Translator

class Walker(Translator):
    def translate(self, tree):
        refused = {refused!r}
        if refused:
            raise UnsupportedError(refused) if refused != "bug" else AssertionError("a bug")
        return tree
"""

SEARCHER = """\
import os, subprocess, time
from pathlib import Path
from cseq.model.errors import BackendError
from cseq.model.activity import ActivityKind, phase
from cseq.model.claims import Claim, Kind
from cseq.pipeline.stage import Parameter, Wrapper
from cseq.pipeline.status import PhaseBegan
from cseq.model.verdict import Bound, Outcome, Property, Reason, Verdict

class {name}(Wrapper):
    takes = (
        Parameter("backend", str, "native", "the engine", ("--backend", "-b"), choices=lambda: ["native", "spin"]),
        Parameter("timeout", float, None, "time", ("--timeout",)),
        Parameter("memlimit", int, None, "memory", ("--memlimit",)),
        Parameter("{option}", str, "bfs", "a way to search", ("--{option}",), "WAY"),
    )

    def run(self, value):
        values = self.context.values
        Path({folder!r}, "asked").write_text(f"{{values['property']}} {{values['timeout']}} {{values['memlimit']}}")
        Path({folder!r}, "process").write_text(str(os.getpid()))
        outcome = self.searched()
        outcome.backend = values["backend"]
        return outcome

    def searched(self):
{search}
"""


@pytest.fixture
def explicit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """``explicit(search, refused)``: let that be the search of the explicit family, in statements of Python.

    refused: the words with which it does not take a program. Returns a folder for its notes.
    """

    def make(search: str = "return Outcome(Verdict.TRUE)", refused: str = "") -> Path:
        folder = tmp_path / "explicit"
        folder.mkdir(exist_ok=True)
        (folder / "explicit.chain").write_text(CHAIN)
        (folder / "walker.py").write_text(WALKER.format(refused=refused))
        body = "\n".join(f"        {line}" for line in dedent(search).splitlines())
        for stage, option in (("searcher", "search"), ("trailer", "formula")):
            text = SEARCHER.format(name=stage.title(), option=option, folder=str(folder), search=body)
            (folder / f"{stage}.py").write_text(text)
        monkeypatch.setitem(families._CHAINS, EXPLICIT, str(folder / "explicit.chain"))
        return folder

    monkeypatch.setattr(families, "DEFAULT", families.AUTO)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.c").write_text(BUGGY)
    (tmp_path / "safe.c").write_text(SAFE)
    return make


NOT_WITH = "cannot be combined with"
FOR_SYMBOLIC = "for cbmc and other verifiers"
FOR_EXPLICIT = "for native and spin"

NEVER = "time.sleep(100)"


# --- who is asked ---


@pytest.mark.parametrize(
    "given, family, backend",
    [
        ({"backend": "cbmc"}, SYMBOLIC, "cbmc"),
        ({"backend": "esbmc", "rounds": 2}, SYMBOLIC, "esbmc"),
        ({"backend": "native"}, EXPLICIT, "native"),
        ({"backend": "spin", "unwind": 2}, EXPLICIT, "spin"),
        ({"rounds": 2}, SYMBOLIC, "cbmc"),
        ({"unwind": 2}, SYMBOLIC, "cbmc"),
        ({"schedule": "+:+", "backend": "auto"}, SYMBOLIC, "cbmc"),
        ({"contexts": 3, "recursion": 2}, SYMBOLIC, "cbmc"),
        ({"auto": True}, SYMBOLIC, "cbmc"),
        ({"search": "dfs"}, EXPLICIT, "native"),
        ({"search": "dfs", "unwind": 3}, EXPLICIT, "native"),
        ({"formula": "G p"}, EXPLICIT, "spin"),
        ({"backend": "horn"}, DEDUCTIVE, "horn"),
        ({"backend": "horn", "recursion": 2, "timeout": 3}, DEDUCTIVE, "horn"),
    ],
)
def test_one_family_is_asked(given: dict[str, Any], family: str, backend: str, explicit: Callable[..., Path]) -> None:
    explicit()
    chains = Families()
    way, rivals = chains.ways(given)
    assert rivals == ()
    assert way.chain is chains.chains[family]
    assert way.values["backend"] == backend
    assert way.values.get("auto", False) == given.get("auto", False)


@pytest.mark.parametrize(
    "given", [{}, {"backend": "auto"}, {"rounds": None}, {"timeout": 3, "memlimit": 9, "recursion": 2}, {"race": True}]
)
def test_all_families_are_asked(given: dict[str, Any], explicit: Callable[..., Path]) -> None:
    explicit()
    way, rivals = Families().ways(given)
    modular = ["modular"] if "race" in given else []
    assert [each.values["backend"] for each in (way, *rivals)] == ["cbmc", "native", "horn", *modular, "graphs"]
    assert way.values["auto"] is True


@pytest.mark.parametrize("given", [{"memory_model": "sc"}, {"spec": "x.prp"}])
def test_execution_graphs_are_left_out_where_sequential_consistency_is_asked_for(
    given: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.prp").write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n", encoding="utf-8")
    way, rivals = Families().ways(given)
    assert [each.values["backend"] for each in (way, *rivals)] == ["cbmc", "native", "horn"]


def test_execution_graphs_are_asked_whatever_other_properties_there_are() -> None:
    _, rivals = Families().ways({"deadlock": True, "race": True})
    assert {"modular", "graphs"} < {each.values["backend"] for each in rivals}
    _, rivals = Families().ways({"memsafety": True, "race": True})
    assert rivals[-1].values["backend"] == "graphs" and rivals[-1].values["memory_model"] == "c11"


@pytest.mark.parametrize("given", [{"args": "a b"}, {"args_any": True}, {"env": ("HOME=/",)}])
def test_the_analysis_thread_by_thread_covers_whatever_comes_from_outside(given: dict[str, Any]) -> None:
    _, rivals = Families().ways({"race": True, **given})
    assert "modular" in {each.values["backend"] for each in rivals}
    way, _ = Families().ways({"backend": "modular", "race": True, **given})
    assert way.values["race"] and way.values.get("args") is None


def test_a_proof_without_bounds_does_without_the_bounds_of_searches() -> None:
    _, rivals = Families().ways({"threads": 2})
    assert [rival.values["backend"] for rival in rivals] == ["native", "horn", "graphs"]


@pytest.mark.parametrize(
    "shown, family",
    [("", SYMBOLIC), ("inliner", SYMBOLIC), ("unroller", SYMBOLIC), ("walker", EXPLICIT), ("deductive/run", DEDUCTIVE)],
)
def test_whose_programs_are_shown(shown: str, family: str, explicit: Callable[..., Path]) -> None:
    explicit()
    chains = Families()
    way, rivals = chains.ways({}, shown)
    assert rivals == () and way.chain is chains.chains[family]
    assert not way.values.get("auto")


@pytest.mark.parametrize(
    "given, message",
    [
        ({"backend": "native", "rounds": 2}, f"the backend `native` {NOT_WITH} --rounds, {FOR_SYMBOLIC}"),
        ({"backend": "native", "auto": True}, f"the backend `native` {NOT_WITH} --auto, {FOR_SYMBOLIC}"),
        ({"backend": "cbmc", "search": "dfs"}, f"the backend `cbmc` {NOT_WITH} --search, {FOR_EXPLICIT}"),
        ({"search": "dfs", "rounds": 2}, f"--search, {FOR_EXPLICIT}, {NOT_WITH} --rounds, {FOR_SYMBOLIC}"),
        ({"backend": "native", "formula": "G p"}, f"the backend `native` {NOT_WITH} --formula, for spin"),
        ({"search": "dfs", "formula": "G p"}, f"--search, for native, {NOT_WITH} --formula, for spin"),
        ({"backend": "horn", "rounds": 2}, f"the backend `horn` {NOT_WITH} --rounds, {FOR_SYMBOLIC}"),
        ({"backend": "horn", "threads": 2}, f"the backend `horn` {NOT_WITH} --threads, {FOR_SYMBOLIC}"),
        ({"speed": 2}, "this chain takes no parameter `speed`"),
    ],
)  # fmt: skip
def test_what_does_not_go_together(given: dict[str, Any], message: str, explicit: Callable[..., Path]) -> None:
    explicit()
    with pytest.raises(UsageError) as caught:
        Families().ways(given)
    assert caught.value.message == message


WORD = 8 * struct.calcsize("P")


@pytest.mark.parametrize(
    "given", [{}, {"backend": "auto"}, {"backend": "compiled", "bits": WORD}, {"bits": WORD}, {"seed": 3, "race": True}]
)
def test_only_one_engine_takes_cxx(given: dict[str, Any]) -> None:
    chains = Families()
    way, rivals = chains.ways(given, files=["a.c", Path("b.cxx")])
    assert rivals == () and way.chain is chains.chains[COMPILED]
    assert way.values["backend"] == "compiled" and way.values["built"] is False


@pytest.mark.parametrize("given", [{"weak": True}, {"strategy": ("pct",)}, {"runs": 3}, {"save": "run"}])
def test_what_only_compiled_programs_have_chooses_them(given: dict[str, Any]) -> None:
    chains = Families()
    way, _ = chains.ways(given, files=["a.c"])
    assert way.chain is chains.chains[COMPILED]


@pytest.mark.parametrize(
    "given, message",
    [
        ({"backend": "cbmc"}, "a.cpp: the backend `cbmc` does not read C++, only `compiled` does"),
        ({"rounds": 2}, f"a.cpp, which is C++, {NOT_WITH} --rounds, {FOR_SYMBOLIC}"),
        ({"search": "dfs"}, f"a.cpp, which is C++, {NOT_WITH} --search, for native and spin"),
        (
            {"bits": 96 - WORD},
            f"a.cpp, which is C++, is run as it is compiled, for {WORD} bits; --{96 - WORD} is for programs in C",
        ),
        ({"no_race": True, "race": True}, "--no-race and --race cannot be combined"),
    ],
)
def test_what_does_not_go_together_with_cxx(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        Families().ways(given, files=["a.cpp"])
    assert caught.value.message == message


# --- who answers ---


@pytest.mark.engine
@pytest.mark.engine_fails
@needs_cbmc
@pytest.mark.parametrize(
    "file, search, verdict, backend",
    [
        ("a.c", NEVER, Verdict.FALSE, "cbmc"),
        ("safe.c", NEVER, Verdict.TRUE, "cbmc"),
        ("safe.c", "return Outcome(Verdict.TRUE)", Verdict.TRUE, "native"),
        ("a.c", "return Outcome(Verdict.FALSE, violated=Property(Claim(Kind.ASSERTION)))", Verdict.FALSE, "native"),
        ("safe.c", "return Outcome(Verdict.FALSE, unreplayed='it cannot be')", Verdict.TRUE, "cbmc"),
        ("safe.c", "return Outcome(Verdict.UNKNOWN, Reason.MEMORY)", Verdict.TRUE, "cbmc"),
        ("safe.c", "raise BackendError('no compiler')", Verdict.TRUE, "cbmc"),
        ("a.c", "os._exit(3)", Verdict.FALSE, "cbmc"),
    ],
)
def test_the_first_sound_answer(
    file: str, search: str, verdict: Verdict, backend: str, explicit: Callable[..., Path], tmp_path: Path
) -> None:
    folder = explicit(search)
    begun = time.monotonic()
    outcome = cseq.verify(file)
    assert (outcome.verdict, outcome.backend) == (verdict, backend)
    assert outcome.chosen
    assert not alive(int((folder / "process").read_text()))
    assert time.monotonic() - begun < 60
    assert (outcome.counterexample is not None) == (verdict is Verdict.FALSE and backend == "cbmc")


@pytest.mark.engine
@needs_cbmc
def test_the_loser_is_stopped_with_its_engine(explicit: Callable[..., Path]) -> None:
    search = "subprocess.run(['/bin/sh', '-c', f'echo $$ > {folder}/engine; sleep 100'], start_new_session=True)"
    folder = explicit()
    explicit(search.format(folder=folder))
    assert cseq.verify("a.c").backend == "cbmc"
    for name in ("process", "engine"):
        assert not alive(int((folder / name).read_text())), name


@pytest.mark.engine
@needs_cbmc
def test_no_answer_tells_what_both_explored(
    explicit: Callable[..., Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    explicit("return Outcome(Verdict.UNKNOWN, Reason.MEMORY, 'out of memory after 12 states')")
    bounds = [Bound.of(Cut(Limit.ROUNDS, 2))]
    monkeypatch.setattr(
        "cseq.modules.symbolic.questions.deepen",
        lambda *_: [Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=bounds, backend="cbmc", property="unreach-call")],
    )
    assert main(["a.c"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "UNKNOWN: no violation within 2 rounds",
        "(what helps: --rounds 3)",
        "(native: out of memory after 12 states; what helps: --bitstate, a larger --memlimit)",
        "(by cbmc)",
    ]


@pytest.mark.engine
@pytest.mark.engine_fails
def test_what_each_engine_reports(explicit: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    # The symbolic engine fails, and the explicit one says something more when that has been heard.
    notes = explicit("""
        self.context.report(PhaseBegan(phase(ActivityKind.SEARCHING, "native")))
        while not Path("over").exists():
            time.sleep(0.01)
        self.context.report(PhaseBegan(phase(ActivityKind.REPLAYING, "native")))
        return Outcome(Verdict.UNKNOWN, Reason.MEMORY, "out of memory")
        """)
    engine = notes / "cbmc"
    engine.write_text('#!/bin/sh\nif [ "$1" = --version ]; then echo "6.6.0 (cbmc-6.6.0)"; exit; fi\nexit 7\n')
    engine.chmod(0o755)
    monkeypatch.setenv("CSEQ_CBMC", str(engine))
    heard: list[Event] = []

    def watch(event: Event) -> None:
        heard.append(event)
        if isinstance(event, EngineDone):
            Path("over").touch()

    way, rivals = Families().ways({})
    run(way, ["a.c"], rivals=rivals, observer=Functions(changed=watch))
    assert heard[0] == PropertyBegan("unreach-call", 1, 1)
    assert EngineReported("native", StageBegan("searcher")) in heard
    assert EngineReported("cbmc", LevelBegan({"rounds": 2, "unwind": 1})) in heard
    over = next(event for event in heard if isinstance(event, EngineDone))
    assert over.engine == "cbmc"
    assert over.result.startswith("the backend `cbmc` failed: ")
    searching, more = (
        EngineReported("native", PhaseBegan(phase(doing, "native")))
        for doing in (ActivityKind.SEARCHING, ActivityKind.REPLAYING)
    )
    assert heard.index(searching) < heard.index(over) < heard.index(more)


@pytest.mark.engine
@needs_cbmc
def test_what_is_refused_goes_to_the_other_family_with_all_that_there_is(explicit: Callable[..., Path]) -> None:
    folder = explicit(refused="the input is too large")
    outcome = cseq.verify("a.c", timeout=60, memlimit=4000)
    assert (outcome.verdict, outcome.backend) == (Verdict.FALSE, "cbmc")
    assert outcome.attempts == [Attempt("native", "the input is too large")]
    assert not (folder / "asked").exists()


@pytest.mark.engine
@needs_cbmc
@pytest.mark.engine_fails
def test_a_bug_in_one_family_is_told_and_the_other_answers(explicit: Callable[..., Path]) -> None:
    explicit(refused="bug")
    outcome = cseq.verify("a.c")
    assert (outcome.verdict, outcome.backend) == (Verdict.FALSE, "cbmc")
    assert [str(warning) for warning in outcome.warnings] == [
        "native: internal error in the stage `walker`: AssertionError: a bug; please report it"
    ]
    explicit("return 1 / 0")
    outcome = cseq.verify("a.c")
    assert (outcome.verdict, outcome.backend) == (Verdict.FALSE, "cbmc")
    assert "ZeroDivisionError" in str(outcome.warnings[0])


@pytest.mark.engine
def test_without_cbmc_the_search_is_alone(explicit: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CSEQ_CBMC", "/nowhere/cbmc")
    explicit()
    outcome = cseq.verify("safe.c")
    assert (outcome.verdict, outcome.backend, outcome.chosen) == (Verdict.TRUE, "native", True)
    explicit(refused="the input is too large")
    with pytest.raises(BackendError) as caught:
        cseq.verify("safe.c")
    assert str(caught.value) == ("the input is too large; the backend `cbmc`, which may support it, is not installed")
    Path("wrong.c").write_text("int main(void)\n{\n  int x\n  return 0;\n}\n")
    with pytest.raises(InputError, match=r"^wrong\.c:4: "):
        cseq.verify("wrong.c")


@pytest.mark.engine
@needs_cbmc
def test_limits_are_for_everything_together(explicit: Callable[..., Path]) -> None:
    folder = explicit()
    assert cseq.verify("safe.c", timeout=60, memlimit=4000, race=True).verdict is Verdict.TRUE
    name, seconds, memory = (folder / "asked").read_text().split()
    assert (name, memory) in (("unreach-call", "800"), ("no-data-race", "800"), ("no-data-race", "2000"))
    assert 20 < float(seconds) < 60
    assert cseq.verify("safe.c").verdict is Verdict.TRUE
    memory = (folder / "asked").read_text().split()[-1]
    assert 0 < int(memory) < os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**20


@pytest.mark.engine
@needs_cbmc
def test_each_property_has_its_own_engine(explicit: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> None:
    explicit(
        "return Outcome(Verdict.TRUE) if self.context.values['property'] == 'no-deadlock' "
        "else Outcome(Verdict.UNKNOWN, Reason.MEMORY)"
    )
    assert main(["a.c", "--deadlock"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "unreach-call: FALSE: assertion `x == 2` is violated at a.c:11 in main",
        "no-deadlock: TRUE: no violation in any execution",
        "(--cex shows how)",
        "(unreach-call by cbmc, no-deadlock by native)",
    ]


@pytest.mark.engine
@needs_cbmc
def test_json_says_who_answered(explicit: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> None:
    explicit("return Outcome(Verdict.UNKNOWN, Reason.MEMORY)")
    assert main(["a.c", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["backend"] == report["properties"][0]["backend"] == "cbmc"
    assert report["parameters"]["backend"] == "auto"
    assert report["attempts"] == [
        {
            "property": "unreach-call",
            "backend": "native",
            "message": "out of memory; what helps: --bitstate, a larger --memlimit",
        }
    ]


@pytest.mark.parametrize("first", ["cbmc", "native"])
@pytest.mark.parametrize("violated_by", ["cbmc", "native"])
def test_answers_that_contradict_each_other_are_not_hidden(first: str, violated_by: str) -> None:
    engines = sorted(("cbmc", "native"), key=lambda engine: engine != first)
    results = {
        engine: Outcome(Verdict.FALSE if engine == violated_by else Verdict.TRUE, backend=engine) for engine in engines
    }
    answer = decided(results, "cbmc")
    assert answer is results[violated_by]
    other = "native" if violated_by == "cbmc" else "cbmc"
    assert [str(warning) for warning in answer.warnings] == [
        f"{other} says TRUE, and {violated_by} FALSE: one of them is wrong; please report it"
    ]


@pytest.mark.parametrize(
    "failure, words",
    [
        (BackendError("the explorer does not compile"), "native: the explorer does not compile; please report it"),
        (ValueError("no"), "native: internal error: ValueError: no; please report it"),
        (Outcome(Verdict.UNKNOWN, Reason.BACKEND, "no verdict"), "native: no verdict; please report it"),
        (InputError("refused"), ""),
        (MissingError("the backend `native` is not installed"), ""),
        (Outcome(Verdict.UNKNOWN, Reason.TIMEOUT), ""),
        (Outcome(Verdict.UNKNOWN, Reason.MEMORY), ""),
    ],
)
def test_an_engine_that_fails_is_named_although_another_has_the_answer(
    failure: Outcome | Exception, words: str
) -> None:
    answer = decided({"native": failure, "cbmc": Outcome(Verdict.TRUE, backend="cbmc")}, "cbmc")
    assert (answer.verdict, [str(warning) for warning in answer.warnings]) == (Verdict.TRUE, [words] if words else [])


def test_an_engine_without_an_answer_says_what_stopped_it_and_what_helps() -> None:
    cut = Cut(Limit.HEAP, 128)
    search = Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=[Bound.of(cut)], backend="native")
    answer = decided({"native": search, "cbmc": Outcome(Verdict.UNKNOWN, Reason.BOUNDED, backend="cbmc")}, "cbmc")
    assert answer.attempts == [
        Attempt(
            "native",
            "no violation within the bounds; more than 128 bytes are allocated by a thread (--heap); "
            "what helps: --heap 1024",
        )
    ]


def test_what_was_explored_is_told() -> None:
    search = Outcome(Verdict.UNKNOWN, Reason.TIMEOUT, statistics={"states": 12}, backend="native")
    answer = decided({"native": search, "cbmc": Outcome(Verdict.UNKNOWN, Reason.BOUNDED, backend="cbmc")}, "cbmc")
    assert answer.attempts == [
        Attempt("native", "out of time; 12 states were explored; what helps: a larger --timeout")
    ]


def test_no_outcome_at_all() -> None:
    with pytest.raises(BackendError, match=r"^crashed$"):
        decided({"native": InputError("refused"), "cbmc": BackendError("crashed")}, "cbmc")
    with pytest.raises(InputError, match=r"^refused$"):
        decided({"native": InputError("refused")}, "cbmc")


@pytest.mark.engine
@pytest.mark.engine_fails
@pytest.mark.parametrize("search, memory", [("raise BackendError('no compiler')", 4000), (NEVER, 2000)])
def test_who_begins_when_the_other_is_done_has_all_of_the_memory(
    search: str, memory: int, explicit: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    engine = tmp_path / "cbmc"
    answer = """echo '[{"cProverStatus": "success"}]'"""
    version = 'if [ "$1" = --version ]; then echo "6.6.0 (cbmc-6.6.0)"; exit; fi'
    engine.write_text(f"#!/bin/sh\n{version}\nulimit -v > {tmp_path}/limit\n{answer}\n")
    engine.chmod(0o755)
    monkeypatch.setenv("CSEQ_CBMC", str(engine))
    explicit(search)
    assert cseq.verify("safe.c", memlimit=4000).backend == "cbmc"
    assert int((tmp_path / "limit").read_text()) == 1024 * memory


def test_the_longer_list_of_data_races_is_the_answer():
    """An engine that was stopped after its first race knows less than the one that looked for all."""
    early = Outcome(Verdict.FALSE, backend="cbmc")
    full = Outcome(Verdict.FALSE, backend="native", listing=Listing.ALL)
    assert decided({"cbmc": early, "native": full}, "cbmc") is full
    assert decided({"cbmc": early, "native": Outcome(Verdict.FALSE, backend="native")}, "cbmc") is early


WEAK = Outcome(Verdict.TRUE, backend="graphs", memory_model="c11")
"""A proof for the memory orders of the program."""


def test_a_proof_for_weak_memory_orders_is_one_for_sequential_consistency() -> None:
    answer = decided({"native": Outcome(Verdict.TRUE, backend="native"), "graphs": replace(WEAK)}, "cbmc")
    assert (answer.backend, answer.attempts, answer.warnings) == ("graphs", [], [])


def test_a_violation_under_weak_memory_orders_does_not_contradict_a_proof_for_sequential_consistency() -> None:
    violated = replace(WEAK, verdict=Verdict.FALSE)
    answer = decided({"native": Outcome(Verdict.TRUE, backend="native"), "graphs": violated}, "cbmc")
    assert answer is violated and answer.warnings == []
    assert answer.attempts == [Attempt("native", "no violation in any execution")]


def test_a_violation_under_sequential_consistency_contradicts_a_proof_for_weak_memory_orders() -> None:
    violated = Outcome(Verdict.FALSE, backend="native")
    answer = decided({"graphs": replace(WEAK), "native": violated}, "cbmc")
    assert answer is violated
    assert [str(warning) for warning in answer.warnings] == [
        "graphs says TRUE, and native FALSE: one of them is wrong; please report it"
    ]


def test_answers_for_several_memory_models_are_summed_up_as_the_weakest_of_them() -> None:
    parts = [replace(WEAK, property="unreach-call"), Outcome(Verdict.TRUE, property="no-deadlock")]
    assert summed(parts).memory_model == "sc"
    assert summed([replace(WEAK, property="unreach-call"), replace(WEAK, property="no-deadlock")]).memory_model == "c11"
