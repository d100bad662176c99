"""Random small multi-threaded programs, as data."""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.differential.reference import (
    AddressOf,
    Assert,
    Assign,
    Assume,
    Atomic,
    AtomicBegin,
    AtomicEnd,
    Binary,
    Block,
    Body,
    Break,
    Broadcast,
    Call,
    CallPointer,
    Case,
    Cast,
    Choose,
    Const,
    Continue,
    CopyRecord,
    Create,
    Declare,
    DeclareArray,
    Deref,
    Do,
    DoWhile,
    Exit,
    Expr,
    Fail,
    For,
    Function,
    FunctionName,
    Goto,
    If,
    Increment,
    Index,
    IsEqual,
    Join,
    Label,
    Lock,
    Observe,
    PointerIndex,
    Program,
    Return,
    Shared,
    Signal,
    Static,
    Stmt,
    Swap,
    Switch,
    Ternary,
    ThreadExit,
    TryLock,
    Unary,
    Unlock,
    Var,
    Wait,
    While,
    c_name,
)

FEATURES = (
    "array", "types", "if", "while", "for", "do", "switch", "goto", "retry", "into", "break", "return", "mutex",
    "trylock", "cond", "atomic", "atomicbranch", "atomicfunction", "call", "recursion", "uninitialised", "choose",
    "assume", "nested", "threadexit", "exit", "mainreturn", "join", "result", "argument", "pointer", "local", "effects",
    "logic", "ternary", "cast", "static", "shadow", "localarray", "struct", "const", "branchcreate", "loopcreate",
    "callcreate", "comma", "globalthread", "block", "misuse", "bitfield", "mutextypes", "forbool", "assert", "mainexit",
    "fail", "functionpointer", "startpointer", "arraypointer", "conditionallock", "atomicobject", "builtin", "swap",
    "copy",
)  # fmt: skip

_NARROW = ("int", "int", "uchar", "bool", "short", "uint", "schar", "long", "llong", "ulong", "ushort")


class _Scope:
    """What can be named: one per C block."""

    def __init__(self) -> None:
        self.names: dict[str, tuple[str, str, str]] = {}  # in C → name, type, kind


