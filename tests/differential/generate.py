"""Random small multi-threaded programs, as data."""

import random
from collections.abc import Callable

from tests.differential import reference as ref

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
        self._shared: list[ref.Shared] = []
        self._scopes: list[_Scope] = []
        self._functions: list[ref.Function] = []
        self._helpers: list[ref.Function] = []
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
        self._scopes[-1].names[ref.c_name(name)] = (name, type_, kind)
        return name

    def _visible(self) -> dict[str, tuple[str, str, str]]:
        found: dict[str, tuple[str, str, str]] = {}
        for scope in self._scopes:
            found.update(scope.names)
        return found

    def _names(self, *kinds: str) -> list[str]:
        return [name for name, _, kind in self._visible().values() if kind in kinds]

    # Expressions

    def _leaf(self) -> ref.Expr:
        rng = self._rng
        roll = rng.random()
        locals_, shared = self._names("local", "counter", "escaping"), self._names("shared", "const")
        if roll < 0.5 and shared:
            return self._shared_place(shared)
        if roll < 0.75 and locals_:
            return ref.Var(rng.choice(locals_))
        arrays = self._names("localarray")
        if roll < 0.8 and arrays:
            return ref.Index(rng.choice(arrays), self._masked())
        return ref.Const(rng.choice((0, 0, 1, 1, 1, 2, 3)))

    def _masked(self) -> ref.Expr:
        index: ref.Expr = self._leaf() if self._rng.random() < 0.6 else ref.Const(self._rng.randrange(2))
        return index if isinstance(index, ref.Const) and index.value < 2 else ref.Binary("&", index, ref.Const(1))

    def _shared_place(self, shared: list[str] | None = None, write: bool = False) -> ref.Expr:
        """Something shared, to read or to write."""
        rng = self._rng
        arrays, pointers = self._names("array"), self._names("pointer")
        into = self._names("arraypointer")
        if into and rng.random() < 0.3:
            if rng.random() < 0.2:
                return ref.Deref(ref.Var(rng.choice(into)))
            return ref.PointerIndex(ref.Var(rng.choice(into)), self._masked(), rng.random() < 0.6)
        if arrays and rng.random() < 0.25:
            return ref.Index(rng.choice(arrays), self._masked())
        if pointers and rng.random() < 0.3:
            return ref.Deref(ref.Var(rng.choice(pointers)))
        names = (self._names("shared", "escaping") if write else shared) or self._names("shared")
        return ref.Var(rng.choice(names))

    def _effect(self) -> ref.Expr:
        """An expression with a side effect."""
        rng = self._rng
        roll = rng.random()
        place = self._shared_place(write=True)
        if roll < 0.4:
            return ref.Increment(rng.choice(("++", "--")), rng.random() < 0.5, place)
        if roll < 0.6:
            return ref.Assign(rng.choice(("=", "+=", "^=", "-=")), place, self._expr(1, pure=True))
        if roll < 0.85 and self._callable():
            return self._call(pure=True)
        if roll < 0.95 and self._has("builtin", 0.7):
            return self._builtin(wanted=True)
        if self._has("trylock") and self._role != "main" and rng.random() < 0.2:
            return ref.TryLock(rng.choice(self._mutexes))
        return ref.Increment(rng.choice(("++", "--")), rng.random() < 0.5, place)

    def _callable(self) -> list[ref.Function]:
        return [f for f in self._helpers if f.type != "void"] if self._has("call") else []

    def _call(self, pure: bool = False, void: bool = False) -> ref.Expr:
        f = self._rng.choice([h for h in self._helpers if void or h.type != "void"])
        arguments: list[ref.Expr] = []
        for type_, name in f.parameters:
            if type_[0] == "*":
                arguments.append(self._address())
            elif name.startswith("depth"):
                arguments.append(ref.Const(self._rng.randrange(3)))
            else:
                arguments.append(self._expr(1, pure=pure))
        return ref.Call(f.name, tuple(arguments))

    def _address(self) -> ref.Expr:
        rng = self._rng
        pointers = [n for n in self._names("pointer") if n.startswith("p")]
        if pointers and rng.random() < 0.4:
            return ref.Var(rng.choice(pointers))
        ints = [v.name for v in self._shared if v.type == "int" and v.size is None and not (v.const or v.atomic)]
        ints = [n for n in ints if n in self._names("shared")]
        ints += [n for n in self._names("escaping") if self._role != "helper"] * 2
        return ref.AddressOf(ref.Var(rng.choice(ints))) if ints else ref.AddressOf(ref.Var("x"))

    def _expr(self, depth: int = 2, pure: bool = False) -> ref.Expr:
        rng = self._rng
        roll = rng.random()
        if depth == 0 or roll < 0.4:
            return self._leaf()
        if not pure and self._has("effects", 0.2):
            return self._effect()
        if roll < 0.7:
            op = rng.choice(("+", "+", "-", "&", "|", "^", "==", "!=", "<", ">", "<=", "*"))
            left, right = self._expr(depth - 1, pure), self._expr(depth - 1, True)
            return ref.Binary(op, left, ref.Const(rng.choice((2, 3))) if op == "*" else right)
        if roll < 0.8 and "logic" in self._features:
            return ref.Binary(rng.choice(("&&", "||")), self._expr(depth - 1, pure), self._expr(depth - 1, pure))
        if roll < 0.85 and "ternary" in self._features:
            return ref.Ternary(self._expr(depth - 1, pure), self._expr(depth - 1, pure), self._expr(depth - 1, pure))
        if roll < 0.9:
            return ref.Unary(rng.choice(("!", "-", "~")), self._expr(depth - 1, pure))
        if roll < 0.93 and self._has("cast"):
            return ref.Cast(rng.choice(_NARROW), self._expr(depth - 1, pure))
        if roll < 0.96 and self._has("comma") and not pure:
            return ref.Binary(",", self._effect(), self._expr(depth - 1))
        if self._callable() and not pure:
            return self._call()
        return self._leaf()

    def _call_pointer(self) -> list[ref.Stmt]:
        rng = self._rng
        if rng.random() < 0.4:
            return [ref.Do(ref.Assign("=", ref.Var("fp"), ref.FunctionName(rng.choice(("g1", "g2")))))]
        call = ref.CallPointer(ref.Var("fp"), self._expr(1))
        if rng.random() < 0.3:
            return [ref.Do(call)]
        return [ref.Do(ref.Assign(rng.choice(("=", "+=")), self._shared_place(write=True), call))]

    def _condition(self, pure: bool = False) -> ref.Expr:
        rng = self._rng
        uninitialised = self._names("uninitialised")
        if uninitialised and rng.random() < 0.4:
            return ref.IsEqual(rng.choice(uninitialised), rng.randrange(4))
        compared = ref.Binary(
            rng.choice(("==", "!=", "<", ">=", "==")), self._expr(1, pure), ref.Const(rng.randrange(3))
        )
        if self._has("logic", 0.4):
            return ref.Binary(rng.choice(("&&", "||")), compared, self._condition(pure))
        return compared if rng.random() < 0.7 else self._expr(2, pure)

    # Statements

    def _nested(self, size: int, make: Callable[[], ref.Body] | None = None) -> ref.Body:
        self._scopes.append(_Scope())
        body = make() if make is not None else self._body(size)
        self._scopes.pop()
        return body

    def _body(self, size: int) -> ref.Body:
        out: list[ref.Stmt] = []
        for _ in range(size):
            if self._budget <= 0:
                break
            self._budget -= 1
            out.extend(self._statement())
            if out and isinstance(out[-1], (ref.Break, ref.Continue, ref.Return, ref.Goto)):
                break
        return tuple(out)

    def _inner(self) -> int:
        return self._rng.choice((1, 1, 2, 2, 3))

    def _statement(self) -> list[ref.Stmt]:
        rng = self._rng
        kinds: list[tuple[Callable[[], list[ref.Stmt]], float]] = [(self._assignment, 6), (self._local, 2.5)]

        def add(feature: str, make: Callable[[], list[ref.Stmt]], weight: float, when: bool = True) -> None:
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
        add("builtin", lambda: [ref.Do(self._builtin())], 3)
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
        add("assert", lambda: [ref.Assert(self._condition())], 0.4)
        add("fail", lambda: [ref.If(self._condition(), (ref.Fail(),))], 0.3)
        add("mainexit", self._thread_exit, 0.5, free and self._role != "thread")
        add("functionpointer", self._call_pointer, 2, "fp" in self._names("function") and self._role != "helper")
        add("conditionallock", self._conditional_lock, 1, free and not deep and bool(self._mutexes))
        add("startpointer", self._start, 0.7, "tp" in self._names("start") and len(self._starts) > 1)
        add("localarray", self._local_array, 0.7)
        add("block", self._block, 0.7, not deep)
        add("pointer", self._pointing, 1)
        add("misuse", lambda: [ref.Unlock(rng.choice(self._mutexes))], 0.2, bool(self._mutexes))
        makes, weights = zip(*kinds, strict=True)
        return list(rng.choices(makes, weights)[0]())

    def _assignment(self) -> list[ref.Stmt]:
        rng = self._rng
        locals_ = self._names("local")
        if locals_ and rng.random() < 0.25:
            target: ref.Expr = ref.Var(rng.choice(locals_))
        else:
            target = self._shared_place(write=True)
        if self._names("localarray") and rng.random() < 0.1:
            target = ref.Index(rng.choice(self._names("localarray")), self._masked())
        roll = rng.random()
        if roll < 0.25:
            return [ref.Do(ref.Increment(rng.choice(("++", "++", "--")), rng.random() < 0.3, target))]
        if roll < 0.45:
            return [ref.Do(ref.Assign(rng.choice(("+=", "-=", "|=", "^=", "&=")), target, self._expr(1)))]
        if roll < 0.55 and self._has("comma"):
            return [ref.Do(ref.Binary(",", self._effect(), self._effect()))]
        if roll < 0.6 and self._has("ternary"):
            return [ref.Do(ref.Ternary(self._condition(), self._effect(), self._effect()))]
        if roll < 0.65 and self._has("logic"):
            return [ref.Do(ref.Binary(rng.choice(("&&", "||")), self._condition(), self._effect()))]
        return [ref.Do(ref.Assign("=", target, self._expr()))]

    def _local(self) -> list[ref.Stmt]:
        type_ = self._any_type()
        value = self._expr()
        return [ref.Declare(type_, self._declare(type_), value)]

    def _undefined(self) -> list[ref.Stmt]:
        name = self._declare("int", "uninitialised")
        out: list[ref.Stmt] = [ref.Declare("int", name)]
        if self._rng.random() < 0.6:
            then = self._nested(1)
            out.append(ref.If(ref.IsEqual(name, self._rng.randrange(4)), then))
        if self._rng.random() < 0.4:
            out.append(ref.Do(ref.Assign("=", ref.Var(name), self._expr(1))))
        return out

    def _choose(self) -> list[ref.Stmt]:
        low = self._rng.choice((0, 0, 1, -1))
        name = self._declare("int")
        return [ref.Choose("int", name, low, low + self._rng.choice((1, 2)), self._rng.random() < 0.5)]

    def _assume(self) -> list[ref.Stmt]:
        return [ref.Assume(self._condition())]

    def _static(self) -> list[ref.Stmt]:
        type_ = self._any_type()
        name = self._fresh("s")
        self._scopes[-1].names[name] = (name, type_, "shared")
        return [ref.Static(type_, name, self._rng.randrange(2))]

    def _local_array(self) -> list[ref.Stmt]:
        name = self._fresh("la")
        type_ = self._any_type()
        self._scopes[-1].names[name] = (name, type_, "localarray")
        return [
            ref.DeclareArray(type_, name, 2, tuple(self._rng.randrange(3) for _ in range(self._rng.choice((1, 2)))))
        ]

    def _block(self) -> list[ref.Stmt]:
        return [ref.Block(self._nested(self._inner()))]

    def _pointing(self) -> list[ref.Stmt]:
        pointers = self._names("pointer")
        if pointers and self._rng.random() < 0.6:
            return [ref.Do(ref.Assign("=", ref.Var(self._rng.choice(pointers)), self._address()))]
        value = self._address()
        name = self._fresh("p")
        self._scopes[-1].names[name] = (name, "*int", "pointer")
        return [ref.Declare("*int", name, value)]

    # Atomic accesses, and copies of structs

    def _addressable(self) -> tuple[ref.Expr, str, bool]:
        """Something with an address, its type, and whether it is atomic."""
        places: list[tuple[ref.Expr, str, bool]] = []
        for v in self._shared:
            if v.name in self._names("shared", "array") and "." not in v.name and not v.const and v.type in _NARROW:
                place = ref.Index(v.name, self._masked()) if v.size is not None else ref.Var(v.name)
                places.append((place, v.type, v.atomic))
        places += [(ref.Deref(ref.Var(name)), "int", False) for name in self._names("pointer")]
        places += [(ref.Var("x"), "int", False)] if not places else []
        return self._rng.choice(places)

    def _builtin(self, wanted: bool = False) -> ref.Expr:
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
        return ref.Atomic(style, action, op, target, value)

    def _swap(self) -> list[ref.Stmt]:
        rng = self._rng
        target, type_, atomic = self._addressable()
        out: list[ref.Stmt] = []
        expected: ref.Expr = ref.Const(rng.randrange(3))
        form = rng.choice(("strong", "strong", "weak") if atomic else ("bool", "val", "strong", "weak"))
        if form in ("strong", "weak"):
            same = [
                v.name for v in self._shared if v.type == type_ and v.size is None and v.name in self._names("shared")
            ]
            same = [name for name in same if target != ref.Var(name) and "." not in name]
            if same and rng.random() < 0.3:
                expected = ref.Var(rng.choice(same))
            else:
                name = self._declare(type_)
                out.append(ref.Declare(type_, name, expected))
                expected = ref.Var(name)
        swap = ref.Swap(form, atomic and rng.random() < 0.7, target, expected, self._expr(1, pure=True))
        roll = rng.random()
        if roll < 0.3:
            return [*out, ref.Do(swap)]
        if roll < 0.6:
            return [*out, ref.If(swap, self._nested(1), self._nested(1) if rng.random() < 0.5 else None)]
        return [*out, ref.Do(ref.Assign("=", self._shared_place(write=True), swap))]

    def _copy(self) -> list[ref.Stmt]:
        rng = self._rng
        locals_ = self._names("record")
        shared = ["r", "q"]
        roll = rng.random()
        if roll < 0.4 or not locals_:
            if rng.random() < 0.4:
                rng.shuffle(shared)
                return [ref.CopyRecord(*shared)]
            name = self._fresh("l")
            copy = ref.CopyRecord(name, rng.choice([*shared, *locals_]), declares=True)
            self._scopes[-1].names[name] = (name, "record", "record")
            for v in self._shared:
                if v.name.startswith("r."):
                    member = name + v.name[1:]
                    self._scopes[-1].names[member] = (member, v.type, "local")
            return [copy]
        pair = [rng.choice(locals_), rng.choice(shared)]
        rng.shuffle(pair)
        return [ref.CopyRecord(*pair)]

    # Control

    def _if(self) -> list[ref.Stmt]:
        cond = self._condition()
        then = self._nested(self._inner())
        other = self._nested(self._inner()) if self._rng.random() < 0.5 else None
        return [ref.If(cond, then, other)]

    def _loop_body(self, size: int, kind: str = "loop") -> ref.Body:
        outer, self._breakable = self._breakable, kind
        self._loops += 1
        labels, self._labels = self._labels, list(self._labels)
        body = self._nested(size)
        self._labels = labels
        self._loops -= 1
        self._breakable = outer
        return body

    def _while(self) -> list[ref.Stmt]:
        rng = self._rng
        if rng.random() < 0.3:
            return [
                ref.While(ref.Const(1), (*self._loop_body(self._inner()), ref.If(self._condition(), (ref.Break(),))))
            ]
        return [ref.While(self._condition(), self._loop_body(self._inner()))]

    def _do(self) -> list[ref.Stmt]:
        body = self._loop_body(self._inner())
        return [ref.DoWhile(body, self._condition())]

    def _for(self) -> list[ref.Stmt]:
        rng = self._rng
        self._scopes.append(_Scope())
        type_ = self._any_type()
        if type_ == "bool" and not self._has("forbool"):
            type_ = "int"
        kind = "counter" if rng.random() < 0.7 else "local"
        name = self._declare(type_, kind)
        limit: ref.Expr = ref.Const(rng.choice((1, 2, 2, 3))) if rng.random() < 0.6 else self._expr(1)
        up = rng.random() < 0.8
        start: ref.Expr = ref.Const(rng.choice((0, 0, 0, 1)))
        if not up:
            start, limit = limit, start
        cond = ref.Binary(rng.choice(("<", "<", "!=", "<=")) if up else ">", ref.Var(name), limit)
        step: ref.Expr = ref.Increment("++" if up else "--", rng.random() < 0.5, ref.Var(name))
        if rng.random() < 0.2:
            step = ref.Assign("+=" if up else "-=", ref.Var(name), ref.Const(2 if rng.random() < 0.3 else 1))
        if rng.random() < 0.1:
            step = ref.Assign("=", ref.Var(name), ref.Binary("+" if up else "-", ref.Var(name), ref.Const(1)))
        if self._has("comma", 0.2):
            step = ref.Binary(",", step, self._effect())
        body = self._loop_body(self._inner())
        declared = rng.random() < 0.8
        self._scopes.pop()
        if declared:
            return [ref.For(ref.Declare(type_, name, start), cond, step, body)]
        if ref.c_name(name) in self._scopes[-1].names:
            return [ref.For(ref.Declare(type_, name, start), cond, step, body)]
        self._scopes[-1].names[ref.c_name(name)] = (name, type_, "local")
        return [
            ref.Declare(type_, name, ref.Const(rng.randrange(2))),
            ref.For(ref.Do(ref.Assign("=", ref.Var(name), start)), cond, step, body),
        ]

    def _switch(self) -> list[ref.Stmt]:
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
            body: ref.Body = self._body(self._inner())
            self._scopes.pop()
            if rng.random() < 0.6 and not (
                body and isinstance(body[-1], (ref.Break, ref.Continue, ref.Return, ref.Goto))
            ):
                body = (ref.Block(body), ref.Break()) if rng.random() < 0.5 else (*body, ref.Break())
            cases.append(ref.Case(number, body))
        self._scopes.pop()
        self._breakable = outer
        return [ref.Switch(value, tuple(cases))]

    def _break(self) -> list[ref.Stmt]:
        leave: ref.Stmt = ref.Continue() if self._loops and self._rng.random() < 0.4 else ref.Break()
        if self._rng.random() < 0.15:
            return [leave]
        return [ref.If(self._condition(), (*self._nested(self._rng.randrange(2)), leave))]

    def _region(self) -> list[ref.Stmt]:
        """Statements with a label behind them."""
        label = self._fresh("L")
        labels, self._labels = self._labels, [*self._labels, label]
        self._scopes.append(_Scope())
        body = list(self._body(self._inner() + 1))
        self._scopes.pop()
        self._labels = labels
        if self._rng.random() < 0.5 and body:
            body.insert(self._rng.randrange(len(body)), ref.If(self._condition(), (ref.Goto(label),)))
        return [*body, ref.Label(label)]

    def _retry(self) -> list[ref.Stmt]:
        """Statements with a jump back to in front of them, and perhaps others from inside."""
        label = self._fresh("R")
        labels, self._labels = self._labels, [*self._labels, *([label] if self._rng.random() < 0.5 else [])]
        self._scopes.append(_Scope())
        body = self._body(self._inner())
        self._scopes.pop()
        self._labels = labels
        if body and isinstance(body[-1], (ref.Break, ref.Continue, ref.Return, ref.Goto)):
            body = (ref.If(self._condition(), body),)
        return [ref.Label(label), *body, ref.If(self._condition(), (ref.Goto(label),))]

    def _goto(self) -> list[ref.Stmt]:
        jump = ref.Goto(self._rng.choice(self._labels))
        if self._rng.random() < 0.1:
            return [jump]
        return [ref.If(self._condition(), (*self._nested(self._rng.randrange(2)), jump))]

    def _into(self) -> list[ref.Stmt]:
        """A jump into a block."""
        label = self._fresh("L")
        before = ref.If(self._condition(), (ref.Goto(label),))
        between = self._nested(1)
        cond = self._condition()
        inside = (*self._nested(1), ref.Label(label), *self._nested(1))
        last = ref.If(cond, inside) if self._rng.random() < 0.6 else ref.If(cond, self._nested(1), inside)
        if self._rng.random() < 0.2:
            return [before, *between, ref.Block(inside)]
        return [before, *between, last]

    def _return(self) -> list[ref.Stmt]:
        value = self._result()
        if self._role == "main" and not self._has("mainreturn"):
            return []
        return [ref.If(self._condition(), (*self._nested(self._rng.randrange(2)), ref.Return(value)))]

    def _result(self) -> ref.Expr | None:
        if self._role == "helper":
            return self._expr(1) if self._type != "void" else None
        return ref.Const(0) if self._role == "main" else self._expr(1) if self._has("result") else None

    def _thread_exit(self) -> list[ref.Stmt]:
        value = self._expr(1, pure=True) if self._has("result") and self._role == "thread" else None
        return [ref.If(self._condition(), (ref.ThreadExit(value),))]

    def _exit(self) -> list[ref.Stmt]:
        return [ref.If(self._condition(), (ref.Exit(self._rng.choice(("exit(0)", "abort()"))),))]

    # Synchronisation

    def _locked(self) -> list[ref.Stmt]:
        mutex = self._rng.choice(self._mutexes)
        body = self._body(self._inner())
        if body and isinstance(body[-1], (ref.Break, ref.Continue, ref.Return, ref.Goto)):
            body = body[:-1]
        return [ref.Lock(mutex), *body, ref.Unlock(mutex)]

    def _conditional_lock(self) -> list[ref.Stmt]:
        name = self._fresh("w")
        on = ref.Binary("!=", ref.Var(name), ref.Const(0))
        mutex = self._mutexes[0]
        first = ref.Declare("int", name, self._expr(1))
        body = self._nested(self._inner())
        if body and isinstance(body[-1], (ref.Break, ref.Continue, ref.Return, ref.Goto)):
            body = body[:-1]
        self._scopes[-1].names[name] = (name, "int", "counter")
        return [first, ref.If(on, (ref.Lock(mutex),)), ref.Block(body), ref.If(on, (ref.Unlock(mutex),))]

    def _start(self) -> list[ref.Stmt]:
        return [ref.Do(ref.Assign("=", ref.Var("tp"), ref.FunctionName(self._rng.choice(self._starts))))]

    def _try(self) -> list[ref.Stmt]:
        mutex = self._rng.choice(self._mutexes)
        then = (*self._nested(self._inner()), ref.Unlock(mutex))
        other = self._nested(1) if self._rng.random() < 0.4 else None
        if self._rng.random() < 0.2:
            return [ref.If(ref.Binary("!=", ref.TryLock(mutex), ref.Const(0)), self._nested(1), then)]
        if self._rng.random() < 0.2:
            return [ref.If(ref.Unary("!", ref.TryLock(mutex)), then, other)]
        return [ref.If(ref.Binary("==", ref.TryLock(mutex), ref.Const(0)), then, other)]

    def _cond(self) -> list[ref.Stmt]:
        rng = self._rng
        mutex, cond = self._mutexes[0], self._conds[0]
        if rng.random() < 0.5:
            test = ref.Binary(rng.choice(("==", "<", ">")), ref.Var("x"), ref.Const(rng.randrange(2)))
            loop: ref.Stmt = (
                ref.While(test, (ref.Wait(cond, mutex),))
                if rng.random() < 0.7
                else ref.If(test, (ref.Wait(cond, mutex),))
            )
            return [ref.Lock(mutex), loop, *self._nested(self._inner()), ref.Unlock(mutex)]
        wake: ref.Stmt = ref.Signal(cond) if rng.random() < 0.5 else ref.Broadcast(cond)
        change = ref.Do(ref.Assign("=", ref.Var("x"), ref.Const(rng.randrange(3))))
        if rng.random() < 0.7:
            return [ref.Lock(mutex), change, wake, ref.Unlock(mutex)]
        return [change, wake]

    def _section(self) -> list[ref.Stmt]:
        self._atomic += 1
        outer, self._breakable, loops, self._loops = self._breakable, "", self._loops, 0
        labels, self._labels = self._labels, []
        body = list(self._nested(self._inner() + 1))
        self._labels = labels
        self._breakable, self._loops = outer, loops
        self._atomic -= 1
        if outer and self._rng.random() < 0.3:
            body.insert(
                self._rng.randrange(len(body) + 1), ref.If(self._condition(True), (ref.AtomicEnd(), ref.Break()))
            )
        elif labels and self._rng.random() < 0.3:
            jump = ref.Goto(self._rng.choice(labels))
            body.insert(self._rng.randrange(len(body) + 1), ref.If(self._condition(True), (ref.AtomicEnd(), jump)))
        return [ref.AtomicBegin(), *body, ref.AtomicEnd()]

    def _section_of_branches(self) -> list[ref.Stmt]:
        """Atomic sections that begin or end in branches."""
        rng = self._rng
        roll = rng.random()
        labels, self._labels = self._labels, []
        self._atomic += 1
        inside = self._nested(self._inner())
        self._atomic -= 1
        if roll < 0.3:
            first = ref.If(
                self._condition(), (*self._nested(1), ref.AtomicBegin()), (ref.AtomicBegin(), *self._atomically(1))
            )
            out: list[ref.Stmt] = [first, *inside, ref.AtomicEnd()]
        elif roll < 0.6:
            last = ref.If(
                self._condition(), (ref.AtomicEnd(), *self._nested(1)), (*self._atomically(1), ref.AtomicEnd())
            )
            out = [ref.AtomicBegin(), *inside, last]
        else:
            name = self._fresh("w")
            on = ref.Binary("!=", ref.Var(name), ref.Const(0))
            begin, end = ref.If(on, (ref.AtomicBegin(),)), ref.If(on, (ref.AtomicEnd(),))
            out = [ref.Declare("int", name, self._expr(1)), begin, *self._nested(self._inner()), end]
            self._scopes[-1].names[name] = (name, "int", "counter")
        self._labels = labels
        return out

    def _atomically(self, size: int) -> ref.Body:
        self._atomic += 1
        body = self._nested(size)
        self._atomic -= 1
        return body

    def _calls(self) -> list[ref.Stmt]:
        helpers = self._helpers
        if not helpers:
            return []
        if self._callable() and self._rng.random() < 0.6:
            call = self._call()
            if self._rng.random() < 0.5:
                return [ref.Do(ref.Assign(self._rng.choice(("=", "=", "+=")), self._shared_place(write=True), call))]
            type_ = self._any_type()
            return [ref.Declare(type_, self._declare(type_), call)]
        return [ref.Do(self._call(void=True))]

    # Programs

    def program(self) -> ref.Program:
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
        self._shared = [ref.Shared("tfn", "tp", first) if v.name == "tp" else v for v in self._shared]
        return ref.Program(tuple(self._shared), self._mutexes, self._conds, (*self._functions, *threads, main))

    def _make_shared(self) -> None:
        rng = self._rng
        self._shared = [ref.Shared("int", "x", rng.choice((0, 0, 1)))]
        for name in ("y", "z")[: rng.choice((1, 1, 2))]:
            atomic = self._has("atomicobject", 0.7)
            self._shared.append(ref.Shared(self._any_type(), name, rng.choice((0, 0, 1)), atomic=atomic))
        if "array" in self._features:
            self._shared.append(ref.Shared(self._any_type(), "a", (rng.randrange(2), rng.randrange(2)), 2))
        if "struct" in self._features:
            bits = self._has("bitfield")
            self._shared.append(ref.Shared("u3" if bits else self._any_type(), "r.u", 0))
            self._shared.append(ref.Shared("s2" if bits else self._any_type(), "r.v", 1))
            if "copy" in self._features:
                if rng.random() < 0.3:
                    self._shared.append(ref.Shared("u3" if bits and rng.random() < 0.5 else "int", "r.w", 0))
                own = [v for v in self._shared if v.name.startswith("r.")]
                self._shared += [ref.Shared(v.type, "q" + v.name[1:], rng.randrange(2)) for v in own]
        if "const" in self._features:
            self._shared.append(ref.Shared("int", "k", rng.randrange(3), const=True))
        if "pointer" in self._features and rng.random() < 0.5:
            self._shared.append(ref.Shared("*int", "gp", "x"))
        if "arraypointer" in self._features:
            self._shared = [v for v in self._shared if v.name != "a"]
            self._shared.append(ref.Shared("int", "a", (rng.randrange(2), rng.randrange(2)), 2))
            self._shared.append(ref.Shared("*int", "ap", "a"))
        if "functionpointer" in self._features:
            self._shared.append(ref.Shared("fn", "fp", "g1"))
        if "startpointer" in self._features:
            self._shared.append(ref.Shared("tfn", "tp", ""))
        if "globalthread" in self._features:
            self._shared.append(ref.Shared("thread", "gt", 0))

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
            before: list[ref.Stmt] = []
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
                body.append(ref.Return(self._expr(1)))
            function = ref.Function(name, "helper", type_, tuple(parameters), tuple(body))
            self._functions.append(function)
            self._helpers.append(function)
        self._scopes = self._scopes[:1]

    def _make_targets(self) -> None:
        """The functions that `fp` can point to."""
        for name in ("g1", "g2"):
            self._enter("helper", "int", 2)
            parameter = self._parameter("int", "local")
            body = (*self._body(self._rng.choice((0, 1, 2))), ref.Return(self._expr(1)))
            self._functions.append(ref.Function(name, "helper", "int", (parameter,), body))
        self._scopes = self._scopes[:1]

    def _recurse(self, name: str, type_: str, parameters: list[tuple[str, str]]) -> ref.Stmt:
        depth = ref.Var(parameters[0][1])
        arguments: list[ref.Expr] = [ref.Binary("-", depth, ref.Const(1))]
        for ptype, parameter in parameters[1:]:
            arguments.append(ref.Var(parameter) if ptype[0] == "*" else self._expr(1))
        call = ref.Call(name, tuple(arguments))
        inner: ref.Expr = call
        if type_ != "void":
            inner = ref.Assign(self._rng.choice(("=", "+=")), self._shared_place(write=True), call)
        after = self._nested(1)
        return ref.If(ref.Binary(">", depth, ref.Const(0)), (ref.Do(inner), *after))

    def _make_threads(self) -> list[ref.Function]:
        rng = self._rng
        threads: list[ref.Function] = []
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
            body: list[ref.Stmt] = [*before, *self._body(self._size)]
            if "nested" in self._features and number and rng.random() < 0.8:
                self._insert_creation(body, [threads[0]], 0)
            body.extend(self._checks(0.5))
            if self._has("result", 0.5):
                body.append(ref.Return(self._expr(1)))
            threads.append(ref.Function(self._fresh("t"), "thread", "void", parameters, tuple(body)))
            if not parameters:
                self._starts.append(threads[-1].name)
        return threads

    def _escaping_local(self) -> list[ref.Stmt]:
        if not self._has("local", 0.6) or "pointer" not in self._features:
            return []
        name = self._fresh("e")
        self._scopes[-1].names[name] = (name, "int", "escaping")
        return [ref.Declare("int", name, ref.Const(self._rng.randrange(3)))]

    def _argument(self, f: ref.Function) -> ref.Expr | None:
        if not f.parameters:
            return None
        if f.parameters[0][0][0] == "*":
            return self._address()
        return self._expr(1, pure=True) if self._rng.random() < 0.4 else ref.Const(self._rng.randrange(4))

    def _creation(self, f: ref.Function) -> tuple[list[ref.Stmt], str]:
        """Statements that create a thread, and the variable that names it."""
        if f.name in self._starts and self._has("startpointer", 0.6):
            name = self._fresh("h")
            return [ref.Declare("thread", name), ref.Create(name, "tp")], name
        if self._has("globalthread", 0.5):
            return [ref.Create("gt", f.name, self._argument(f))], "gt"
        name = self._fresh("h")
        return [ref.Declare("thread", name), ref.Create(name, f.name, self._argument(f))], name

    def _creating_function(self, f: ref.Function) -> list[ref.Stmt]:
        """Calls of a new function that creates a thread."""
        name = self._fresh("f")
        parameter, thread = self._fresh("l"), self._fresh("h")
        argument = None
        if f.parameters:
            argument = ref.Var(parameter) if f.parameters[0][0][0] != "*" else ref.AddressOf(ref.Var("x"))
        body: list[ref.Stmt] = [ref.Declare("thread", thread), ref.Create(thread, f.name, argument)]
        if self._rng.random() < 0.3:
            body.append(ref.Join(thread))
        self._functions.append(ref.Function(name, "helper", "void", (("int", parameter),), tuple(body)))
        call = ref.Do(ref.Call(name, (self._expr(1, pure=True),)))
        return [call, call] if self._rng.random() < 0.4 else [call]

    def _insert_creation(self, body: list[ref.Stmt], threads: list[ref.Function], least: int) -> None:
        """Put creations, and some joins, between the statements."""
        rng = self._rng
        position = least
        for f in threads:
            create, name = self._creation(f)
            sure = True
            if self._has("branchcreate", 0.4) and len(create) == 2:
                other = rng.choice(threads)
                branch = ref.If(self._condition(True), (create[1],), None if rng.random() < 0.5 else
                                (ref.Create(name, other.name, self._argument(other)),))  # fmt: skip
                create, sure = [create[0], branch], branch.other is not None
            elif self._has("callcreate", 0.4) and len(create) == 2:
                create, sure = self._creating_function(f), False
            elif self._has("loopcreate", 0.3) and len(create) == 2:
                i = self._fresh("i")
                limit = ref.Const(rng.choice((1, 2)))
                loop = ref.For(ref.Declare("int", i, ref.Const(0)), ref.Binary("<", ref.Var(i), limit),
                               ref.Increment("++", False, ref.Var(i)), (create[1],))  # fmt: skip
                create = [create[0], loop]
            position = rng.randrange(position, len(body) + 1) if rng.random() < 0.5 else position
            body[position:position] = create
            position += len(create)
            if self._has("join", 0.7) and sure and (name != "gt" or rng.random() < 0.5):
                at = rng.randrange(position, len(body) + 1) if rng.random() < 0.5 else len(body)
                result = self._fresh("j") if self._has("result", 0.5) else None
                body.insert(at, ref.Join(name, result))

    def _make_main(self, threads: list[ref.Function]) -> ref.Function:
        rng = self._rng
        self._enter("main", "int", self._size)
        before = self._escaping_local()
        size = rng.choice((0, 0, 1, 2, self._size - 1))
        alone = list(before) + (list(self._body(1)) if rng.random() < 0.3 else [])
        body: list[ref.Stmt] = [*alone, *self._body(size)]
        started = list(threads) if "nested" not in self._features else [threads[-1]]
        if len(started) == 1 and "nested" not in self._features and rng.random() < 0.7:
            started = started * 2
        if self._size <= 3 and len(started) == 2 and rng.random() < 0.15:
            started.append(rng.choice(started))
        rng.shuffle(started)
        self._insert_creation(body, started, len(before) if rng.random() < 0.5 else len(alone))
        body.extend(self._checks(0.9))
        if rng.random() < 0.7:
            body.append(ref.Return(ref.Const(0)))
        return ref.Function("main", "main", "int", (), tuple(body))

    def _checks(self, chance: float) -> list[ref.Stmt]:
        if self._rng.random() > chance:
            return []
        self._role = "helper" if self._role == "helper" else self._role
        places: list[ref.Expr] = [
            ref.Var(v.name) for v in self._shared if v.size is None and v.type not in ("*int", "thread", "fn", "tfn")
        ]
        places += [ref.Index(v.name, ref.Const(i)) for v in self._shared if v.size for i in range(2)]
        places += [ref.Var(name) for name in self._names("local") if "#" not in name]
        chosen = self._rng.sample(places, min(len(places), self._rng.choice((1, 2, 2, 3))))
        total: ref.Expr = chosen[0]
        for number, place in enumerate(chosen[1:], 1):
            total = ref.Binary("+", total, ref.Binary("*", place, ref.Const(10**number)))
        return [ref.Observe(self._fresh("o"), total)]


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
