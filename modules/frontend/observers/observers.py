"""Take functions and expressions that only look at states out of the program, and turn them into hooks for engines."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from cseq.c import Printer, build, parse
from cseq.c.scanner import is_name, tokens
from cseq.c.symbols import Symbols
from cseq.c.unused import Declarations
from cseq.model.claims import Claim, Kind
from cseq.model.errors import InputError, UsageError
from cseq.modules.analysis.distance import TARGETS, targets
from cseq.modules.frontend.merger.merger import KEEP_UNUSED, MENTIONED, ROOTS, objects_of
from cseq.modules.frontend.observers.purity import FILLS, PURE, Look
from cseq.modules.library import lexicon
from cseq.options.properties import ERRORS
from cseq.pipeline.facts import Fact, Gives
from cseq.pipeline.stage import Parameter
from cseq.pipeline.translator import Rewriter, Translator, rebuilt, user_name

_PREFIX = "__cs_observe_"
_PROPOSITION = "__cs_proposition"
_OF_LTL = frozenset({"G", "F", "X", "U", "V", "W", "R", "M", "true", "false"})
_EVERYTHING = "~0u"


def _name(text: str) -> None:
    if not is_name(text):
        raise ValueError(f"`{text}` is not a C identifier")


def _proposition(text: str) -> None:
    name, equals, expression = text.partition("=")
    if not equals or not is_name(name.strip()) or not expression.strip():
        raise ValueError(f"`{text}` is not of the form NAME=EXPR")
    if name.strip() in _OF_LTL:
        raise ValueError(f"`{name.strip()}` means something in formulas, and cannot be the name of a proposition")


INVARIANT: Parameter[Sequence[str]] = Parameter(
    "invariant", str, (), "claim that the C function FN holds in every state", ("--invariant",), "FN",
    multiple=True, check=_name,
)  # fmt: skip
ABSTRACT: Parameter[str | None] = Parameter(
    "abstract",
    str,
    None,
    "treat states as equal if the C function FN computes the same value for them",
    ("--abstract",),
    "FN",
    check=_name,
)
HEURISTIC: Parameter[str | None] = Parameter(
    "heuristic", str, None, "look first at states in which the C variable VAR is larger", ("--heuristic",), "VAR",
    check=_name,
)  # fmt: skip
PROP: Parameter[Sequence[str]] = Parameter(
    "prop", str, (), "a proposition for --ltl: a C expression over objects at file level", ("--prop",), "NAME=EXPR",
    multiple=True, check=_proposition,
)  # fmt: skip
CAN_PREEMPT: Parameter[str | None] = Parameter(
    "can_preempt", str, None, "a scheduler: the C function FN(a, b) says whether thread a goes before thread b",
    ("--can-preempt",), "FN", check=_name,
)  # fmt: skip


@dataclass(frozen=True)
class ObserverCode:
    """The functions and expressions that are evaluated in states.

    text: C code that comes after the step program: the functions, and the hooks that an engine calls; empty if there
                  are none. objects: the objects at file level that the text names. propositions: their names, by
                  number. functions: the user's, as they are in the program, and those of propositions (`proposing`).
    """

    text: str = ""
    objects: frozenset[str] = frozenset()
    propositions: tuple[str, ...] = ()
    functions: tuple[c_ast.FuncDef, ...] = field(default=(), compare=False)


OBSERVED = Fact[ObserverCode]("observed")


def observing(function: str) -> str:
    """The name of the user's function in `ObserverCode.text`."""
    return _PREFIX + function


def proposing(number: int) -> str:
    """The name of the function whose value is that of a proposition."""
    return f"{_PROPOSITION}_{number}"


