"""Chain files: what they declare, what is wrong with them and where, parameters, and running a chain."""

from textwrap import dedent

import pytest

from cseq.model.errors import ChainError, InputError, UsageError
from cseq.pipeline.chain import Chain, convert, load, modules_folder
from cseq.pipeline.session import Session
from cseq.pipeline.stage import Context, Parameter, Unit

PROGRAM = "int x;\nint main(void)\n{\n  x++;\n  return x;\n}\n"

RENAMER = '''
"""A stage of a user's own."""

from pycparser import c_ast

from cseq.pipeline.stage import Parameter
from cseq.pipeline.translator import Translator, rebuilt


NEW_NAME = Parameter("new_name", str, "y", "the name")
TIMES = Parameter("times", int, 1, "how often", minimum=1)


class _Helper(Translator):
    """Not the stage: its name begins with an underscore."""


class Renamer(Translator):
    """in: C. out: the same, with each `x` under another name."""

    takes = (NEW_NAME, TIMES)

    def visit_ID(self, node):
        return c_ast.ID(self.parameter(NEW_NAME) * self.parameter(TIMES), node.coord) if node.name == "x" else node
'''


@pytest.fixture
def chain_file(tmp_path, monkeypatch):
    """Writes the text of a chain file (and of stages beside it), in the current folder; its name."""
    monkeypatch.chdir(tmp_path)

    def write(text: str, **stages: str) -> str:
        for name, source in stages.items():
            (tmp_path / f"{name}.py").write_text(dedent(source))
        (tmp_path / "my.chain").write_text(dedent(text))
        return "my.chain"

    return write


def error(file: str) -> str:
    with pytest.raises(ChainError) as caught:
        load(file).parameters()
    return str(caught.value)


def run(chain: Chain, tmp_path, after=None, **parameters):
    (tmp_path / "p.c").write_text(PROGRAM)
    context = Context(chain.values(parameters), tmp_path)
    return Session(chain, [str(tmp_path / "p.c")], context, after).run(context.values), context


# What a chain file says


def test_the_chain_that_comes_with_cseq():
    chain = load("lazy")
    assert chain.path == modules_folder() / "lazy.chain"
    assert chain.families == ["symbolic"]
    assert chain.about.startswith("lazy sequentialization")
    names = [name for name, _ in chain.chosen(chain.values({}))]
    assert names[:8] == [
        "merger", "normalise", "control_flow", "thread_local_promotion", "address_reuse", "three_address", "inliner",
        "undisturbed",
    ]  # fmt: skip


def test_a_chain_is_found_by_name_with_its_ending_or_by_its_path():
    paths = {load(name).path.resolve() for name in ("lazy", "lazy.chain", str(modules_folder() / "lazy.chain"))}
    assert len(paths) == 1


def test_a_file_here_comes_before_a_chain_that_comes_with_cseq(chain_file, tmp_path):
    chain_file("about mine\nstage merger\n")
    (tmp_path / "my.chain").rename(tmp_path / "lazy.chain")
    assert load("lazy.chain").about == "mine"
    assert load("lazy").about != "mine"


def test_directives_comments_and_blank_lines(chain_file):
    chain = load(
        chain_file("""\
        # a comment

        about    merge, and nothing else   # another
        families symbolic explicit
          stage  merger
        default  bits 32
        """)
    )
    assert (chain.about, chain.families, chain.names) == (
        "merge, and nothing else",
        ["symbolic", "explicit"],
        ["merger"],
    )
    assert chain.defaults == {"bits": "32"}


# What can be wrong with it


def test_a_chain_that_there_is_not_names_those_that_there_are():
    with pytest.raises(ChainError, match=r"no chain file `nothing` \(known chains: .*lazy\.chain"):
        load("nothing")


@pytest.mark.parametrize(
    "text, message",
    [
        (
            "stage merger\n\nstge scoper\n",
            "my.chain:3: unknown directive `stge` (about, families, planner, stage, default)",
        ),
        ("stage merger\nstage nothing\n", "my.chain:2: there is no stage `nothing`"),
        ("stage merger\nstage\n", "my.chain:2: there is no stage ``"),
        ("stage merger\nstage lexicon\n", "must define one stage, not 0"),
        ("about nothing\n", "my.chain: the chain has no stage"),
        ("", "my.chain: the chain has no stage"),
        ("stage merger\ndefault speed 3\n", "my.chain: no stage of this chain takes the parameter `speed`"),
        (
            "stage symbolic/run\n",
            "my.chain: the stage `symbolic/run` needs `sequentialized`, which no stage before it gives",
        ),
    ],
)
def test_an_error_in_a_chain_file_has_its_place(chain_file, text, message):
    assert message in error(chain_file(text))


