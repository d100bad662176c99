"""What a specification can be asked, and what is refused by name."""

from pathlib import Path
from typing import Any

import pytest

from cseq.model.errors import UsageError
from cseq.portfolio.families import Families

PROPERTY_FILE = "CHECK( init(main()), LTL(G ! overflow) )\n"


def settled(**given: Any) -> dict[str, Any]:
    way, rivals = Families().ways({"backend": "tlc", **given})
    assert rivals == ()
    return way.values


@pytest.mark.parametrize(
    ("given", "option"),
    [
        ({"race": True}, "--race"),
        ({"memsafety": True}, "--memsafety"),
        ({"overflow": True}, "--overflow"),
        ({"non_progress": True}, "--progress"),
        ({"acceptance": True}, "--acceptance"),
        ({"simulate": "random"}, "--simulate"),
        ({"abstract": "f"}, "--abstract"),
        ({"can_preempt": "f"}, "--can-preempt"),
        ({"scheduler": "roundrobin"}, "--scheduler"),
        ({"depth": 3}, "--depth"),
        ({"preemptions": 3}, "--preemptions"),
    ],
)
def test_what_is_refused(given: dict[str, Any], option: str) -> None:
    with pytest.raises(UsageError, match=f"^the backend `tlc` does not support {option}$"):
        settled(**given)


def test_a_property_file(tmp_path: Path) -> None:
    path = tmp_path / "a.prp"
    path.write_text(PROPERTY_FILE)
    with pytest.raises(UsageError, match="does not support the property no-overflow"):
        settled(spec=str(path))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"ltl": "G ("}, "--ltl: "),
        ({"prop": ("a=1",)}, "no formula that `a` is for"),
        ({"fair": True}, "--fair is about infinite executions"),
        ({"strong_fair": True}, "--strong-fair is about infinite executions"),
        ({"fair": True, "strong_fair": True, "termination": True}, "--fair and --strong-fair cannot be combined"),
        ({"tla_module": "M.tla"}, "no formula names what it defines"),
    ],
)
def test_what_does_not_go_together(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        settled(**given)


def test_infinite_executions_need_no_other_engine() -> None:
    assert settled(termination=True, fair=True)["backend"] == "tlc"
    assert settled(ltl="F p", prop=("p=x == 1",))["backend"] == "tlc"


def asked(tmp_path: Path, **given: Any) -> list[str]:
    from cseq.modules.tla.questions import TlaQuestions
    from cseq.pipeline.stage import Context

    return TlaQuestions(Context(settled(**given), tmp_path))._properties()


def test_properties(tmp_path: Path) -> None:
    assert asked(tmp_path) == ["unreach-call"]
    assert asked(tmp_path, deadlock=True, termination=True) == ["unreach-call", "no-deadlock", "termination"]
    assert asked(tmp_path, mutex=("a.c:1,a.c:2",), tla_invariant=("x < 3",)) == [
        "unreach-call", "mutual-exclusion", "tla",
    ]  # fmt: skip
    assert asked(tmp_path, tla_property=("[](x < 3)",), only="tla") == ["tla"]


def test_what_only_specifications_have_selects_them() -> None:
    families = Families()
    for given in ({"mutex": ("a.c:1,a.c:2",)}, {"tla": "out"}, {"tla_invariant": ("x < 3",), "fair": False}):
        way, rivals = families.ways(given)
        assert (way.chain.families, rivals) == (["specification"], ())
    way, _ = families.ways({"termination": True, "tla_invariant": ("x < 3",)})
    assert way.chain.families == ["specification"]
    way, _ = families.ways({"termination": True})
    assert (way.chain.families, way.values["backend"]) == (["explicit"], "spin")
    with pytest.raises(UsageError, match="--tla, for tlc, cannot be combined with --rounds"):
        families.ways({"tla": "out", "rounds": 3})
    _, rivals = families.ways({})
    assert {name for rival in rivals for name in rival.chain.families} == {"explicit", "deductive", "graphs"}
