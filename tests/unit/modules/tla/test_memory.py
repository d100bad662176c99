"""Memory in `tla/CMemory.tla`."""

DEFINITIONS = r"""
Layouts == [x |-> [scalar |-> TRUE,  kinds |-> <<Int32>>],
            u |-> [scalar |-> TRUE,  kinds |-> <<UInt32>>],
            p |-> [scalar |-> TRUE,  kinds |-> <<Pointer>>],
            b |-> [scalar |-> TRUE,  kinds |-> <<Bool>>],
            a |-> [scalar |-> FALSE, kinds |-> Repeat(UInt8, 4)],
            s |-> [scalar |-> FALSE, kinds |-> <<Int32, Pointer, UInt16>>],
            z |-> [scalar |-> FALSE, kinds |-> <<Int32, Pointer, Int16>>],
            i |-> [scalar |-> TRUE,  kinds |-> <<Int32>>]]
M == [choice |-> <<>>,
      data |-> [x |-> 7, u |-> 3, p |-> Null, b |-> 1, a |-> [k \in 0 .. 3 |-> 10 + k],
                s |-> (0 :> -2 @@ 1 :> Global("x") @@ 2 :> 65535), z |-> [k \in 0 .. 2 |-> Undef]],
      heap |-> [t \in 0 .. 1 |-> <<>>],
      stack |-> [t \in 0 .. 1 |-> IF t = 0 THEN <<[i |-> 4], [i |-> Undef]>> ELSE <<>>],
      register |-> [t \in 0 .. 1 |-> IF t = 0 THEN <<[pc |-> "one", atomic |-> 0]>> ELSE <<>>],
      ret |-> [t \in 0 .. 1 |-> Undef],
      status |-> "runs"]
A == Global("a")
S == Global("s")
Outer == <<<<"i", 1, 1>>, 0>>
One(set) == CHOOSE one \in set : \A other \in set : one = other
Given == One(Allocate(0, M, <<Int32, Pointer>>, 0))
Twice == One(Allocate(0, Given, <<UInt8>>, Undef))
First == Block(0, 1)
Second == Block(0, 2)
Freed == One(FreeWaiting(0, [Given EXCEPT !.data.p = First], First))
Addresses(set) == {m.ret[0] : m \in set}
"""