def test_a_chain_file_that_is_no_text(chain_file, tmp_path):
    chain_file("")
    (tmp_path / "my.chain").write_bytes(b"\xff\xfe\x00")
    assert error("my.chain").startswith("cannot read the chain file my.chain: ")


EITHER = """
from cseq.pipeline.facts import Fact, Gives, Needs
from cseq.pipeline.stage import Parameter, Wrapper


class Stage(Wrapper):
    takes = (Parameter("way", str, "a", "which", choices=lambda: ["a", "b"]),)
    GIVES
"""


@pytest.mark.parametrize("second, works", [("b", True), ("a", False)])
def test_a_fact_that_is_given_whatever_the_parameter_is_can_be_needed(chain_file, second, works):
    file = chain_file(
        f"stage one when way=a\nstage two when way={second}\nstage three\n",
        one=EITHER.replace("GIVES", "fact = Gives(Fact('fact'))"),
        two=EITHER.replace("GIVES", "fact = Gives(Fact('fact'))"),
        three=EITHER.replace("GIVES", "fact = Needs(Fact('fact'))"),
    )
    if works:
        assert load(file).names == ["one", "two", "three"]
    else:
        assert "the stage `three` needs `fact`, which no stage before it gives" in error(file)


def test_a_translator_cannot_stand_behind_a_wrapper(chain_file):
    file = chain_file(
        "stage merger\nstage waiter\nstage normalise\n",
        waiter="from cseq.pipeline.stage import Wrapper\nclass Waiter(Wrapper):\n    pass\n",
    )
    assert error(file) == "my.chain: the translator `normalise` comes after the wrapper `waiter`"


# A stage of one's own


def test_a_stage_beside_the_chain_file(chain_file, tmp_path):
    chain = load(chain_file("stage merger\nstage renamer\ndefault new_name z\n", renamer=RENAMER))
    unit, _ = run(chain, tmp_path, times=2)
    assert "zz++;" in unit.text
    assert "int x;" in unit.text


def test_a_stage_beside_the_chain_file_comes_before_one_of_ours(chain_file, tmp_path):
    chain = load(chain_file("stage merger\nstage normalise\n", normalise=RENAMER))
    unit, _ = run(chain, tmp_path)
    assert "y++;" in unit.text


@pytest.mark.parametrize(
    "source, message",
    [
        ("x = 1 +\n", "the stage my_stage.py does not load: SyntaxError"),
        ("raise RuntimeError('no')\n", "the stage my_stage.py does not load: RuntimeError: no"),
        ("import there_is_no_such_module\n", "does not load: ModuleNotFoundError"),
        ("from cseq.pipeline.translator import Translator\n", "must define one stage, not 0"),
        (
            "from cseq.pipeline.stage import Wrapper\nclass A(Wrapper):\n    pass\nclass B(Wrapper):\n    pass\n",
            "must define one stage, not 2",
        ),
    ],
)
def test_a_stage_that_does_not_load_is_an_error_in_one_line(chain_file, source, message):
    text = error(chain_file("stage merger\nstage my_stage\n", my_stage=source))
    assert text.startswith("my.chain:2: ")
    assert message in text
    assert "\n" not in text


# Parameters


def test_the_parameters_of_a_chain_are_those_of_its_stages(chain_file):
    chain = load(chain_file("stage merger\nstage renamer\ndefault new_name z\n", renamer=RENAMER))
    assert {name: parameter.default for name, parameter in chain.parameters().items()} == {
        "include": (), "define": (), "unit_flags": (), "bits": 64, "keep_unused": False, "roots": (), "moves": False,
        "mentioned": (), "env": (), "stdin": None, "new_name": "z", "times": 1,
    }  # fmt: skip
    assert chain.values({"times": "3"}) == {
        "include": (),
        "define": (),
        "unit_flags": (),
        "bits": 64,
        "keep_unused": False,
        "roots": (),
        "moves": False,
        "mentioned": (),
        "env": (),
        "stdin": None,
        "new_name": "z",
        "times": 3,
    }


def test_a_default_is_converted_to_the_parameter_s_type(chain_file):
    chain = load(chain_file("stage merger\nstage normalise\nstage inliner\ndefault unwind 5\n"))
    assert chain.values({})["unwind"] == 5


def test_what_is_given_comes_before_the_chain_s_default(chain_file):
    chain = load(chain_file("stage merger\nstage inliner\ndefault unwind 5\n"))
    assert chain.values({"unwind": 2})["unwind"] == 2


def test_a_parameter_that_no_stage_takes_is_refused():
    with pytest.raises(UsageError, match="this chain takes no parameter `speed`"):
        load("lazy").values({"speed": 3})


