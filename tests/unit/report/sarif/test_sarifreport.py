"""The report for dashboards: SARIF 2.1.0, on outcomes made by hand and on some runs."""

import hashlib
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cseq import verify
from cseq.backends.cbmc import BACKEND
from cseq.model import trace as tr
from cseq.model.claims import RACE, Claim, Cut, Kind, Limit, Memory, MemoryState
from cseq.model.claims import Reason as Wrong
from cseq.model.origin import CallSite, Origin
from cseq.model.verdict import Attempt, Bound, Caution, Outcome, Property, Reason, Verdict, summed
from cseq.report.sarif import sarifflow, sarifreport
from cseq.report.sarif.sarifreport import FINGERPRINT
from cseq.version import __version__
from tests.conftest import said
from tests.support.checkout import ROOT
from tests.support.sarif_check import check_sarif

MAIN, ONE, TWO = tr.Thread(0, "main"), tr.Thread(1, "add"), tr.Thread(2, "add")
TEXT = """\
int x;

void *add(void *arg)
{
\tx++;
    return 0;
}

int main(void)
{
    assert(x == 2);
}
"""
SHARED = {"shared": True, "address": 0x1000}
CREATE = tr.Step(
    MAIN, Origin("a.c", 9, function="main"), "int main(void)", [], [tr.Action(tr.ActionKind.CREATE, thread=ONE)]
)
WRITE = tr.Step(
    ONE,
    Origin("a.c", 5, 5, "bump", (CallSite("add", "a.c", 3),), (2, 1)),
    "x++;",
    [tr.Access("read", "x", "0", **SHARED), tr.Access("write", "x", "1", **SHARED)],  # type: ignore[arg-type]
    [tr.Action(tr.ActionKind.LOCK, "m")],
)
CLAIM = tr.Step(
    MAIN,
    Origin("a.c", 11, function="main"),
    "assert(x == 2);",
    [tr.Access("read", "*p", "1", **SHARED)],  # type: ignore[arg-type]
)
VIOLATED = Property(Claim(Kind.ASSERTION, subject="x == 2"), CLAIM.origin)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program, in which the tests run."""
    (tmp_path / "a.c").write_text(TEXT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def violation(*steps: tr.Step, violated: Property = VIOLATED, **more: Any) -> Outcome:
    threads = sorted({step.thread for step in steps}, key=lambda thread: thread.number)
    shown = tr.Counterexample(list(steps), threads, **more)
    return Outcome(Verdict.FALSE, violated=violated, counterexample=shown, property="unreach-call", backend="cbmc")


def log(outcome: Outcome, inputs: tuple[str, ...] = ("a.c",), command: tuple[str, ...] = ()) -> dict[str, Any]:
    return check_sarif(sarifreport.render(outcome, inputs, command), outcome)


def result(outcome: Outcome) -> dict[str, Any]:
    (found,) = log(outcome)["results"]
    assert isinstance(found, dict)
    return found


def notes(run: dict[str, Any]) -> list[tuple[str, str]]:
    told = run["invocations"][0]["toolExecutionNotifications"]
    assert all(
        run["tool"]["driver"]["notifications"][n["descriptor"]["index"]]["id"] == n["descriptor"]["id"] for n in told
    )
    return [(note["level"], note["message"]["text"]) for note in told]


def test_violation() -> None:
    found = result(violation(CREATE, WRITE, CLAIM))
    artifact = {"uri": "a.c", "uriBaseId": "%SRCROOT%", "index": 0}
    line = {"startLine": 11, "startColumn": 5, "endColumn": 20, "snippet": {"text": "assert(x == 2);"}}
    function = {"name": "main", "fullyQualifiedName": "main", "kind": "function"}
    around = {"startLine": 8, "endLine": 13, "snippet": {"text": "\n" + "\n".join(TEXT.split("\n")[8:])}}
    place = {"artifactLocation": artifact, "region": line}
    assert found.pop("locations") == [
        {"physicalLocation": {**place, "contextRegion": around}, "logicalLocations": [function]}
    ]
    assert found.pop("message") == {
        "text": "assertion `x == 2` is violated. Before that: [add (thread 1) sets x = 1](1)."
    }
    (related,) = found.pop("relatedLocations")
    assert (related["id"], related["message"]["text"]) == (1, "add (thread 1) sets x = 1.")
    main, add = found.pop("codeFlows")[0]["threadFlows"]
    assert (main["id"], main["message"]["text"]) == ("0", "main")
    assert [location["executionOrder"] for location in main["locations"]] == [1, 3]
    first, last = main["locations"]
    assert (first["kinds"], first["importance"]) == (["call", "thread"], "important")
    assert (last["kinds"], last["importance"], last["state"]) == (["danger"], "essential", {"*p": {"text": "1"}})
    assert add["locations"] == [
        {
            "location": {
                "physicalLocation": related["physicalLocation"],
                "logicalLocations": [{"name": "bump", "fullyQualifiedName": "bump", "kind": "function"}],
                "message": {"text": "add (thread 1): locks m; reads x = 0; x = 1."},
            },
            "executionOrder": 2,
            "nestingLevel": 1,
            "importance": "essential",
            "kinds": ["enter", "function", "acquire", "lock"],
            "state": {"x": {"text": "1"}},
            "properties": {"iteration": [2, 1]},
        }
    ]
    assert related["physicalLocation"]["region"] == {
        "startLine": 5,
        "startColumn": 2,
        "endColumn": 6,
        "snippet": {"text": "x++;"},
    }
    (stack,) = found.pop("stacks")
    assert stack == {
        "message": {"text": "main."},
        "frames": [{"location": {"physicalLocation": place, "logicalLocations": [function]}, "threadId": 0}],
    }
    assert len(found.pop("partialFingerprints")[FINGERPRINT]) == 64
    assert found == {
        "ruleId": "assertion-violation",
        "ruleIndex": 0,
        "kind": "fail",
        "level": "error",
        "properties": {
            "property": "unreach-call",
            "part": None,
            "replayed": True,
            "spurious": None,
            "backend": "cbmc",
            "bounds": [],
            "threads": ["main", "add (thread 1)"],
            "steps": 3,
            "cycle": None,
        },
    }


def test_the_run(here: Path) -> None:
    run = log(violation(CLAIM), command=("cseq", "--sarif", "a b.c"))
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["semanticVersion"]) == ("CSeq", __version__)
    assert "informationUri" not in driver
    (invocation,) = run["invocations"]
    assert invocation == {
        "commandLine": "cseq --sarif 'a b.c'",
        "arguments": ["--sarif", "a b.c"],
        "workingDirectory": {"uri": f"{here.as_uri()}/"},
        "executionSuccessful": True,
        "exitCode": 1,
        "exitCodeDescription": "a violation was found",
        "toolExecutionNotifications": [],
    }
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["artifacts"] == [
        {
            "location": {"uri": "a.c", "uriBaseId": "%SRCROOT%"},
            "sourceLanguage": "c",
            "roles": ["analysisTarget"],
            "length": len(TEXT),
            "hashes": {"sha-256": hashlib.sha256(TEXT.encode()).hexdigest()},
        }
    ]
    assert run["properties"]["answers"][0]["verdict"] == "FALSE"
    assert "kept" not in run["properties"]
    assert log(replace(violation(CLAIM), kept="/tmp/kept"))["properties"]["kept"] == "/tmp/kept"


def test_a_rule() -> None:
    rules = log(violation(CLAIM))["tool"]["driver"]["rules"]
    (race,) = [rule for rule in rules if rule["id"] == "data-race"]
    assert race["properties"] == {
        "tags": ["security", "concurrency", "reliability", "external/cwe/cwe-366", "external/cwe/cwe-362"],
        "precision": "very-high",
        "problem.severity": "error",
        "security-severity": "7.5",
    }
    assert [(relation["target"]["id"], relation["kinds"]) for relation in race["relationships"]] == [
        ("366", ["superset"]),
        ("362", ["superset"]),
    ]


def test_a_proof_has_no_results() -> None:
    run = log(Outcome(Verdict.TRUE))
    assert run["results"] == []
    assert run["properties"]["verdict"] == "TRUE"


def test_what_was_not_seen_is_notified() -> None:
    bounds = [
        Bound("rounds", 2, said("2 rounds")),
        Bound("unwinding", 3, Cut(Limit.LOOP, 3), Origin("a.c", 5, function="add"), certain=True),
    ]
    run = log(Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=bounds, attempts=[Attempt("native", "out of memory")]))
    assert run["results"] == []
    assert notes(run) == [
        ("note", "no violation within 2 rounds and unwinding 3."),
        ("note", "native: out of memory."),
        ("note", "2 rounds."),
        ("note", "the loop may run more than 3 times; nothing beyond it was explored."),
    ]
    loop = run["invocations"][0]["toolExecutionNotifications"][-1]["locations"][0]
    assert loop["physicalLocation"]["region"]["startLine"] == 5


@pytest.mark.parametrize("reason", [Reason.TIMEOUT, Reason.MEMORY, Reason.BACKEND, Reason.REPLAY])
def test_no_verdict_is_no_success(reason: Reason) -> None:
    run = log(Outcome(Verdict.UNKNOWN, reason))
    assert notes(run) == [("error", f"{reason.value}.")]
    assert run["invocations"][0]["executionSuccessful"] is False


def test_a_bound_that_is_too_small_is_a_warning() -> None:
    assert notes(log(Outcome(Verdict.UNKNOWN, Reason.UNWINDING, "a bound is too small"))) == [
        ("warning", "a bound is too small.")
    ]


def test_warnings() -> None:
    caution = Caution("memory_order_relaxed is treated as sequentially consistent", Origin("a.c", 5))
    run = log(Outcome(Verdict.TRUE, warnings=[caution, Caution("the violation\nis not replayed")]))
    assert notes(run) == [
        ("warning", "memory_order_relaxed is treated as sequentially consistent."),
        ("warning", "the violation\\nis not replayed."),
    ]


def test_several_properties() -> None:
    proof = Outcome(Verdict.TRUE, property="no-deadlock")
    one = violation(CREATE, CLAIM)
    other = replace(
        one, violated=Property(Claim(Kind.OVERFLOW, Wrong.DIVISION, "1 / x"), CLAIM.origin), property="no-overflow"
    )
    cut = Outcome(
        Verdict.UNKNOWN, Reason.BOUNDED, bounds=[Bound("rounds", 1, said("1 round"))], property="no-data-race"
    )
    run = log(summed([one, proof, cut, other]))
    assert [found["ruleId"] for found in run["results"]] == ["assertion-violation", "division-by-zero"]
    assert notes(run)[0] == ("note", "no-data-race: no violation within 1 round.")


def test_threads_of_a_deadlock() -> None:
    at = [replace(CREATE), replace(WRITE)]
    mine, other = tr.Hold("m0", WRITE.origin), tr.Hold("m[1]", CREATE.origin, True)
    waits = [
        tr.LockWait(tr.ObjectKind.MUTEX, "m[1]", tr.Holder(MAIN, CREATE.origin)),
        tr.LockWait(tr.ObjectKind.MUTEX, "m0", tr.Holder(ONE, WRITE.origin)),
    ]
    stuck = [
        tr.Stuck(ONE, Origin("a.c", 6, function="add"), waits[0], (MAIN,), (mine,), True, mine),
        tr.Stuck(MAIN, CLAIM.origin, waits[1], (ONE,), (other,), True, other),
    ]
    sources = ("return 0;", CLAIM.source)
    stand = [tr.Step(s.thread, s.origin, text, stands=True, why=s) for s, text in zip(stuck, sources, strict=True)]
    deadlock = Property(Claim(Kind.DEADLOCK), stand[0].origin, account=tuple(stuck))
    found = result(violation(*at, *stand, violated=deadlock, stuck=stuck))
    assert found["message"]["text"] == (
        "deadlock: add (thread 1) holds `m0` since [a.c:5](3) and waits for `m[1]` at [a.c:6](1); "
        "main holds `m[1]` since [a.c:9](4) and waits for `m0` at [a.c:11](2)."
    )
    assert [place["message"]["text"] for place in found["relatedLocations"]] == [
        "add (thread 1) waits for m[1], held by main since a.c:9.",
        "main waits for m0, held by add (thread 1) since a.c:5.",
        "add (thread 1) locks m0.",
        "main locks m[1] for reading.",
    ]
    assert [stack["frames"][0]["threadId"] for stack in found["stacks"]] == [1, 0]
    assert "add (thread 1): waits for m[1], held by main since a.c:9." in [
        s["message"]["text"] for s in found["stacks"]
    ]


def test_sides_of_a_race() -> None:
    sides = tr.Racing(ONE, WRITE.origin, tr.RaceKind.WRITE, "x"), tr.Racing(TWO, WRITE.origin, tr.RaceKind.WRITE, "x")
    stand = [tr.Step(side.thread, side.origin, "x++;", stands=True, why=side) for side in sides]
    race = Property(RACE, WRITE.origin, account=tr.Race(sides, "x"))
    found = result(violation(CREATE, *stand, violated=race, racing=list(sides)))
    assert (found["ruleId"], len(found["stacks"]), len(found["relatedLocations"])) == ("data-race", 2, 2)
    assert found["message"]["text"] == (
        "data race on `x`: add (thread 1) and add (thread 2) both write it at [a.c:5](1). "
        "At the same time: [add (thread 2) is about to write x; holds no lock](2)."
    )
    assert [len(stack["frames"]) for stack in found["stacks"]] == [2, 2]


def test_places_in_the_text_are_links() -> None:
    freed = tr.Step(ONE, Origin("a.c", 1, function="add"), "int x;", [], [tr.Action(tr.ActionKind.FREE, "p")])
    other = tr.Step(ONE, Origin("a.c", 11, function="main"), "assert(x == 2);")
    claim = Claim(Kind.MEMSAFETY, Wrong.READ, "f[i](1)", memory=Memory(MemoryState.FREED, freed.origin))
    violated = Property(claim, CLAIM.origin, "valid-deref")
    found = result(violation(freed, other, CLAIM, violated=violated))
    assert found["message"]["text"] == "invalid read of `f[i] (1)` (the memory has been freed at [a.c:1](1))."
    assert found["ruleId"] == "use-after-free"
    assert found["codeFlows"][0]["threadFlows"][1]["locations"][0]["kinds"] == [
        "enter",
        "function",
        "release",
        "memory",
    ]


def test_what_is_repeated_for_ever() -> None:
    outcome = violation(CREATE, WRITE, violated=Property(Claim(Kind.TERMINATION)), cycle=1)
    found = result(outcome)
    assert found["codeFlows"][0]["message"]["text"].endswith(" The steps from number 2 on are repeated for ever.")
    assert found["locations"][0]["physicalLocation"]["region"]["startLine"] == 5
    assert outcome.counterexample is not None
    outcome.counterexample.cycle = 2
    said = result(outcome)["codeFlows"][0]["message"]["text"]
    assert said.endswith(" After the last step, nothing more happens.")


def test_a_violation_that_is_not_replayed() -> None:
    outcome = Outcome(
        Verdict.FALSE, violated=Property(Claim(Kind.REACHABILITY), CLAIM.origin), unreplayed="it reports no inputs"
    )
    found = result(outcome)
    assert found["message"]["text"] == "reachability. The violation is not replayed: it reports no inputs."
    assert found["properties"]["replayed"] is False
    assert not {"codeFlows", "stacks", "relatedLocations"} & set(found)


def test_a_violation_without_a_place() -> None:
    found = result(
        Outcome(
            Verdict.FALSE,
            violated=Property(Claim(Kind.REACHABILITY, Wrong.CALLED, function="f")),
            unreplayed="no inputs",
        )
    )
    artifact = {"uri": "a.c", "uriBaseId": "%SRCROOT%", "index": 0}
    assert found["locations"] == [{"physicalLocation": {"artifactLocation": artifact}}]


def test_the_fingerprint_does_not_depend_on_lines_and_blanks(here: Path) -> None:
    before = result(violation(CLAIM))["partialFingerprints"]
    (here / "a.c").write_text("// one line more\n" + TEXT.replace("    assert(x == 2);", "assert( x == 2 );"))
    moved = replace(CLAIM, origin=CLAIM.origin._replace(line=12), source="assert( x == 2 );")
    violated = replace(VIOLATED, origin=moved.origin)
    assert result(violation(moved, violated=violated))["partialFingerprints"] == before
    other = replace(moved, origin=moved.origin._replace(function="f"))
    assert result(violation(other, violated=replace(VIOLATED, origin=other.origin)))["partialFingerprints"] != before


def test_a_line_that_has_changed_is_not_quoted(here: Path) -> None:
    (here / "a.c").write_text(TEXT.replace("assert(x == 2)", "assert(x == 3)"))
    assert result(violation(CLAIM))["locations"][0]["physicalLocation"]["region"] == {"startLine": 11}


def test_names_of_files(here: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("other") / "b.c"
    outside.write_text(TEXT)
    names = {
        "a c.c": "a%20c.c",
        "sub/../s#u?b%/x.c": "s%23u%3Fb%25/x.c",
        "a:b.c": "a%3Ab.c",
        "[1](2).c": "%5B1%5D%282%29.c",
        os.fsdecode(b"\xff.c"): "%FF.c",
        "n\nl.c": "n%0Al.c",
        "é.c": "%C3%A9.c",
        str(here / "a.c"): "a.c",
        str(outside): outside.as_uri(),
    }
    for name, uri in names.items():
        path = Path(os.path.normpath(name))
        path.parent.mkdir(exist_ok=True)
        path.write_text(TEXT)
        step = replace(CLAIM, origin=CLAIM.origin._replace(file=name))
        before = replace(CREATE, origin=CREATE.origin._replace(file=name))
        claim = Claim(Kind.MEMSAFETY, Wrong.READ, "x", memory=Memory(MemoryState.FREED, before.origin))
        outcome = violation(before, step, violated=Property(claim, step.origin))
        run = log(outcome, (name,), ("cseq", name))
        assert run["artifacts"][0]["location"]["uri"] == uri
        assert len(run["artifacts"]) == 1
        assert len(run["results"][0]["relatedLocations"]) == 1


def test_what_cannot_be_printed(here: Path) -> None:
    (here / "a.c").write_bytes(TEXT.encode().replace(b"assert(x == 2);", b"assert(x == '\x1b'); // \xff"))
    step = replace(CLAIM, source="assert(x == '\x1b'); // \ufffd", accesses=[tr.Access("read", "x\x07", "'\udcff'")])
    found = result(violation(CREATE, step, violated=replace(VIOLATED, description="assertion `\x1b\u202e\x00`")))
    assert found["message"]["text"] == "assertion `\\x1b\\u202e\\x00` is violated."
    assert found["locations"][0]["physicalLocation"]["region"] == {"startLine": 11}
    assert found["codeFlows"][0]["threadFlows"][0]["locations"][1]["state"] == {"x\\x07": {"text": "'\\udcff'"}}


def test_files_that_cannot_be_read(here: Path) -> None:
    (here / "folder").mkdir()
    step = replace(CLAIM, origin=CLAIM.origin._replace(file="folder"))
    run = log(violation(step, violated=replace(VIOLATED, origin=step.origin)), ("missing.c",))
    assert [set(artifact) for artifact in run["artifacts"]] == [
        {"location", "sourceLanguage", "roles"},
        {"location", "sourceLanguage"},
    ]


def test_a_long_execution_keeps_what_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    most = 500
    monkeypatch.setattr(sarifflow, "MOST_STEPS", most)
    dull = tr.Step(MAIN, Origin("a.c", 10, function="main"), "{")
    steps = [CREATE, *[dull] * most, WRITE, *[replace(dull, thread=TWO)] * 50, CLAIM]
    outcome = violation(*steps)
    flow = result(outcome)["codeFlows"][0]
    assert flow["message"]["text"].endswith(f" Of {len(steps)} steps, 53 that matter less are left out.")
    main, one, two = flow["threadFlows"]
    assert [len(thread["locations"]) for thread in (main, one, two)] == [most - 51, 1, 50]
    assert [location["executionOrder"] for location in main["locations"][:3]] == [1, 55, 56]


needs_cbmc = pytest.mark.skipif(BACKEND.find() is None, reason="no CBMC is installed (setup/provide-cbmc)")


def verified(path: str, **parameters: Any) -> dict[str, Any]:
    """The only result of the run on a program, a file of ours."""
    outcome = verify(ROOT / path, timeout=60, **parameters)
    (found,) = log(outcome, (str(ROOT / path),))["results"]
    assert isinstance(found, dict)
    return found


def cwes(found: dict[str, Any]) -> list[str]:
    rule = sarifreport.log(Outcome(Verdict.TRUE))["runs"][0]["tool"]["driver"]["rules"][found["ruleIndex"]]
    return [relation["target"]["id"] for relation in rule["relationships"] if relation["kinds"] == ["superset"]]


@pytest.mark.engine
def test_deadlock_of_a_program() -> None:
    found = verified("sv-benchmarks/deadlock/philosophers_two_bad.c", deadlock=True, backend="native")
    assert (found["ruleId"], cwes(found), len(found["stacks"])) == ("deadlock", ["833"], 3)
    assert len(found["codeFlows"][0]["threadFlows"]) == 3


@pytest.mark.engine
def test_race_of_a_program() -> None:
    found = verified("sv-benchmarks/race/one_sided_lock_bad.c", race=True, backend="native")
    assert (found["ruleId"], cwes(found)) == ("data-race", ["366", "362"])


@pytest.mark.engine
@needs_cbmc
def test_use_after_free_of_a_program() -> None:
    path = "tests/programs/conformance/memsafety/use_after_free.c"
    found = verified(path, memsafety=True, rounds=2, define=("BUG",), backend="cbmc")
    assert (found["ruleId"], cwes(found)) == ("use-after-free", ["416"])
    assert any(" frees " in place["message"]["text"] for place in found["relatedLocations"])


@pytest.mark.engine
def test_misuse_of_a_program(here: Path) -> None:
    (here / "m.c").write_text(
        "#include <pthread.h>\npthread_mutex_t m;\nint main(void) { pthread_mutex_unlock(&m); }\n"
    )
    outcome = verify("m.c", backend="native", strict_posix=True)
    (found,) = log(outcome, ("m.c",))["results"]
    assert (found["ruleId"], cwes(found)) == ("uninitialised-object", ["457", "908"])


def test_the_text_is_the_same_in_each_run() -> None:
    one = sarifreport.render(violation(CREATE, WRITE, CLAIM), ("a.c",))
    assert one == sarifreport.render(violation(CREATE, WRITE, CLAIM), ("a.c",))
    assert json.loads(one)["version"] == "2.1.0"


def damage(run: dict[str, Any], *path: Any, by: Any) -> None:
    """Set what is at *path* to *by*; where that is None, take it away."""
    *way, last = path
    at: Any = run
    for step in way:
        at = at[step]
    if by is None:
        del at[last]
    else:
        at[last] = by


_FLOW = ("results", 0, "codeFlows", 0, "threadFlows")


@pytest.mark.parametrize(
    ("path", "by"),
    [
        (("tool", "driver", "name"), None),
        (("results", 0, "locations", 0, "physicalLocation", "region", "startLine"), 0),
        (("results", 0, "locations", 0, "physicalLocation", "region", "startLine"), 10),
        (("results", 0, "locations", 0, "physicalLocation", "region", "startColumn"), 4),
        (("results", 0, "ruleIndex"), 1),
        (("results", 0, "level"), "bad"),
        (("results", 0, "relatedLocations"), None),
        (("results", 0, "message", "text"), "assertion `x == 2` is violated [here](7)."),
        (("results", 0, "stacks", 0, "frames", 0, "threadId"), 1),
        ((*_FLOW, 1), None),
        ((*_FLOW, 0, "locations", 1), None),
        ((*_FLOW, 0, "locations", 0, "executionOrder"), 4),
        ((*_FLOW, 1, "id"), "2"),
        ((*_FLOW, 1, "locations", 0, "state"), {}),
        ((*_FLOW, 1, "locations", 0, "nestingLevel"), 0),
        ((*_FLOW, 1, "locations", 0, "location", "physicalLocation", "artifactLocation", "uri"), "b.c"),
        (("artifacts", 0, "location", "uri"), "b.c"),
        (("artifacts", 0, "hashes"), "none"),
        (("invocations", 0, "exitCode"), 0),
        (("invocations", 0, "toolExecutionNotifications"), [{"message": {"text": "of nothing"}}]),
    ],
)
def test_a_log_that_is_wrong_is_found_to_be(path: tuple[Any, ...], by: Any) -> None:
    outcome = violation(CREATE, WRITE, CLAIM)
    wrong = json.loads(sarifreport.render(outcome, ("a.c",)))
    damage(wrong["runs"][0], *path, by=by)
    with pytest.raises((AssertionError, LookupError, ValueError, OSError)):
        check_sarif(json.dumps(wrong, indent=2) + "\n", outcome)