CASES = {
    # Control.
    'Pc(0, Goto(0, M, "two"))': '"two"',
    '<<Runs(M), Runs(Ends(M, "ended"))>>': "<<TRUE, FALSE>>",
    "Returned(1, Returns(1, M, 5))": "5",
    # Pointers.
    'Local(0, M, "i")': '<<<<"i", 1, 2>>, 0>>',
    'Load(M, Local(0, M, "i"), Int32)': "4",
    "Load(M, Outer, Int32)": "Undef",
    "Store(M, Outer, Int32, 9).stack[0]": "<<[i |-> 4], [i |-> 9]>>",
    "Shift(Shift(A, 3), -2)": '<<<<"a", 0, 0>>, 1>>',
    "Shift(A, Max(UInt64))": '<<<<"a", 0, 0>>, -1>>',
    "Shift(Shift(Null, 2), -2)": "Null",
    "Shift(Null, 2) = Null": "FALSE",
    "Shift(Number(64), 1)": "Undef",
    "Distance(Shift(A, 3), Shift(A, 1))": "2",
    "<<SameArea(A, Shift(A, 3)), SameArea(A, S), SameArea(A, Null), SameArea(Null, Null)>>": (
        "<<TRUE, FALSE, FALSE, TRUE>>"
    ),
    "{v \\in {0, 5, -1, MinInt} : ~Same(ToNumber(Number(v)), Convert(UInt64, v))}": "{}",
    "ToNumber(Number(Max(UInt64))) = Max(UInt64)": "TRUE",
    "Number(-1) = Number(Max(UInt64))": "TRUE",
    '<<IsNumber(Null), IsNumber(Number(8)), IsNumber(A), IsNumber(Code("f")), IsNumber(Undef)>>': (
        "<<TRUE, TRUE, FALSE, FALSE, FALSE>>"
    ),
    # Accesses.
    "Load(M, Shift(A, 3), Int8)": "13",
    "Load(Store(M, Shift(A, 3), Int8, -1), Shift(A, 3), UInt8)": "255",
    "Store(M, Shift(A, 3), Int8, -1).data.a[3]": "255",
    "Load(M, Shift(S, 2), Int16)": "-1",
    'Load(M, Global("z"), UInt32)': "Undef",
    'Store(M, Global("x"), UInt32, Max(UInt32)).data.x': "-1",
    'Load(Store(M, Global("x"), Int32, -1), Global("x"), UInt32) = Max(UInt32)': "TRUE",
    "<<CanAccess(M, A, Int8), CanAccess(M, A, Bool), CanAccess(M, A, Int32), CanAccess(M, Shift(S, 1), Int64)>>": (
        "<<TRUE, FALSE, FALSE, FALSE>>"
    ),
    "[n \\in 0 .. 4 |-> CanReach(M, Shift(A, 1), n)][3]": "TRUE",
    "<<CanReach(M, Shift(A, 1), 4), CanReach(M, Null, 1), CanReach(M, Null, 0), CanReach(M, A, Max(UInt64))>>": (
        "<<FALSE, FALSE, TRUE, FALSE>>"
    ),
    'LET p == <<<<"i", 1, 3>>, 0>> IN <<CanAccess(M, p, Int32), Mishap(M, p)>>': (
        '<<FALSE, "refused.an access to a local variable of a call that has ended">>'
    ),
    "{Mishap(M, p) : p \\in {Null, Shift(Null, 1), Number(8), Shift(A, 4), Shift(A, -1)}}": ('{"failed.crash.access"}'),
    '<<Mishap(M, S), Mishap(M, Undef), Mishap(M, First), Mishap(M, Code("f"))>>': (
        '<<"refused.an access to memory of another type", '
        '"refused.an address that was computed from a number", '
        '"refused.an access to freed memory", "refused.an access to a function">>'
    ),
    # Several cells.
    "CopyCells(M, A, Shift(A, 1), 3).data.a": "(0 :> 11 @@ 1 :> 12 @@ 2 :> 13 @@ 3 :> 13)",
    "CopyCells(M, Shift(A, 1), A, 3).data.a": "(0 :> 10 @@ 1 :> 10 @@ 2 :> 11 @@ 3 :> 12)",
    'CopyCells(M, Global("z"), S, 3).data.z': '(0 :> -2 @@ 1 :> <<<<"x", 0, 0>>, 0>> @@ 2 :> -1)',
    'CopyCells(M, Global("x"), S, 1).data.x': "-2",
    "CopyCells(M, A, S, 1).status": '"refused.a copy to memory of another type"',
    "FillCells(M, S, 3, 0).data.s": "(0 :> 0 @@ 1 :> Null @@ 2 :> 0)",
    "FillCells(M, Shift(A, 1), 2, -1).data.a": "(0 :> 10 @@ 1 :> 255 @@ 2 :> 255 @@ 3 :> 13)",
    'FillCells(M, Global("x"), 1, 1).data.x': "16843009",
    'ToNumber(FillCells(M, Global("p"), 1, 255).data.p) = Max(UInt64)': "TRUE",
    'FillCells(M, Global("b"), 1, 2).status': '"refused.a value of type _Bool that is neither 0 nor 1"',
    "Load(Store(FillCells(M, A, 4, 0), Shift(A, 3), UInt8, 5), Shift(A, 3), UInt8)": "5",
    # Allocation.
    "<<Given.ret[0], Twice.ret[0]>>": '<<<<<<"the heap", 1, 1>>, 0>>, <<<<"the heap", 1, 2>>, 0>>>>',
    "<<Given.heap[0][1].cells, Twice.heap[0][2].cells>>": "<<(0 :> 0 @@ 1 :> Null), (0 :> Undef)>>",
    "Load(Store(Given, Shift(First, 1), Pointer, A), Shift(First, 1), Pointer)": '<<<<"a", 0, 0>>, 0>>',
    "Len(One(Free(0, Twice, Second)).heap[0])": "1",
    "One(Free(0, Given, First)).heap = M.heap": "TRUE",
    "One(Allocate(0, One(Free(0, Twice, First)), <<Int8>>, 0)).ret[0] = First": "TRUE",
    "Free(0, M, Null) = {M}": "TRUE",
    "{One(Free(0, n, p)).status : n \\in {Given}, p \\in {Shift(First, 1), A, Number(8), Second}}": (
        '{"refused.invalid free"}'
    ),
    "CanAccess(Freed, First, Int32)": "FALSE",
    # A block comes back or not as long as something leads to it.
    "Addresses(AllocateReusing(0, Freed, <<Int64, Int64>>, 0)) = {First, Second}": "TRUE",
    "Addresses(AllocateReusing(0, Freed, Repeat(Int64, 3), 0)) = {Second}": "TRUE",
    "{m.ret[1] : m \\in AllocateReusing(1, Freed, <<Int64>>, 0)} = {First, Block(1, 1)}": "TRUE",
    "Addresses(AllocateReusing(0, [Freed EXCEPT !.data.p = Null], <<Int64>>, 0)) = {First}": "TRUE",
}
"""Expressions and their values."""

STEPS = r"""
VARIABLE memory
Init == memory = M
Chooses0 == \E m \in {[n EXCEPT !.data.u = n.ret[0]] : n \in ChoosesFrom(0, memory, <<0, Max(UInt32)>>)} :
              memory' = Settled([m EXCEPT !.ret[0] = Undef])
Again == \E m \in UNION {AllocateReusing(0, n, <<Int32>>, 0) : n \in FreeWaiting(0, memory, memory.data.p)} :
           memory' = Settled([m EXCEPT !.data.p = m.ret[0], !.ret[0] = Undef])
Next == Chooses0 \/ Again
AtMostTwo == Len(memory.heap[0]) <= 2
"""


def test_what_statements_do_with_memory(evaluated):
    found = evaluated(DEFINITIONS, list(CASES))
    assert dict(zip(CASES, found, strict=True)) == CASES


def test_programs_that_go_on_for_ever_have_finitely_many_states(searched):
    found = searched(DEFINITIONS + STEPS, "INIT Init NEXT Next INVARIANT AtMostTwo")
    assert (found.status, found.reason) == ("safe", "")
    # u is any of three values, of which TLC cannot compare two. p is null, or leads to block 1 or 2, and where it led
    # before may wait: <<live>>, <<live, waits>>, <<waits, live>>, <<free, live>>.
    assert found.statistics["states"] == 3 * 5
