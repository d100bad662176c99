"""The JSON Schema of the report: reports of all kinds are valid, and it, the manual and the code name the same."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cseq import verify
from cseq.backends import spin
from cseq.backends.cbmc import BACKEND
from cseq.model import trace as tr
from cseq.model.claims import Claim, Cut, Kind, Limit
from cseq.model.claims import Reason as Wrong
from cseq.model.jobrecords import JobEnd, JobName, JobRecord
from cseq.model.origin import CallSite, Origin
from cseq.model.verdict import Attempt, Binary, Bound, Caution, Level, Outcome, Property, Reason, Tiles, Verdict, summed
from cseq.options import properties
from cseq.report import words
from cseq.report.json import jsonreport
from tests.support.checkout import ROOT
from tests.support.jsonschema_check import check_json, check_schema, schema, strict, validator

MANUAL = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
MAIN, WORKER = tr.Thread(0, "main"), tr.Thread(1, "worker")
PLACE = Origin("a.c", 3, 5, "bump", (CallSite("worker", "a.c", 10),), (2, 1))
HOLDS = (tr.Hold("m0", Origin("a.c", 2, function="worker"), True),)
STEP = tr.Step(
    WORKER,
    PLACE,
    "x++;",
    [
        tr.Access("read", "x", "0", True, 0x1000),
        tr.Access("undefined", "y", "0"),
        tr.Access("write", "*p", "1", True, 0x1000),
        tr.Access("read", "y", "0", True, 0x3000, tr.Unseen(MAIN, Origin("a.c", 8, 2, "main"), "1", "relaxed")),
        tr.Access("read", "z", "0", True, 0x4000, tr.Unseen(MAIN, Origin("a.c", 9), "1", "")),
    ],
    [tr.Action(tr.ActionKind.LOCK, "m", object=0x2000), tr.Action(tr.ActionKind.CREATE, thread=WORKER)],
)
SHOWN = tr.Counterexample([STEP, replace(STEP, stands=True)], [MAIN, WORKER])
VIOLATION = Outcome(
    Verdict.FALSE,
    violated=Property(Claim(Kind.ASSERTION, subject="x"), PLACE),
    counterexample=SHOWN,
    bounds=[Bound("unwinding", 2, Cut(Limit.LOOP, 2), Origin("a.c", 9, function="main"), True)],
    backend="cbmc",
    property="unreach-call",
    times={"merger": 0.25},
    solvers=["minisat"],
    kept="/tmp/kept",
    warnings=[Caution("memory_order_relaxed is treated as sequentially consistent", Origin("a.c", 7))],
    levels=[
        Level("unreach-call", {"rounds": 1, "unwind": 1}, Verdict.UNKNOWN, Reason.BOUNDED, Cut(Limit.MORE), 0.5),
        Level("unreach-call", {"rounds": 2, "unwind": 1}, Verdict.UNKNOWN, Reason.TIMEOUT, None, 9.5, Tiles(3, 8)),
    ],
    jobs=tuple(JobRecord(JobName("cbmc", "unreach-call", (("rounds", 2),), "3/8"), end, 0.5) for end in JobEnd),
    tiles=Tiles(3, 8),
    attempts=[Attempt("native", "out of memory")],
)


def violates(**more: Any) -> Outcome:
    return Outcome(Verdict.FALSE, counterexample=replace(SHOWN, **more))


EXECUTION = {"kind": "race", "text": "data race", "schedule": [(0, []), (1, [3])], "threads": [0, 1], "cycle": None}
OUTCOMES = {
    "violation": VIOLATION,
    "proof": Outcome(Verdict.TRUE, property="no-deadlock", backend="native", statistics={"states": 12, "seconds": 0.5}),
    "several": summed([Outcome(Verdict.TRUE, property="no-deadlock"), VIOLATION]),
    "not replayed": Outcome(
        Verdict.FALSE, unreplayed="it reports no inputs", violated=Property(Claim(Kind.REACHABILITY), None)
    ),
    "part": Outcome(Verdict.FALSE, violated=Property(Claim(Kind.MEMSAFETY, Wrong.FREE, "p"), PLACE, "valid-free")),
    "deadlock": violates(
        stuck=[
            tr.Stuck(
                WORKER, PLACE, tr.LockWait(tr.ObjectKind.MUTEX, "m1", tr.Holder(MAIN)), (MAIN,), HOLDS, in_circle=True
            )
        ]
    ),
    "race": violates(
        racing=[
            tr.Racing(MAIN, PLACE, tr.RaceKind.FREE, "*p", function="free", holds=HOLDS),
            tr.Racing(WORKER, PLACE, tr.RaceKind.READ, "p->x", tr.Atomicity.ATOMIC),
        ]
    ),
    "cycle": violates(cycle=1),
    "binary": replace(VIOLATION, backend="compiled", binary=Binary("./x", ("g++ 12.2.0 -O2",)), output=b"says\xff\n"),
    "execution": violates(execution=EXECUTION),
    **{f"no verdict: {reason.name}": Outcome(Verdict.UNKNOWN, reason) for reason in Reason},
    "simulated": Outcome(Verdict.UNKNOWN, Reason.BOUNDED, counterexample=SHOWN),
}


@pytest.mark.parametrize("name", OUTCOMES)
def test_reports_of_all_kinds(name: str) -> None:
    outcome = OUTCOMES[name]
    check_json(jsonreport.render(outcome, ["a.c"], {"rounds": 2, "timeout": None, "define": ()}), outcome)


def test_a_long_execution() -> None:
    steps = [replace(STEP, origin=PLACE._replace(line=number)) for number in range(1, 1_000)]
    outcome = replace(VIOLATION, counterexample=tr.Counterexample(steps, [WORKER]))
    check_json(jsonreport.render(outcome), outcome)


@pytest.mark.parametrize(
    ("path", "by"),
    [
        (("schema",), 2),
        (("more",), 1),
        (("kept",), None),
        (("reason",), "Bounded"),
        (("reason",), "bounded"),
        (("exit_status",), 2),
        (("verdict",), "TRUE"),
        (("times", "merger"), "0.25"),
        (("property", "name"), "asserted"),
        (("bounds", 0, "kind"), "loop"),
        (("levels", 0, "bounds", "rounds"), None),
        (("properties",), []),
        (("properties", 0, "property", "line"), 4),
        (("properties", 0, "statistics"), {"speed": 1}),
        (("properties", 0, "counterexample"), None),
        (("counterexample", "cycle"), -1),
        (("counterexample", "steps", 0, "line"), "3"),
        (("counterexample", "steps", 0, "iteration", 0), 0),
        (("counterexample", "steps", 0, "actions", 0, "kind"), "locks"),
        (("counterexample", "steps", 0, "accesses", 0, "memory"), 0),
        (("counterexample", "steps", 0, "calls", 0, "file"), None),
        (("counterexample", "steps", 1, "stands"), None),
        (("counterexample", "steps", 1, "thread"), 0),
    ],
)
def test_a_report_that_is_wrong_is_found_to_be(path: tuple[Any, ...], by: Any) -> None:
    wrong = json.loads(jsonreport.render(VIOLATION))
    *way, last = path
    at: Any = wrong
    for step in way:
        at = at[step]
    at[last] = by
    if path == ("kept",):
        del at[last]
    with pytest.raises((AssertionError, LookupError)):
        check_json(json.dumps(wrong) + "}\n"[1:], VIOLATION)


def test_the_published_schema_allows_additions() -> None:
    report = jsonreport.report(VIOLATION)
    report["more"] = report["counterexample"]["steps"][0]["more"] = 1
    report["property"]["name"] = report["counterexample"]["steps"][0]["actions"][0]["kind"] = "new"
    assert validator(strictly=False).is_valid(report)
    assert not validator().is_valid(report)
    report["verdict"] = "PERHAPS"
    assert not validator(strictly=False).is_valid(report)


# What is named where


def members(part: Any) -> set[str]:
    """The names of all members in the schema."""
    if isinstance(part, list):
        return set().union(*map(members, part))
    if not isinstance(part, dict):
        return set()
    own = part.get("properties", {}) if "type" in part else {}
    return {*own, *members(list(part.values()))}


def values(part: Any) -> set[str]:
    """All values that the schema names."""
    if isinstance(part, list):
        return set().union(*map(values, part))
    if not isinstance(part, dict):
        return set()
    listed = [*part.get("enum", ()), *part.get("examples", ())] if isinstance(part.get("description"), str) else []
    return {value for value in listed if isinstance(value, str)} | values(list(part.values()))


def kinds_in_tables() -> set[str]:
    """The values that the manual has in tables of their own: the kinds of actions and of bounds."""
    return {kind for part in ("action", "bound") for kind in schema()["$defs"][part]["properties"]["kind"]["examples"]}


def test_the_manual_and_the_schema_name_the_same_members() -> None:
    named = members(schema())
    assert {"schema", "memory", "for_threads", "library_function", "bytes_per_state"} <= named
    missing = {name for name in named if not re.search(rf"`{name}`", MANUAL)}
    assert not missing
    rows = re.findall(r"^\| (`.*?`) \|", MANUAL, re.MULTILINE)
    cells = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    words_ = set(re.findall(r"`([a-z_]+)`", MANUAL))
    kinds = kinds_in_tables()
    assert cells <= named | kinds
    others = {
        "counter",
        "enum",
        "examples",
        "pthread_once",
        "memory_order_relaxed",
        "unwind",
        "bits",
        "robustness",
        "proved",
    }
    assert words_ - named - kinds == others


def test_the_manual_and_the_schema_name_the_same_values() -> None:
    told = {value for value in re.findall(r'`"([^"`]+)"`', MANUAL) if re.fullmatch(r"[\w -]+", value)}
    examples = {"creates worker (thread 1)", "locks m"}
    kinds = kinds_in_tables()
    assert told - examples - {"additionalProperties"} - kinds == values(schema()) - kinds


def test_all_members_say_what_they_are() -> None:
    for name, part in [*schema()["properties"].items(), *schema()["$defs"].items()]:
        assert "$ref" in part or part["description"].endswith("."), name
        for inner, told in part.get("properties", {}).items():
            assert "$ref" in told or told["description"].endswith("."), (name, inner)


def test_the_schema_has_the_values_of_the_code() -> None:
    defs = schema()["$defs"]
    assert set(defs["property"]["properties"]["name"]["examples"]) == set(Kind)
    assert {name.lower() for name in Reason.__members__} | {None} == set(defs["reason"]["enum"])
    assert set(defs["job"]["properties"]["end"]["examples"]) == set(JobEnd)
    assert {verdict.value for verdict in Verdict} == set(defs["verdict"]["enum"])
    lively = {properties.LTL, properties.PROGRESS, properties.ACCEPTANCE, properties.TERMINATION}
    named = {*properties.PROPERTIES, *lively, properties.EXCLUSION, properties.TLA}
    assert set(defs["answer"]["properties"]["name"]["examples"]) == named
    assert set(words._STATISTICS) <= set(defs["statistics"]["properties"])
    assert set(re.findall(r'Bound\("(\w+)"', stages())) <= set(kinds_of_bounds())
    assert {Cut(limit).kind for limit in Limit} <= set(kinds_of_bounds())
    assert set(words._NUMERIC) <= set(kinds_of_bounds())


def stages() -> str:
    return "\n".join(path.read_text() for path in (ROOT / "modules").rglob("*.py"))


def kinds_of_bounds() -> list[str]:
    found = schema()["$defs"]["bound"]["properties"]["kind"]["examples"]
    assert isinstance(found, list)
    return found


def test_reading_strictly() -> None:
    told = {"type": "object", "properties": {"a": {"type": ["string", "null"], "examples": ["x"]}}}
    assert strict(told) == {
        "type": "object",
        "properties": {"a": {"type": ["string", "null"], "examples": ["x"], "enum": ["x", None]}},
        "additionalProperties": False,
    }


# Reports of runs

needs_cbmc = pytest.mark.skipif(BACKEND.find() is None, reason="no CBMC is installed (setup/provide-cbmc)")


def reported(path: str | Path, **parameters: Any) -> dict[str, Any]:
    outcome = verify(ROOT / path, timeout=60, **parameters)
    return check_json(jsonreport.render(outcome, [str(path)], parameters), outcome)


@pytest.mark.engine
@pytest.mark.parametrize(
    ("path", "parameters"),
    [
        ("sv-benchmarks/lost_update_bad.c", {}),
        ("sv-benchmarks/deadlock/philosophers_two_bad.c", {"deadlock": True}),
        ("sv-benchmarks/race/one_sided_lock_bad.c", {"race": True}),
        ("sv-benchmarks/lost_update_good.c", {}),
    ],
)
def test_explored_programs(path: str, parameters: dict[str, Any]) -> None:
    report = reported(path, backend="native", **parameters)
    assert report["properties"][0]["statistics"]["states"] > 0


@pytest.mark.engine
@needs_cbmc
def test_program_with_levels() -> None:
    report = reported("sv-benchmarks/lost_update_bad.c", auto=True)
    assert [level["verdict"] for level in report["levels"]] == ["FALSE"]


@pytest.mark.engine
@needs_cbmc
@pytest.mark.parametrize("asked", ["memsafety", "overflow"])
def test_checked_programs(tmp_path: Path, asked: str) -> None:
    (tmp_path / "a.c").write_text("int a[2];\nint main(void) { int i; return i == 2 ? a[i] / (i - 2) : 0; }\n")
    report = reported(tmp_path / "a.c", backend="cbmc", **{asked: True})
    crashing, checked = report["properties"]
    assert crashing["property"]["name"] == "crash"
    assert checked["property"]["name"] == asked
    assert (checked["property"]["part"] is None) == (asked == "overflow")


@pytest.mark.engine
@pytest.mark.skipif(spin.find() is None, reason="SPIN is not installed (apt-get install spin)")
def test_an_infinite_execution(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int x;\nint main(void) { while (1) x = !x; }\n")
    report = reported(tmp_path / "a.c", backend="spin", termination=True)
    assert report["counterexample"]["cycle"] is not None


@pytest.mark.engine
def test_one_execution() -> None:
    report = reported("sv-benchmarks/lost_update_good.c", backend="native", simulate="roundrobin")
    assert report["verdict"] == "UNKNOWN"
    assert report["counterexample"]["steps"]


def test_what_another_engine_could_not_say() -> None:
    report = jsonreport.report(VIOLATION)
    check_schema(report)
    assert report["attempts"] == [{"property": "unreach-call", "backend": "native", "message": "out of memory"}]