class Observers(Translator):
    """in: the merged program. out: the same, without the functions that only look at states.

    These are the invariants, the abstraction, the scheduler's comparison and the propositions, with the functions that
    they call. They are not part of any thread, are evaluated between transitions, and change nothing: functions that
    could are refused. The objects that they look at must stay as they are, so they are noted for the stages that would
    move them.
    """

    takes = (INVARIANT, ABSTRACT, HEURISTIC, PROP, CAN_PREEMPT, ROOTS, MENTIONED, KEEP_UNUSED, ERRORS)
    observed = Gives(OBSERVED)
    targets = Gives(TARGETS)

    @classmethod
    def settle(cls, values: dict[str, object], given: Collection[str]) -> None:
        """Keep what the observers need, even if the threads do not need it."""
        single = [parameter.of(values) for parameter in (ABSTRACT, HEURISTIC, CAN_PREEMPT)]
        names = [*INVARIANT.of(values), *(name for name in single if name)]
        propositions = [text.partition("=") for text in PROP.of(values)]
        seen: set[str] = set()
        for name, _, expression in propositions:
            if name.strip() in seen:
                raise UsageError(f"--prop: there are two propositions `{name.strip()}`")
            seen.add(name.strip())
            names += filter(is_name, tokens(expression))
        if "search" in values:
            cls._settle_search(values, given)
        if names:
            values[ROOTS.name] = (*ROOTS.of(values), *names)

    @staticmethod
    def _settle_search(values: dict[str, object], given: Collection[str]) -> None:
        """Require the option for a heuristic and the heuristic search to be used together."""
        if HEURISTIC.of(values) and "search" not in given:
            values["search"] = "heuristic"
        if (values["search"] == "heuristic") != bool(HEURISTIC.of(values)):
            raise UsageError("--search heuristic and --heuristic have to be used together")

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Check what is observed, and leave the facts `observed` and `targets`."""
        functions = [node for node in tree.ext if isinstance(node, c_ast.FuncDef) and not lexicon.is_ours(node.coord)]
        self.targets = targets(functions, ("reach_error", *self.parameter(ERRORS)))
        if not self.parameter(ROOTS) and not self.parameter(PROP):
            self.observed = ObserverCode(objects=frozenset(self._named(tree)))
            return tree
        self._functions = {node.decl.name: node for node in tree.ext if isinstance(node, c_ast.FuncDef)}
        outside = [node.decl if isinstance(node, c_ast.FuncDef) else node for node in tree.ext]
        self._symbols = Symbols(c_ast.FileAST(outside), self.context.model)
        self._types = [node.name for node in tree.ext if isinstance(node, c_ast.Typedef)]
        self._taken: dict[str, c_ast.FuncDef] = {}
        self._objects = set(self._named(tree))
        self._read: set[str] = set()
        self._follows = False
        hooks = [*self._invariants(), *self._abstract(), *self._heuristic(), *self._propositions()]
        if self._read or self._follows:
            hooks.append(self._watched())
        if scheduler := self.parameter(CAN_PREEMPT):
            self._function("can_preempt", scheduler, "int {}(int a, int b)")
        names = tuple(text.partition("=")[0].strip() for text in self.parameter(PROP))
        text = "\n".join([*self._texts(), *hooks])
        self.observed = ObserverCode(text, frozenset(self._objects), names, tuple(self._taken.values()))
        return c_ast.FileAST(self._left(tree.ext))

    def _named(self, tree: c_ast.FileAST) -> list[str]:
        """The objects that formulas outside of the program name."""
        names = set(self.parameter(MENTIONED))
        return [name for name in objects_of(tree) if user_name(name) in names]

    # What the user names

    def _function(self, option: str, name: str, form: str) -> c_ast.FuncDef:
        """The function *name* that an option names; it is checked, with the functions that it calls.

        form: the declaration that it must have, in C, with {} for its name.
        """
        option = "--" + option.replace("_", "-")
        self._demand_one(option, name)
        function = self._functions.get(name)
        if function is None:
            what = "is not a function" if name in self._symbols.types else "is not a function of the program"
            raise UsageError(f"{option}: `{name}` {what} with a body")
        if lexicon.is_ours(function.coord or function.decl.coord):
            raise UsageError(f"{option}: `{name}` is a function of the library")
        abstract = option == "--abstract"
        if not (_fits_abstract if abstract else _fits)(self._symbols, function, form):
            raise InputError(f"{option}: `{name}` has to be declared {form.replace('{}', name)}", function.decl.coord)
        parameters = function.decl.type.args.params if abstract and function.decl.type.args else []
        target = parameters[0].name if parameters and isinstance(parameters[0], c_ast.Decl) else None
        self._look(function, target, watch=option == "--invariant")
        return function

    def _demand_one(self, option: str, name: str) -> None:
        for other in (*self._functions, *self._symbols.types):
            if other != name and user_name(other) == name:
                raise UsageError(f"{option}: several files have a `{name}` of their own")

    def _look(self, function: c_ast.FuncDef, target: str | None, watch: bool) -> None:
        """Check *function*, and all functions that it calls."""
        todo, seen = [function], {function.decl.name}
        while todo:
            now = todo.pop()
            look = Look(now, self._symbols, self._functions, target if now is function else None)
            look.forget()
            self._note(look, watch)
            self._taken[now.decl.name] = now
            for name in sorted(look.calls - seen):
                seen.add(name)
                todo.append(self._functions[name])

    def _note(self, look: Look, watch: bool) -> None:
        self._objects |= look.reads
        if watch:
            self._read |= {name for name in look.reads if not self._symbols.is_const(self._symbols.types[name])}
            self._follows |= look.follows

    # The hooks

    def _invariants(self) -> list[str]:
        names = list(dict.fromkeys(self.parameter(INVARIANT)))
        for name in names:
            self._function("invariant", name, "int {}(void)")
        if not names:
            return []
        claims = [f'  if (!{observing(name)}()) return "{Claim(Kind.INVARIANT, subject=name).key}";' for name in names]
        return ["const char *__CSEQ_invariant(void)", "{", *claims, "  return 0;", "}"]

    def _abstract(self) -> list[str]:
        name = self.parameter(ABSTRACT)
        if name is None:
            return []
        function = self._function("abstract", name, "void {}(T *to) or T {}(void)")
        result, parameters = function.decl.type.type, _parameters(function)
        if parameters:
            pointer: Any = self._symbols.resolve(parameters[0].type)
            type_ = pointer.type
            call = f"{observing(name)}(&__cs_state);"
        else:
            type_ = result
            call = f"__cs_state = {observing(name)}();"
        return [
            "unsigned int __CSEQ_abstract(unsigned char *to, unsigned int most)",
            "{",
            f"  {Printer().visit(build.declare('__cs_state', type_))};",
            "  __builtin_memset(&__cs_state, 0, sizeof __cs_state);",
            f"  {call}",
            "  if (sizeof __cs_state <= most) __builtin_memcpy(to, &__cs_state, sizeof __cs_state);",
            "  return sizeof __cs_state;",
            "}",
        ]

    def _heuristic(self) -> list[str]:
        name = self.parameter(HEURISTIC)
        if name is None:
            return []
        self._demand_one("--heuristic", name)
        kind = self._symbols.arithmetic(self._symbols.types[name]) if name in self._symbols.types else None
        if kind is None or kind in ("void", "float", "double", "long double"):
            raise UsageError(f"--heuristic: `{name}` is not a variable of an integer type at file level")
        self._objects.add(name)
        return ["long long __CSEQ_metric(void)", "{", f"  return {name};", "}"]

    def _propositions(self) -> list[str]:
        if not self.parameter(PROP):
            return []
        cases = []
        for number, text in enumerate(self.parameter(PROP)):
            name, _, expression = (part.strip() for part in text.partition("="))
            function = proposing(number)
            self._taken[function] = self._expression(name, expression, function)
            cases.append(f"  if (number == {number}) return {observing(function)}();")
        return [
            "int __CSEQ_proposition(unsigned int number)",
            "{",
            *cases,
            "  return 0;",
            "}",
            f"const unsigned int __CSEQ_propositions = {len(cases)};",
        ]

    def _expression(self, name: str, expression: str, function: str) -> c_ast.FuncDef:
        """The function whose value is *expression*."""
        option = f"--prop {name}"
        try:
            tree = parse(f"int {function}(void) {{ return ({expression}) ? 1 : 0; }}", "", typedefs=self._types)
        except InputError as error:
            raise UsageError(f"{option}: `{expression}` is not an expression ({error.message})") from None
        made: Any = tree.ext[0] if len(tree.ext) == 1 else None
        body = made.body.block_items if isinstance(made, c_ast.FuncDef) else []
        if len(body) != 1 or not isinstance(body[0], c_ast.Return) or not isinstance(body[0].expr, c_ast.TernaryOp):
            raise UsageError(f"{option}: `{expression}` is not an expression")
        for word in filter(is_name, tokens(expression)):
            self._demand_one(option, word)
        try:
            self._look(made, None, watch=True)
            type_ = self._symbols.value_type(body[0].expr.cond)
        except InputError as error:
            message = error.message.replace(f"`{function}`", f"`{expression}`")
            place = f" at {error.origin}" if error.origin and error.origin.file else ""
            raise UsageError(f"{option}: {message}{place}") from None
        if self._symbols.arithmetic(type_) in (None, "void") and not self._symbols.is_pointer(type_):
            raise UsageError(f"{option}: `{expression}` is neither a number nor a pointer")
        result: c_ast.FuncDef = made
        return result

    def _watched(self) -> str:
        places = [f"{{ {{ &{name} }}, sizeof {name} }}" for name in sorted(self._read)] or ["{ { 0 }, 0 }"]
        count = _EVERYTHING if self._follows else str(len(self._read))
        return (
            f"const struct __CSEQ_watch __CSEQ_watched[] = {{ {', '.join(places)} }};\n"
            f"const unsigned int __CSEQ_watched_count = {count};"
        )

    # The functions, in the text and in the program

    def _texts(self) -> list[str]:
        """The functions as C, after prototypes of all of them."""
        rename = _Rename({name: observing(name) for name in self._taken})
        functions = [rename.function(node) for node in self._taken.values()]
        prototypes = [Printer().visit(node.decl) + ";" for node in functions]
        return [*prototypes, *(Printer().unit(c_ast.FileAST([node]))[0].rstrip("\n") for node in functions)]

    def _left(self, nodes: list[c_ast.Node]) -> list[c_ast.Node]:
        """The program without the observers, and without the functions that only they need."""
        needed, watching = Declarations(), Declarations()
        needed.add(nodes)
        watching.add(nodes)
        needed.use([*self._always(nodes), "main"])
        watching.use(self._taken)
        gone = watching.reached - needed.reached
        return [node for node in nodes if not (_declares_function(node) and _declared(node) in gone)]

    def _always(self, nodes: Iterable[c_ast.Node]) -> list[str]:
        """If everything is kept: the functions of the program that are not observers or called by them."""
        if not self.parameter(KEEP_UNUSED):
            return []
        names = [_declared(node) for node in nodes if isinstance(node, c_ast.FuncDef)]
        return [name for name in names if name not in self._taken]


def _declared(node: Any) -> str:
    return str(node.decl.name if isinstance(node, c_ast.FuncDef) else node.name)


def _declares_function(node: c_ast.Node) -> bool:
    decl = node.decl if isinstance(node, c_ast.FuncDef) else node
    return isinstance(decl, c_ast.Decl) and isinstance(decl.type, c_ast.FuncDecl)


def _parameters(function: c_ast.FuncDef) -> list[Any]:
    """The parameters of a function; none for ``(void)``."""
    arguments = function.decl.type.args
    params = arguments.params if arguments else []
    return [] if len(params) == 1 and build.is_void(getattr(params[0], "type", None)) else list(params)


def _is_integer(symbols: Symbols, type_: c_ast.Node) -> bool:
    return symbols.arithmetic(type_) not in (None, "void", "float", "double", "long double")


def _fits(symbols: Symbols, function: c_ast.FuncDef, form: str) -> bool:
    """Whether *function* returns an integer, and takes as many integers as *form* says."""
    parameters = _parameters(function)
    if len(parameters) != form.count("int") - 1:
        return False
    return all(_is_integer(symbols, type_) for type_ in [function.decl.type.type, *(item.type for item in parameters)])


def _fits_abstract(symbols: Symbols, function: c_ast.FuncDef, form: str) -> bool:
    """Whether *function* returns an integer, or takes a pointer to an object that it fills in."""
    parameters = _parameters(function)
    if not parameters:
        return _is_integer(symbols, function.decl.type.type)
    pointer = symbols.resolve(parameters[0].type) if isinstance(parameters[0], c_ast.Decl) else None
    if len(parameters) != 1 or not isinstance(pointer, c_ast.PtrDecl) or not symbols.is_void(function.decl.type.type):
        return False
    target = symbols.resolve(pointer.type)
    return not isinstance(target, c_ast.FuncDecl) and not symbols.is_void(target) and not symbols.is_const(pointer.type)


class _Rename(Rewriter):
    """Renames functions, and makes calls of the C library use the compiler's built-ins."""

    def __init__(self, names: dict[str, str]) -> None:
        super().__init__()
        self._names = {**{name: f"__builtin_{name}" for name in PURE | FILLS}, **names}

    def function(self, node: c_ast.FuncDef) -> c_ast.FuncDef:
        """The definition of *node* as a static function with its new name."""
        name = self._names[node.decl.name]
        type_ = build.renamed(node.decl.type, name)
        decl = rebuilt(node.decl, name=name, type=type_, storage=["static"], funcspec=[], attributes=[])
        return rebuilt(node, decl=decl, body=self.visit(node.body))

    def visit_FuncCall(self, node: c_ast.FuncCall) -> Any:
        arguments = self.visit(node.args) if node.args else None
        name = node.name.name if isinstance(node.name, c_ast.ID) else ""
        called = c_ast.ID(self._names[name]) if name in self._names else node.name
        return rebuilt(node, name=called, args=arguments)