@pytest.mark.parametrize(
    "value, message",
    [
        ("x", "unwind: `x` is not a whole number"),
        ("2.5", "unwind: `2.5` is not a whole number"),
        ("0", "unwind: 0 is less than 1, the minimum"),
        (-1, "unwind: -1 is less than 1, the minimum"),
    ],
)
def test_a_value_that_does_not_fit_is_refused(value, message):
    with pytest.raises(UsageError) as caught:
        load("lazy").values({"unwind": value})
    assert str(caught.value) == message


def test_a_default_that_does_not_fit_names_the_chain_file(chain_file):
    with pytest.raises(UsageError, match=r"my\.chain: `many` is not a whole number"):
        load(chain_file("stage merger\nstage inliner\ndefault unwind many\n")).parameters()


@pytest.mark.parametrize("value, meaning", [("true", True), ("False", False), (True, True)])
def test_truth_values(value, meaning):
    assert convert(Parameter("fast", bool, False, "be fast"), value, "fast") is meaning


def test_other_values_than_the_choices_are_refused():
    parameter = Parameter("colour", str, "red", "the colour", choices=lambda: ["red", "blue"])
    assert convert(parameter, "blue", "colour") == "blue"
    with pytest.raises(UsageError, match="colour: `green` is not one of red, blue"):
        convert(parameter, "green", "colour")


@pytest.mark.parametrize("value", ["nan", "inf", "soon"])
def test_a_time_is_a_finite_number(value):
    with pytest.raises(UsageError, match=f"`{value}` is not a number"):
        convert(Parameter("timeout", float, None, "seconds"), value, "timeout")


# Running


def test_a_run_times_its_stages_and_tells_its_progress(chain_file, tmp_path):
    chain = load(chain_file("stage merger\nstage normalise\n"))
    (tmp_path / "p.c").write_text(PROGRAM)
    phases = []
    context = Context(chain.values({}), tmp_path, progress=phases.append)
    unit = Session(chain, ["p.c"], context).run(context.values)
    assert isinstance(unit, Unit)
    assert phases == ["merger", "normalise"] == list(context.times)
    assert all(seconds > 0 for seconds in context.times.values())


def test_somebody_who_watches_sees_each_stage_s_output_and_can_end_the_run(chain_file, tmp_path):
    chain = load(chain_file("stage merger\nstage normalise\nstage control_flow\n"))
    seen = []

    def after(name, value):
        seen.append(name)
        return None if name == "normalise" else value

    _, context = run(chain, tmp_path, after)
    assert seen == ["merger", "normalise"] == list(context.times)


def test_somebody_who_watches_can_put_another_unit_in_the_place(chain_file, tmp_path):
    chain = load(chain_file("stage merger\nstage renamer\n", renamer=RENAMER))
    other = Unit(tree=run(load("lazy"), tmp_path, lambda name, value: None)[0].tree)
    unit, _ = run(chain, tmp_path, lambda name, value: other if name == "merger" else value)
    assert "y++;" in unit.text


def test_an_error_in_a_stage_ends_the_run_and_its_time_counts(chain_file, tmp_path):
    chain = load(chain_file("stage merger\nstage normalise\n"))
    (tmp_path / "p.c").write_text("int main(void) { return 1 +; }\n")
    context = Context(chain.values({}), tmp_path)
    with pytest.raises(InputError, match=r"p\.c:1"):
        Session(chain, ["p.c"], context).run(context.values)
    assert list(context.times) == ["merger"]


PICKY = '''
from cseq.model.errors import UsageError
from cseq.pipeline.stage import Parameter
from cseq.pipeline.translator import Translator


def even(value):
    if int(value) % 2:
        raise ValueError(f"{value} is odd")


class Picky(Translator):
    """in: C. out: the same."""

    takes = (
        Parameter("one", int, 2, "an even number", ("--one",), check=even),
        Parameter("many", str, (), "even numbers", ("--many",), multiple=True, check=even),
        Parameter("double", int, None, "twice that", ("--double",)),
    )

    @classmethod
    def settle(cls, values, given):
        if "double" in given and values["double"] != 2 * values["one"]:
            raise UsageError("they do not agree")
        values["double"] = 2 * values["one"]
'''


def test_parameters_are_checked_and_settled_before_anything_runs(chain_file):
    chain = load(chain_file("stage picky\n", picky=PICKY))
    assert chain.values({"one": 4, "many": ("2", "6")}) == {"one": 4, "many": ("2", "6"), "double": 8}
    assert chain.values({"double": None})["double"] == 4
    for given, told in [
        ({"one": 3}, "one: 3 is odd"),
        ({"many": ("2", "5")}, "many: 5 is odd"),
        ({"many": "7"}, "many: 7 is odd"),
        ({"one": 4, "double": 6}, "they do not agree"),
    ]:
        with pytest.raises(UsageError) as caught:
            chain.values(given)
        assert str(caught.value) == told