class Generator:
    """Makes one program from a random number generator."""

    def __init__(self, rng: random.Random, features: set[str], size: int) -> None:
        self._rng = rng
        self._features = features
        self._size = size
        self._counter = 0
        self._shared: list[Shared] = []
        self._scopes: list[_Scope] = []
        self._functions: list[Function] = []
        self._helpers: list[Function] = []
        self._labels: list[str] = []
        self._breakable = ""
        self._loops = 0
        self._role = "main"
        self._type = "int"
        self._atomic = 0
        self._budget = 0
        self._starts: list[str] = []
        second = rng.choice(("r2", "e2")) if "mutextypes" in features else "m2"
        self._mutexes = ("m1", second)[: rng.choice((1, 1, 2))] if features & {"mutex", "trylock", "cond"} else ()
        self._conds = ("c",) if "cond" in features else ()

    # Choosing

    def _has(self, feature: str, chance: float = 1.0) -> bool:
        return feature in self._features and self._rng.random() < chance

    def _fresh(self, stem: str) -> str:
        self._counter += 1
        return f"{stem}{self._counter}"

    def _any_type(self) -> str:
        return self._rng.choice(_NARROW) if "types" in self._features else "int"

    # Names

    def _declare(self, type_: str, kind: str = "local") -> str:
        """A new local, sometimes with the C name of something further out."""
        name = self._fresh("l")
        if kind == "local" and self._has("shadow", 0.3):
            outer = [written for written, (_, _, k) in self._visible().items() if k in ("local", "shared")]
            candidates = [w for w in outer if w not in self._scopes[-1].names and "." not in w and w != "x"]
            if candidates:
                name = f"{self._rng.choice(candidates)}#{self._counter}"
        self._scopes[-1].names[c_name(name)] = (name, type_, kind)
        return name

    def _visible(self) -> dict[str, tuple[str, str, str]]:
        found: dict[str, tuple[str, str, str]] = {}
        for scope in self._scopes:
            found.update(scope.names)
        return found

    def _names(self, *kinds: str) -> list[str]:
        return [name for name, _, kind in self._visible().values() if kind in kinds]

    # Expressions

    def _leaf(self) -> Expr:
        rng = self._rng
        roll = rng.random()
        locals_, shared = self._names("local", "counter", "escaping"), self._names("shared", "const")
        if roll < 0.5 and shared:
            return self._shared_place(shared)
        if roll < 0.75 and locals_:
            return Var(rng.choice(locals_))
        arrays = self._names("localarray")
        if roll < 0.8 and arrays:
            return Index(rng.choice(arrays), self._masked())
        return Const(rng.choice((0, 0, 1, 1, 1, 2, 3)))

    def _masked(self) -> Expr:
        index: Expr = self._leaf() if self._rng.random() < 0.6 else Const(self._rng.randrange(2))
        return index if isinstance(index, Const) and index.value < 2 else Binary("&", index, Const(1))

    def _shared_place(self, shared: list[str] | None = None, write: bool = False) -> Expr:
        """Something shared, to read or to write."""
        rng = self._rng
        arrays, pointers = self._names("array"), self._names("pointer")
        into = self._names("arraypointer")
        if into and rng.random() < 0.3:
            if rng.random() < 0.2:
                return Deref(Var(rng.choice(into)))
            return PointerIndex(Var(rng.choice(into)), self._masked(), rng.random() < 0.6)
        if arrays and rng.random() < 0.25:
            return Index(rng.choice(arrays), self._masked())
        if pointers and rng.random() < 0.3:
            return Deref(Var(rng.choice(pointers)))
        names = (self._names("shared", "escaping") if write else shared) or self._names("shared")
        return Var(rng.choice(names))

    def _effect(self) -> Expr:
        """An expression with a side effect."""
        rng = self._rng
        roll = rng.random()
        place = self._shared_place(write=True)
        if roll < 0.4:
            return Increment(rng.choice(("++", "--")), rng.random() < 0.5, place)
        if roll < 0.6:
            return Assign(rng.choice(("=", "+=", "^=", "-=")), place, self._expr(1, pure=True))
        if roll < 0.85 and self._callable():
            return self._call(pure=True)
        if roll < 0.95 and self._has("builtin", 0.7):
            return self._builtin(wanted=True)
        if self._has("trylock") and self._role != "main" and rng.random() < 0.2:
            return TryLock(rng.choice(self._mutexes))
        return Increment(rng.choice(("++", "--")), rng.random() < 0.5, place)

    def _callable(self) -> list[Function]:
        return [f for f in self._helpers if f.type != "void"] if self._has("call") else []

    def _call(self, pure: bool = False, void: bool = False) -> Expr:
        f = self._rng.choice([h for h in self._helpers if void or h.type != "void"])
        arguments: list[Expr] = []
        for type_, name in f.parameters:
            if type_[0] == "*":
                arguments.append(self._address())
            elif name.startswith("depth"):
                arguments.append(Const(self._rng.randrange(3)))
            else:
                arguments.append(self._expr(1, pure=pure))
        return Call(f.name, tuple(arguments))

    def _address(self) -> Expr:
        rng = self._rng
        pointers = [n for n in self._names("pointer") if n.startswith("p")]
        if pointers and rng.random() < 0.4:
            return Var(rng.choice(pointers))
        ints = [v.name for v in self._shared if v.type == "int" and v.size is None and not (v.const or v.atomic)]
        ints = [n for n in ints if n in self._names("shared")]
        ints += [n for n in self._names("escaping") if self._role != "helper"] * 2
        return AddressOf(Var(rng.choice(ints))) if ints else AddressOf(Var("x"))

    def _expr(self, depth: int = 2, pure: bool = False) -> Expr:
        rng = self._rng
        roll = rng.random()
        if depth == 0 or roll < 0.4:
            return self._leaf()
        if not pure and self._has("effects", 0.2):
            return self._effect()
        if roll < 0.7:
            op = rng.choice(("+", "+", "-", "&", "|", "^", "==", "!=", "<", ">", "<=", "*"))
            left, right = self._expr(depth - 1, pure), self._expr(depth - 1, True)
            return Binary(op, left, Const(rng.choice((2, 3))) if op == "*" else right)
        if roll < 0.8 and "logic" in self._features:
            return Binary(rng.choice(("&&", "||")), self._expr(depth - 1, pure), self._expr(depth - 1, pure))
        if roll < 0.85 and "ternary" in self._features:
            return Ternary(self._expr(depth - 1, pure), self._expr(depth - 1, pure), self._expr(depth - 1, pure))
        if roll < 0.9:
            return Unary(rng.choice(("!", "-", "~")), self._expr(depth - 1, pure))
        if roll < 0.93 and self._has("cast"):
            return Cast(rng.choice(_NARROW), self._expr(depth - 1, pure))
        if roll < 0.96 and self._has("comma") and not pure:
            return Binary(",", self._effect(), self._expr(depth - 1))
        if self._callable() and not pure:
            return self._call()
        return self._leaf()

    def _call_pointer(self) -> list[Stmt]:
        rng = self._rng
        if rng.random() < 0.4:
            return [Do(Assign("=", Var("fp"), FunctionName(rng.choice(("g1", "g2")))))]
        call = CallPointer(Var("fp"), self._expr(1))
        if rng.random() < 0.3:
            return [Do(call)]
        return [Do(Assign(rng.choice(("=", "+=")), self._shared_place(write=True), call))]

    def _condition(self, pure: bool = False) -> Expr:
        rng = self._rng
        uninitialised = self._names("uninitialised")
        if uninitialised and rng.random() < 0.4:
            return IsEqual(rng.choice(uninitialised), rng.randrange(4))
        compared = Binary(rng.choice(("==", "!=", "<", ">=", "==")), self._expr(1, pure), Const(rng.randrange(3)))
        if self._has("logic", 0.4):
            return Binary(rng.choice(("&&", "||")), compared, self._condition(pure))
        return compared if rng.random() < 0.7 else self._expr(2, pure)

    # Statements

    def _nested(self, size: int, make: Callable[[], Body] | None = None) -> Body:
        self._scopes.append(_Scope())
        body = make() if make is not None else self._body(size)
        self._scopes.pop()
        return body

    def _body(self, size: int) -> Body:
        out: list[Stmt] = []
        for _ in range(size):
            if self._budget <= 0:
                break
            self._budget -= 1
            out.extend(self._statement())
            if out and isinstance(out[-1], (Break, Continue, Return, Goto)):
                break
        return tuple(out)

    def _inner(self) -> int:
        return self._rng.choice((1, 1, 2, 2, 3))

    def _statement(self) -> list[Stmt]:
        rng = self._rng
        kinds: list[tuple[Callable[[], list[Stmt]], float]] = [(self._assignment, 6), (self._local, 2.5)]

        def add(feature: str, make: Callable[[], list[Stmt]], weight: float, when: bool = True) -> None:
            if feature in self._features and when:
                kinds.append((make, weight))

        free = self._atomic == 0
        deep = len(self._scopes) > 5
        add("if", self._if, 3, not deep)
        add("while", self._while, 1.2, not deep)
        add("for", self._for, 1.5, not deep)
        add("do", self._do, 1.0, not deep)
        add("switch", self._switch, 1.5, not deep)
        add("goto", self._region, 1.2, not deep)
        add("goto", self._goto, 2, bool(self._labels))
        add("retry", self._retry, 1.2, not deep)
        add("into", self._into, 1.5, not deep and free)
        add("break", self._break, 2.5, bool(self._breakable))
        add("return", self._return, 0.7, free)
        add("mutex", self._locked, 2, free and not deep)
        add("trylock", self._try, 1.2, free and not deep)
        add("cond", self._cond, 2.5, free and not deep and self._role != "helper")
        add("atomic", self._section, 2, not deep)
        add("atomicbranch", self._section_of_branches, 2, free and not deep and not self._breakable)
        add("builtin", lambda: [Do(self._builtin())], 3)
        add("swap", self._swap, 2)
        add("copy", self._copy, 3, any(v.name == "q.u" for v in self._shared))
        add("call", self._calls, 2, bool(self._helpers))
        add("atomicfunction", self._calls, 1, bool(self._helpers))
        add("uninitialised", self._undefined, 2)
        add("choose", self._choose, 1)
        add("assume", self._assume, 1)
        add("threadexit", self._thread_exit, 0.6, free and self._role == "thread")
        add("exit", self._exit, 0.5, free)
        add("static", self._static, 0.6)
        add("assert", lambda: [Assert(self._condition())], 0.4)
        add("fail", lambda: [If(self._condition(), (Fail(),))], 0.3)
        add("mainexit", self._thread_exit, 0.5, free and self._role != "thread")
        add("functionpointer", self._call_pointer, 2, "fp" in self._names("function") and self._role != "helper")
        add("conditionallock", self._conditional_lock, 1, free and not deep and bool(self._mutexes))
        add("startpointer", self._start, 0.7, "tp" in self._names("start") and len(self._starts) > 1)
        add("localarray", self._local_array, 0.7)
        add("block", self._block, 0.7, not deep)
        add("pointer", self._pointing, 1)
        add("misuse", lambda: [Unlock(rng.choice(self._mutexes))], 0.2, bool(self._mutexes))
        makes, weights = zip(*kinds, strict=True)
        return list(rng.choices(makes, weights)[0]())

    def _assignment(self) -> list[Stmt]:
        rng = self._rng
        locals_ = self._names("local")
        if locals_ and rng.random() < 0.25:
            target: Expr = Var(rng.choice(locals_))
        else:
            target = self._shared_place(write=True)
        if self._names("localarray") and rng.random() < 0.1:
            target = Index(rng.choice(self._names("localarray")), self._masked())
        roll = rng.random()
        if roll < 0.25:
            return [Do(Increment(rng.choice(("++", "++", "--")), rng.random() < 0.3, target))]
        if roll < 0.45:
            return [Do(Assign(rng.choice(("+=", "-=", "|=", "^=", "&=")), target, self._expr(1)))]
        if roll < 0.55 and self._has("comma"):
            return [Do(Binary(",", self._effect(), self._effect()))]
        if roll < 0.6 and self._has("ternary"):
            return [Do(Ternary(self._condition(), self._effect(), self._effect()))]
        if roll < 0.65 and self._has("logic"):
            return [Do(Binary(rng.choice(("&&", "||")), self._condition(), self._effect()))]
        return [Do(Assign("=", target, self._expr()))]

    def _local(self) -> list[Stmt]:
        type_ = self._any_type()
        value = self._expr()
        return [Declare(type_, self._declare(type_), value)]

    def _undefined(self) -> list[Stmt]:
        name = self._declare("int", "uninitialised")
        out: list[Stmt] = [Declare("int", name)]
        if self._rng.random() < 0.6:
            then = self._nested(1)
            out.append(If(IsEqual(name, self._rng.randrange(4)), then))
        if self._rng.random() < 0.4:
            out.append(Do(Assign("=", Var(name), self._expr(1))))
        return out

    def _choose(self) -> list[Stmt]:
        low = self._rng.choice((0, 0, 1, -1))
        name = self._declare("int")
        return [Choose("int", name, low, low + self._rng.choice((1, 2)), self._rng.random() < 0.5)]

    def _assume(self) -> list[Stmt]:
        return [Assume(self._condition())]

    def _static(self) -> list[Stmt]:
        type_ = self._any_type()
        name = self._fresh("s")
        self._scopes[-1].names[name] = (name, type_, "shared")
        return [Static(type_, name, self._rng.randrange(2))]

    def _local_array(self) -> list[Stmt]:
        name = self._fresh("la")
        type_ = self._any_type()
        self._scopes[-1].names[name] = (name, type_, "localarray")
        return [DeclareArray(type_, name, 2, tuple(self._rng.randrange(3) for _ in range(self._rng.choice((1, 2)))))]

    def _block(self) -> list[Stmt]:
        return [Block(self._nested(self._inner()))]

    def _pointing(self) -> list[Stmt]:
        pointers = self._names("pointer")
        if pointers and self._rng.random() < 0.6:
            return [Do(Assign("=", Var(self._rng.choice(pointers)), self._address()))]
        value = self._address()
        name = self._fresh("p")
        self._scopes[-1].names[name] = (name, "*int", "pointer")
        return [Declare("*int", name, value)]

    # Atomic accesses, and copies of structs

    def _addressable(self) -> tuple[Expr, str, bool]:
        """Something with an address, its type, and whether it is atomic."""
        places: list[tuple[Expr, str, bool]] = []
        for v in self._shared:
            if v.name in self._names("shared", "array") and "." not in v.name and not v.const and v.type in _NARROW:
                place = Index(v.name, self._masked()) if v.size is not None else Var(v.name)
                places.append((place, v.type, v.atomic))
        places += [(Deref(Var(name)), "int", False) for name in self._names("pointer")]
        places += [(Var("x"), "int", False)] if not places else []
        return self._rng.choice(places)

    def _builtin(self, wanted: bool = False) -> Expr:
        """A built-in that is one step. wanted: its value is used."""
        rng = self._rng
        target, type_, atomic = self._addressable()
        style = rng.choice(("c11", "c11", "gnu")) if atomic else rng.choice(("gnu", "sync"))
        actions = ["exchange"]
        if style != "sync":
            actions.append("load")
        if not wanted:
            actions.append("store")
        if type_ != "bool":
            actions += ["fetch", "fetch"] if style == "c11" else ["fetch", "new"]
        elif style == "gnu":
            actions.append("set")
        action = rng.choice(actions)
        op = rng.choice(("add", "sub", "and", "or", "xor")) if action in ("fetch", "new") else ""
        if op and style != "c11" and rng.random() < 0.15:
            op = "nand"
        value = None if action in ("load", "set") else self._expr(1, pure=True)
        return Atomic(style, action, op, target, value)

    def _swap(self) -> list[Stmt]:
        rng = self._rng
        target, type_, atomic = self._addressable()
        out: list[Stmt] = []
        expected: Expr = Const(rng.randrange(3))
        form = rng.choice(("strong", "strong", "weak") if atomic else ("bool", "val", "strong", "weak"))
        if form in ("strong", "weak"):
            same = [
                v.name for v in self._shared if v.type == type_ and v.size is None and v.name in self._names("shared")
            ]
            same = [name for name in same if target != Var(name) and "." not in name]
            if same and rng.random() < 0.3:
                expected = Var(rng.choice(same))
            else:
                name = self._declare(type_)
                out.append(Declare(type_, name, expected))
                expected = Var(name)
        swap = Swap(form, atomic and rng.random() < 0.7, target, expected, self._expr(1, pure=True))
        roll = rng.random()
        if roll < 0.3:
            return [*out, Do(swap)]
        if roll < 0.6:
            return [*out, If(swap, self._nested(1), self._nested(1) if rng.random() < 0.5 else None)]
        return [*out, Do(Assign("=", self._shared_place(write=True), swap))]

    def _copy(self) -> list[Stmt]:
        rng = self._rng
        locals_ = self._names("record")
        shared = ["r", "q"]
        roll = rng.random()
        if roll < 0.4 or not locals_:
            if rng.random() < 0.4:
                rng.shuffle(shared)
                return [CopyRecord(*shared)]
            name = self._fresh("l")
            copy = CopyRecord(name, rng.choice([*shared, *locals_]), declares=True)
            self._scopes[-1].names[name] = (name, "record", "record")
            for v in self._shared:
                if v.name.startswith("r."):
                    member = name + v.name[1:]
                    self._scopes[-1].names[member] = (member, v.type, "local")
            return [copy]
        pair = [rng.choice(locals_), rng.choice(shared)]
        rng.shuffle(pair)
        return [CopyRecord(*pair)]

    # Control

    def _if(self) -> list[Stmt]:
        cond = self._condition()
        then = self._nested(self._inner())
        other = self._nested(self._inner()) if self._rng.random() < 0.5 else None
        return [If(cond, then, other)]

    def _loop_body(self, size: int, kind: str = "loop") -> Body:
        outer, self._breakable = self._breakable, kind
        self._loops += 1
        labels, self._labels = self._labels, list(self._labels)
        body = self._nested(size)
        self._labels = labels
        self._loops -= 1
        self._breakable = outer
        return body

    def _while(self) -> list[Stmt]:
        rng = self._rng
        if rng.random() < 0.3:
            return [While(Const(1), (*self._loop_body(self._inner()), If(self._condition(), (Break(),))))]
        return [While(self._condition(), self._loop_body(self._inner()))]

    def _do(self) -> list[Stmt]:
        body = self._loop_body(self._inner())
        return [DoWhile(body, self._condition())]

    def _for(self) -> list[Stmt]:
        rng = self._rng
        self._scopes.append(_Scope())
        type_ = self._any_type()
        if type_ == "bool" and not self._has("forbool"):
            type_ = "int"
        kind = "counter" if rng.random() < 0.7 else "local"
        name = self._declare(type_, kind)
        limit: Expr = Const(rng.choice((1, 2, 2, 3))) if rng.random() < 0.6 else self._expr(1)
        up = rng.random() < 0.8
        start: Expr = Const(rng.choice((0, 0, 0, 1)))
        if not up:
            start, limit = limit, start
        cond = Binary(rng.choice(("<", "<", "!=", "<=")) if up else ">", Var(name), limit)
        step: Expr = Increment("++" if up else "--", rng.random() < 0.5, Var(name))
        if rng.random() < 0.2:
            step = Assign("+=" if up else "-=", Var(name), Const(2 if rng.random() < 0.3 else 1))
        if rng.random() < 0.1:
            step = Assign("=", Var(name), Binary("+" if up else "-", Var(name), Const(1)))
        if self._has("comma", 0.2):
            step = Binary(",", step, self._effect())
        body = self._loop_body(self._inner())
        declared = rng.random() < 0.8
        self._scopes.pop()
        if declared:
            return [For(Declare(type_, name, start), cond, step, body)]
        if c_name(name) in self._scopes[-1].names:
            return [For(Declare(type_, name, start), cond, step, body)]
        self._scopes[-1].names[c_name(name)] = (name, type_, "local")
        return [Declare(type_, name, Const(rng.randrange(2))), For(Do(Assign("=", Var(name), start)), cond, step, body)]

    def _switch(self) -> list[Stmt]:
        rng = self._rng
        value = self._expr()
        outer, self._breakable = self._breakable, "switch" if not self._loops else self._breakable or "switch"
        values: list[int | None] = rng.sample([0, 1, 2, 3], rng.choice((1, 2, 3)))
        if rng.random() < 0.6:
            values.insert(rng.randrange(len(values) + 1), None)
        cases = []
        self._scopes.append(_Scope())
        for number in values:
            self._scopes.append(_Scope())
            body: Body = self._body(self._inner())
            self._scopes.pop()
            if rng.random() < 0.6 and not (body and isinstance(body[-1], (Break, Continue, Return, Goto))):
                body = (Block(body), Break()) if rng.random() < 0.5 else (*body, Break())
            cases.append(Case(number, body))
        self._scopes.pop()
        self._breakable = outer
        return [Switch(value, tuple(cases))]

    def _break(self) -> list[Stmt]:
        leave: Stmt = Continue() if self._loops and self._rng.random() < 0.4 else Break()
        if self._rng.random() < 0.15:
            return [leave]
        return [If(self._condition(), (*self._nested(self._rng.randrange(2)), leave))]

    def _region(self) -> list[Stmt]:
        """Statements with a label behind them."""
        label = self._fresh("L")
        labels, self._labels = self._labels, [*self._labels, label]
        self._scopes.append(_Scope())
        body = list(self._body(self._inner() + 1))
        self._scopes.pop()
        self._labels = labels
        if self._rng.random() < 0.5 and body:
            body.insert(self._rng.randrange(len(body)), If(self._condition(), (Goto(label),)))
        return [*body, Label(label)]

    def _retry(self) -> list[Stmt]:
        """Statements with a jump back to in front of them, and perhaps others from inside."""
        label = self._fresh("R")
        labels, self._labels = self._labels, [*self._labels, *([label] if self._rng.random() < 0.5 else [])]
        self._scopes.append(_Scope())
        body = self._body(self._inner())
        self._scopes.pop()
        self._labels = labels
        if body and isinstance(body[-1], (Break, Continue, Return, Goto)):
            body = (If(self._condition(), body),)
        return [Label(label), *body, If(self._condition(), (Goto(label),))]

    def _goto(self) -> list[Stmt]:
        jump = Goto(self._rng.choice(self._labels))
        if self._rng.random() < 0.1:
            return [jump]
        return [If(self._condition(), (*self._nested(self._rng.randrange(2)), jump))]

    def _into(self) -> list[Stmt]:
        """A jump into a block."""
        label = self._fresh("L")
        before = If(self._condition(), (Goto(label),))
        between = self._nested(1)
        cond = self._condition()
        inside = (*self._nested(1), Label(label), *self._nested(1))
        last = If(cond, inside) if self._rng.random() < 0.6 else If(cond, self._nested(1), inside)
        if self._rng.random() < 0.2:
            return [before, *between, Block(inside)]
        return [before, *between, last]

    def _return(self) -> list[Stmt]:
        value = self._result()
        if self._role == "main" and not self._has("mainreturn"):
            return []
        return [If(self._condition(), (*self._nested(self._rng.randrange(2)), Return(value)))]

    def _result(self) -> Expr | None:
        if self._role == "helper":
            return self._expr(1) if self._type != "void" else None
        return Const(0) if self._role == "main" else self._expr(1) if self._has("result") else None

    def _thread_exit(self) -> list[Stmt]:
        value = self._expr(1, pure=True) if self._has("result") and self._role == "thread" else None
        return [If(self._condition(), (ThreadExit(value),))]

    def _exit(self) -> list[Stmt]:
        return [If(self._condition(), (Exit(self._rng.choice(("exit(0)", "abort()"))),))]

    # Synchronisation

    def _locked(self) -> list[Stmt]:
        mutex = self._rng.choice(self._mutexes)
        body = self._body(self._inner())
        if body and isinstance(body[-1], (Break, Continue, Return, Goto)):
            body = body[:-1]
        return [Lock(mutex), *body, Unlock(mutex)]

    def _conditional_lock(self) -> list[Stmt]:
        name = self._fresh("w")
        on = Binary("!=", Var(name), Const(0))
        mutex = self._mutexes[0]
        first = Declare("int", name, self._expr(1))
        body = self._nested(self._inner())
        if body and isinstance(body[-1], (Break, Continue, Return, Goto)):
            body = body[:-1]
        self._scopes[-1].names[name] = (name, "int", "counter")
        return [first, If(on, (Lock(mutex),)), Block(body), If(on, (Unlock(mutex),))]

    def _start(self) -> list[Stmt]:
        return [Do(Assign("=", Var("tp"), FunctionName(self._rng.choice(self._starts))))]

    def _try(self) -> list[Stmt]:
        mutex = self._rng.choice(self._mutexes)
        then = (*self._nested(self._inner()), Unlock(mutex))
        other = self._nested(1) if self._rng.random() < 0.4 else None
        if self._rng.random() < 0.2:
            return [If(Binary("!=", TryLock(mutex), Const(0)), self._nested(1), then)]
        if self._rng.random() < 0.2:
            return [If(Unary("!", TryLock(mutex)), then, other)]
        return [If(Binary("==", TryLock(mutex), Const(0)), then, other)]

    def _cond(self) -> list[Stmt]:
        rng = self._rng
        mutex, cond = self._mutexes[0], self._conds[0]
        if rng.random() < 0.5:
            test = Binary(rng.choice(("==", "<", ">")), Var("x"), Const(rng.randrange(2)))
            loop: Stmt = While(test, (Wait(cond, mutex),)) if rng.random() < 0.7 else If(test, (Wait(cond, mutex),))
            return [Lock(mutex), loop, *self._nested(self._inner()), Unlock(mutex)]
        wake: Stmt = Signal(cond) if rng.random() < 0.5 else Broadcast(cond)
        change = Do(Assign("=", Var("x"), Const(rng.randrange(3))))
        if rng.random() < 0.7:
            return [Lock(mutex), change, wake, Unlock(mutex)]
        return [change, wake]

    def _section(self) -> list[Stmt]:
        self._atomic += 1
        outer, self._breakable, loops, self._loops = self._breakable, "", self._loops, 0
        labels, self._labels = self._labels, []
        body = list(self._nested(self._inner() + 1))
        self._labels = labels
        self._breakable, self._loops = outer, loops
        self._atomic -= 1
        if outer and self._rng.random() < 0.3:
            body.insert(self._rng.randrange(len(body) + 1), If(self._condition(True), (AtomicEnd(), Break())))
        elif labels and self._rng.random() < 0.3:
            jump = Goto(self._rng.choice(labels))
            body.insert(self._rng.randrange(len(body) + 1), If(self._condition(True), (AtomicEnd(), jump)))
        return [AtomicBegin(), *body, AtomicEnd()]

    def _section_of_branches(self) -> list[Stmt]:
        """Atomic sections that begin or end in branches."""
        rng = self._rng
        roll = rng.random()
        labels, self._labels = self._labels, []
        self._atomic += 1
        inside = self._nested(self._inner())
        self._atomic -= 1
        if roll < 0.3:
            first = If(self._condition(), (*self._nested(1), AtomicBegin()), (AtomicBegin(), *self._atomically(1)))
            out: list[Stmt] = [first, *inside, AtomicEnd()]
        elif roll < 0.6:
            last = If(self._condition(), (AtomicEnd(), *self._nested(1)), (*self._atomically(1), AtomicEnd()))
            out = [AtomicBegin(), *inside, last]
        else:
            name = self._fresh("w")
            on = Binary("!=", Var(name), Const(0))
            begin, end = If(on, (AtomicBegin(),)), If(on, (AtomicEnd(),))
            out = [Declare("int", name, self._expr(1)), begin, *self._nested(self._inner()), end]
            self._scopes[-1].names[name] = (name, "int", "counter")
        self._labels = labels
        return out

    def _atomically(self, size: int) -> Body:
        self._atomic += 1
        body = self._nested(size)
        self._atomic -= 1
        return body

    def _calls(self) -> list[Stmt]:
        helpers = self._helpers
        if not helpers:
            return []
        if self._callable() and self._rng.random() < 0.6:
            call = self._call()
            if self._rng.random() < 0.5:
                return [Do(Assign(self._rng.choice(("=", "=", "+=")), self._shared_place(write=True), call))]
            type_ = self._any_type()
            return [Declare(type_, self._declare(type_), call)]
        return [Do(self._call(void=True))]

    # Programs

    def program(self) -> Program:
        """The program; its assertions are random, or there is one `Observe` at least."""
        self._make_shared()
        top = _Scope()
        for v in self._shared:
            kind = "const" if v.const else "array" if v.size else "thread" if v.type == "thread" else "shared"
            kind = "pointer" if v.type[0] == "*" else {"fn": "function", "tfn": "start"}.get(v.type, kind)
            kind = "arraypointer" if v.name == "ap" else kind
            top.names[v.name] = (v.name, v.type, kind)
        self._scopes = [top]
        if self._features & {"call", "recursion", "atomicfunction"}:
            self._make_helpers()
        if "functionpointer" in self._features:
            self._make_targets()
        threads = self._make_threads()
        main = self._make_main(threads)
        first = self._starts[0] if self._starts else ""
        self._shared = [Shared("tfn", "tp", first) if v.name == "tp" else v for v in self._shared]
        return Program(tuple(self._shared), self._mutexes, self._conds, (*self._functions, *threads, main))

    def _make_shared(self) -> None:
        rng = self._rng
        self._shared = [Shared("int", "x", rng.choice((0, 0, 1)))]
        for name in ("y", "z")[: rng.choice((1, 1, 2))]:
            atomic = self._has("atomicobject", 0.7)
            self._shared.append(Shared(self._any_type(), name, rng.choice((0, 0, 1)), atomic=atomic))
        if "array" in self._features:
            self._shared.append(Shared(self._any_type(), "a", (rng.randrange(2), rng.randrange(2)), 2))
        if "struct" in self._features:
            bits = self._has("bitfield")
            self._shared.append(Shared("u3" if bits else self._any_type(), "r.u", 0))
            self._shared.append(Shared("s2" if bits else self._any_type(), "r.v", 1))
            if "copy" in self._features:
                if rng.random() < 0.3:
                    self._shared.append(Shared("u3" if bits and rng.random() < 0.5 else "int", "r.w", 0))
                own = [v for v in self._shared if v.name.startswith("r.")]
                self._shared += [Shared(v.type, "q" + v.name[1:], rng.randrange(2)) for v in own]
        if "const" in self._features:
            self._shared.append(Shared("int", "k", rng.randrange(3), const=True))
        if "pointer" in self._features and rng.random() < 0.5:
            self._shared.append(Shared("*int", "gp", "x"))
        if "arraypointer" in self._features:
            self._shared = [v for v in self._shared if v.name != "a"]
            self._shared.append(Shared("int", "a", (rng.randrange(2), rng.randrange(2)), 2))
            self._shared.append(Shared("*int", "ap", "a"))
        if "functionpointer" in self._features:
            self._shared.append(Shared("fn", "fp", "g1"))
        if "startpointer" in self._features:
            self._shared.append(Shared("tfn", "tp", ""))
        if "globalthread" in self._features:
            self._shared.append(Shared("thread", "gt", 0))

    def _enter(self, role: str, type_: str, size: int) -> None:
        self._role, self._type = role, type_
        self._budget = size
        self._labels, self._breakable, self._loops, self._atomic = [], "", 0, 0
        self._scopes = [self._scopes[0], _Scope()]

    def _parameter(self, type_: str, kind: str) -> tuple[str, str]:
        name = self._fresh("p" if type_[0] == "*" else "l")
        self._scopes[-1].names[name] = (name, type_, kind)
        return type_, name

    def _make_helpers(self) -> None:
        rng = self._rng
        for _ in range(rng.choice((1, 1, 2))):
            type_ = rng.choice(("void", "int", "int", self._any_type()))
            self._enter("helper", type_, rng.choice((1, 2, 3)))
            name = self._fresh("__VERIFIER_atomic_f" if self._has("atomicfunction", 0.5) else "f")
            self._atomic = int(name.startswith("__VERIFIER"))
            parameters = []
            before: list[Stmt] = []
            if "recursion" in self._features and rng.random() < 0.6:
                parameters.append(("int", self._fresh("depth")))
                self._scopes[-1].names[parameters[0][1]] = (parameters[0][1], "int", "counter")
            if rng.random() < 0.5:
                ptype = self._any_type()
                parameters.append(self._parameter(ptype, "local"))
            if "pointer" in self._features and rng.random() < 0.4:
                parameters.append(self._parameter("*int", "pointer"))
            body = [*before, *self._body(3)]
            if parameters and parameters[0][1].startswith("depth"):
                body.append(self._recurse(name, type_, parameters))
            if type_ != "void":
                body.append(Return(self._expr(1)))
            function = Function(name, "helper", type_, tuple(parameters), tuple(body))
            self._functions.append(function)
            self._helpers.append(function)
        self._scopes = self._scopes[:1]

    def _make_targets(self) -> None:
        """The functions that `fp` can point to."""
        for name in ("g1", "g2"):
            self._enter("helper", "int", 2)
            parameter = self._parameter("int", "local")
            body = (*self._body(self._rng.choice((0, 1, 2))), Return(self._expr(1)))
            self._functions.append(Function(name, "helper", "int", (parameter,), body))
        self._scopes = self._scopes[:1]

    def _recurse(self, name: str, type_: str, parameters: list[tuple[str, str]]) -> Stmt:
        depth = Var(parameters[0][1])
        arguments: list[Expr] = [Binary("-", depth, Const(1))]
        for ptype, parameter in parameters[1:]:
            arguments.append(Var(parameter) if ptype[0] == "*" else self._expr(1))
        call = Call(name, tuple(arguments))
        inner: Expr = call
        if type_ != "void":
            inner = Assign(self._rng.choice(("=", "+=")), self._shared_place(write=True), call)
        after = self._nested(1)
        return If(Binary(">", depth, Const(0)), (Do(inner), *after))

    def _make_threads(self) -> list[Function]:
        rng = self._rng
        threads: list[Function] = []
        count = rng.choice((1, 2, 2))
        if "nested" in self._features:
            count = 2
        for number in range(count):
            self._enter("thread", "void", max(1, self._size + rng.randrange(-1, 2)))
            parameters: tuple[tuple[str, str], ...] = ()
            if "argument" in self._features and rng.random() < 0.6:
                pointer = "pointer" in self._features and rng.random() < 0.6
                parameters = (self._parameter(*(("*int", "pointer") if pointer else (self._any_type(), "local"))),)
            before = self._escaping_local()
            body: list[Stmt] = [*before, *self._body(self._size)]
            if "nested" in self._features and number and rng.random() < 0.8:
                self._insert_creation(body, [threads[0]], 0)
            body.extend(self._checks(0.5))
            if self._has("result", 0.5):
                body.append(Return(self._expr(1)))
            threads.append(Function(self._fresh("t"), "thread", "void", parameters, tuple(body)))
            if not parameters:
                self._starts.append(threads[-1].name)
        return threads

    def _escaping_local(self) -> list[Stmt]:
        if not self._has("local", 0.6) or "pointer" not in self._features:
            return []
        name = self._fresh("e")
        self._scopes[-1].names[name] = (name, "int", "escaping")
        return [Declare("int", name, Const(self._rng.randrange(3)))]

    def _argument(self, f: Function) -> Expr | None:
        if not f.parameters:
            return None
        if f.parameters[0][0][0] == "*":
            return self._address()
        return self._expr(1, pure=True) if self._rng.random() < 0.4 else Const(self._rng.randrange(4))

    def _creation(self, f: Function) -> tuple[list[Stmt], str]:
        """Statements that create a thread, and the variable that names it."""
        if f.name in self._starts and self._has("startpointer", 0.6):
            name = self._fresh("h")
            return [Declare("thread", name), Create(name, "tp")], name
        if self._has("globalthread", 0.5):
            return [Create("gt", f.name, self._argument(f))], "gt"
        name = self._fresh("h")
        return [Declare("thread", name), Create(name, f.name, self._argument(f))], name

    def _creating_function(self, f: Function) -> list[Stmt]:
        """Calls of a new function that creates a thread."""
        name = self._fresh("f")
        parameter, thread = self._fresh("l"), self._fresh("h")
        argument = None
        if f.parameters:
            argument = Var(parameter) if f.parameters[0][0][0] != "*" else AddressOf(Var("x"))
        body: list[Stmt] = [Declare("thread", thread), Create(thread, f.name, argument)]
        if self._rng.random() < 0.3:
            body.append(Join(thread))
        self._functions.append(Function(name, "helper", "void", (("int", parameter),), tuple(body)))
        call = Do(Call(name, (self._expr(1, pure=True),)))
        return [call, call] if self._rng.random() < 0.4 else [call]

    def _insert_creation(self, body: list[Stmt], threads: list[Function], least: int) -> None:
        """Put creations, and some joins, between the statements."""
        rng = self._rng
        position = least
        for f in threads:
            create, name = self._creation(f)
            sure = True
            if self._has("branchcreate", 0.4) and len(create) == 2:
                other = rng.choice(threads)
                branch = If(self._condition(True), (create[1],), None if rng.random() < 0.5 else
                            (Create(name, other.name, self._argument(other)),))  # fmt: skip
                create, sure = [create[0], branch], branch.other is not None
            elif self._has("callcreate", 0.4) and len(create) == 2:
                create, sure = self._creating_function(f), False
            elif self._has("loopcreate", 0.3) and len(create) == 2:
                i = self._fresh("i")
                loop = For(Declare("int", i, Const(0)), Binary("<", Var(i), Const(rng.choice((1, 2)))),
                           Increment("++", False, Var(i)), (create[1],))  # fmt: skip
                create = [create[0], loop]
            position = rng.randrange(position, len(body) + 1) if rng.random() < 0.5 else position
            body[position:position] = create
            position += len(create)
            if self._has("join", 0.7) and sure and (name != "gt" or rng.random() < 0.5):
                at = rng.randrange(position, len(body) + 1) if rng.random() < 0.5 else len(body)
                result = self._fresh("j") if self._has("result", 0.5) else None
                body.insert(at, Join(name, result))

    def _make_main(self, threads: list[Function]) -> Function:
        rng = self._rng
        self._enter("main", "int", self._size)
        before = self._escaping_local()
        size = rng.choice((0, 0, 1, 2, self._size - 1))
        alone = list(before) + (list(self._body(1)) if rng.random() < 0.3 else [])
        body: list[Stmt] = [*alone, *self._body(size)]
        started = list(threads) if "nested" not in self._features else [threads[-1]]
        if len(started) == 1 and "nested" not in self._features and rng.random() < 0.7:
            started = started * 2
        if self._size <= 3 and len(started) == 2 and rng.random() < 0.15:
            started.append(rng.choice(started))
        rng.shuffle(started)
        self._insert_creation(body, started, len(before) if rng.random() < 0.5 else len(alone))
        body.extend(self._checks(0.9))
        if rng.random() < 0.7:
            body.append(Return(Const(0)))
        return Function("main", "main", "int", (), tuple(body))

    def _checks(self, chance: float) -> list[Stmt]:
        if self._rng.random() > chance:
            return []
        self._role = "helper" if self._role == "helper" else self._role
        places: list[Expr] = [
            Var(v.name) for v in self._shared if v.size is None and v.type not in ("*int", "thread", "fn", "tfn")
        ]
        places += [Index(v.name, Const(i)) for v in self._shared if v.size for i in range(2)]
        places += [Var(name) for name in self._names("local") if "#" not in name]
        chosen = self._rng.sample(places, min(len(places), self._rng.choice((1, 2, 2, 3))))
        total: Expr = chosen[0]
        for number, place in enumerate(chosen[1:], 1):
            total = Binary("+", total, Binary("*", place, Const(10**number)))
        return [Observe(self._fresh("o"), total)]


_HEAVY = (
    "mutex", "trylock", "cond", "atomic", "atomicbranch", "atomicfunction", "while", "do", "for", "break", "goto",
    "into", "switch", "return", "mutextypes", "call", "recursion", "callcreate", "branchcreate", "nested",
)  # fmt: skip


def features_of(rng: random.Random) -> set[str]:
    """A random mix of features: few at a time show more than all together."""
    share = rng.choice((0.12, 0.2, 0.35, 0.5))
    chosen = {f for f in FEATURES if rng.random() < share}
    if rng.random() < 0.25:
        chosen = {f for f in FEATURES if rng.random() < 0.1} | {f for f in _HEAVY if rng.random() < 0.6}
    if rng.random() < 0.8:
        chosen.add("join")
    if rng.random() < 0.9:
        chosen.discard("misuse")
    if rng.random() < 0.15:
        chosen |= {"atomicobject", "builtin", "swap"}
    if "copy" in chosen:
        chosen.add("struct")
    return chosen | {"if"}
