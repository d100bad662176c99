------------------------------ MODULE CMemory ------------------------------
(***************************************************************************)
(* The memory of a C program with threads, and what its statements do with *)
(* it.  A memory is a record:                                              *)
(*   choice    in the middle of a step, which of its choices it has taken; *)
(*             else <<>>                                                   *)
(*   data      the objects of the program that are not a thread's own      *)
(*   heap      per thread, the blocks that it has allocated                *)
(*   stack     per thread, its frames, the current one first               *)
(*   register  per thread, where each of its functions goes on, the        *)
(*             current one first; <<>> for a thread that has not begun, or *)
(*             has ended                                                   *)
(*   ret       per thread, the value that a function has returned to it    *)
(*   status    "runs", or how the execution has ended                      *)
(* After Methni et al., State Space Reduction Strategies for Model         *)
(* Checking Concurrent C Programs, VECoS 2015, section 3.                  *)
(*                                                                         *)
(* An object is a value if its type is scalar.  Otherwise it is a function *)
(* from 0, 1, ... to the values of its scalar parts, which are its cells.  *)
(* A pointer is <<area, offset>>: an object, and the number of a cell.     *)
(***************************************************************************)
EXTENDS Integers, Sequences, TLC, CIntegers

CONSTANTS
  Undef,    \* the value of an object that nothing has been stored in
  Null,     \* the null pointer
  Layout    \* what each named object is made of: a record of [scalar |-> BOOLEAN, kinds |-> the kinds of its cells]

Repeat(kind, n) == [i \in 1 .. n |-> kind]    \* the kinds of an array

(***************************************************************************)
(* Control.                                                                *)
(***************************************************************************)
Pc(self, m)          == m.register[self][1].pc
Goto(self, m, label) == [m EXCEPT !.register[self][1].pc = label]
Runs(m)              == m.status = "runs"
Ends(m, status)      == [m EXCEPT !.status = status]

Returns(self, m, value) == [m EXCEPT !.ret[self] = value]
Returned(self, m)       == m.ret[self]

\* The execution ends at a bound.  TLC prints so, as its verdict does not say.
Cuts(m, status) == {IF PrintT(<<"cseq", "cut", status>>) THEN Ends(m, status) ELSE m}

(***************************************************************************)
(* Choices.  TLC sorts the memories that a statement can lead to, and      *)
(* cannot where an object is 5 in one of them and a wide integer in the    *)
(* other.  The choices that were taken keep them apart before it gets      *)
(* there: `choice' is the first field of memories.  At the end of a step   *)
(* it is forgotten, by Settled.                                            *)
(***************************************************************************)
Chosen(m, n) == IF "choice" \in DOMAIN m THEN [m EXCEPT !.choice = Append(@, n)] ELSE m
Settled(m)   == [m EXCEPT !.choice = <<>>]

\* Any of 0 .. n - 1 is returned, or any of the values of a sequence.
Chooses(self, m, n)           == {Chosen(Returns(self, m, i), i) : i \in 0 .. n - 1}
ChoosesFrom(self, m, values)  == {Chosen(Returns(self, m, values[i]), i) : i \in DOMAIN values}

(***************************************************************************)
(* Where objects are.  All areas have the same shape, so that TLC can      *)
(* compare any two pointers.                                               *)
(***************************************************************************)
Global(name)         == <<<<name, 0, 0>>, 0>>                           \* an object of the program
Local(self, m, name) == <<<<name, self + 1, Len(m.stack[self])>>, 0>>   \* an object of the current frame
Block(self, number)  == <<<<"the heap", self + 1, number>>, 0>>         \* memory that a thread has allocated
Code(name)           == <<<<name, -1, 0>>, 0>>                          \* a function

\* An integer that is converted to a pointer: its halves of 32 bits.
Number(value) ==
  IF ~IsWide(value)
  THEN IF value = 0 THEN Null ELSE <<<<"number", -2, IF value < 0 THEN -1 ELSE 0>>, value>>
  ELSE <<<<"number", -2, Convert(Int32, ShiftRight(UInt64, Convert(UInt64, value), 32))>>, Convert(Int32, value)>>

\* Where numbers begin, that is, what is beside the null pointer: it is no object, and arithmetic comes back from it.
LOCAL BesideNull(offset) == IF offset = 0 THEN Null ELSE <<<<"null", -3, 0>>, offset>>

\* Whether a pointer is an integer that was converted, and which one, of kind UInt64.
IsNumber(pointer) == pointer # Undef /\ (pointer = Null \/ pointer[1][2] = -2)
ToNumber(pointer) ==
  IF pointer = Null THEN 0
  ELSE BitOr(UInt64, ShiftLeft(UInt64, Convert(UInt64, pointer[1][3]), 32), Convert(UInt32, pointer[2]))

(***************************************************************************)
(* Arithmetic with pointers, in cells.  What an integer that became a      *)
(* pointer leads to is not known, nor how large that is: what is added to  *)
(* it makes it undefined.                                                  *)
(***************************************************************************)
Shift(pointer, cells) ==
  LET by == IF IsWide(cells) THEN Convert(Int64, cells) ELSE cells
  IN IF pointer = Undef THEN Undef
     ELSE IF IsWide(by) \/ by < -1000000000 \/ by > 1000000000 THEN Undef
     ELSE IF pointer = Null THEN BesideNull(by)
     ELSE IF by = 0 THEN pointer
     ELSE IF pointer[1][2] >= 0
          THEN IF pointer[2] > 1000000000 \/ pointer[2] < -1000000000 THEN Undef
               ELSE <<pointer[1], pointer[2] + by>>
     ELSE IF pointer[1][2] = -3 /\ pointer[2] <= 1000000000 /\ pointer[2] >= -1000000000
          THEN BesideNull(pointer[2] + by)
     ELSE Undef

OffsetOf(pointer) == IF pointer = Null THEN 0 ELSE pointer[2]

\* Whether two pointers lead into the same object: only then do < and - mean anything.
SameArea(p, q) ==
  IF p = Null \/ q = Null
  THEN (p = Null \/ p[1][2] = -3) /\ (q = Null \/ q[1][2] = -3)
  ELSE p[1] = q[1]

Distance(p, q) == OffsetOf(p) - OffsetOf(q)

(***************************************************************************)
(* What pointers lead to.  Frames are numbered from the first one on, so   *)
(* that the address of a local variable stays what it is during calls.     *)
(***************************************************************************)
LOCAL InHeap(area)    == area[1] = "the heap"
LOCAL BlockOf(m, area) == m.heap[area[2] - 1][area[3]]
LOCAL Frame(m, area)  == Len(m.stack[area[2] - 1]) - area[3] + 1

LOCAL Exists(m, area) ==
  IF area[2] = 0 THEN TRUE
  ELSE IF area[2] < 0 THEN FALSE
  ELSE IF InHeap(area) THEN area[3] <= Len(m.heap[area[2] - 1]) /\ BlockOf(m, area).live
  ELSE Frame(m, area) >= 1 /\ area[1] \in DOMAIN m.stack[area[2] - 1][Frame(m, area)]

LOCAL KindsOf(m, area) ==
  IF area[2] > 0 /\ InHeap(area) THEN BlockOf(m, area).kinds ELSE Layout[area[1]].kinds

LOCAL IsScalar(area) == ~InHeap(area) /\ Layout[area[1]].scalar

LOCAL Object(m, area) ==
  IF area[2] = 0 THEN m.data[area[1]]
  ELSE IF InHeap(area) THEN BlockOf(m, area).cells
  ELSE m.stack[area[2] - 1][Frame(m, area)][area[1]]

\* Memory m where an object is another one.
LOCAL Put(m, area, object) ==
  IF area[2] = 0 THEN [m EXCEPT !.data[area[1]] = object]
  ELSE IF InHeap(area) THEN [m EXCEPT !.heap[area[2] - 1][area[3]].cells = object]
  ELSE [m EXCEPT !.stack[area[2] - 1][Frame(m, area)][area[1]] = object]

\* Whether a cell of one kind may be accessed as the other: the same bits, as in C, where only the sign may differ.
LOCAL Alike(kind, other) ==
  \/ kind.name = other.name
  \/ /\ kind.bits = other.bits
     /\ kind.name \notin {"Bool", "Pointer"}
     /\ other.name \notin {"Bool", "Pointer"}

\* Whether there are n cells from a pointer on; and whether there is one, of that kind.
CanReach(m, pointer, n) ==
  \/ ~IsWide(n) /\ n = 0
  \/ /\ ~IsWide(n)
     /\ pointer # Undef
     /\ pointer # Null
     /\ Exists(m, pointer[1])
     /\ 0 <= pointer[2]
     /\ n <= Len(KindsOf(m, pointer[1])) - pointer[2]

CanAccess(m, pointer, kind) ==
  /\ pointer # Undef
  /\ pointer # Null
  /\ Exists(m, pointer[1])
  /\ 0 <= pointer[2]
  /\ LET kinds == KindsOf(m, pointer[1])
     IN pointer[2] < Len(kinds) /\ Alike(kinds[pointer[2] + 1], kind)

\* The status where it cannot.
Mishap(m, pointer) ==
  IF pointer = Undef THEN "refused.an address that was computed from a number"
  ELSE IF pointer = Null THEN "failed.crash.access"
  ELSE IF pointer[1][2] = -1 THEN "refused.an access to a function"
  ELSE IF pointer[1][2] < 0 THEN "failed.crash.access"
  ELSE IF ~Exists(m, pointer[1])
       THEN IF InHeap(pointer[1]) THEN "refused.an access to freed memory"
            ELSE "refused.an access to a local variable of a call that has ended"
  ELSE IF CanReach(m, pointer, 1) THEN "refused.an access to memory of another type"
  ELSE "failed.crash.access"

\* A pointer is moved by whole objects, with cells of these kinds.  Bytes have been counted as cells, so what is passed
\* over has to be such objects, as far as it exists.  And: whether there is such an object at a pointer, as far as it is.
LOCAL HasCells(m, pointer) == pointer # Undef /\ pointer # Null /\ Exists(m, pointer[1])

Consists(m, pointer, cells, kinds) ==
  LET by    == IF IsWide(cells) THEN Convert(Int64, cells) ELSE cells
      own   == KindsOf(m, pointer[1])
      first == IF by < 0 THEN pointer[2] + by ELSE pointer[2]
      last  == IF by < 0 THEN pointer[2] - 1 ELSE pointer[2] + by - 1
  IN \/ Shift(pointer, cells) = Undef
     \/ ~HasCells(m, pointer)
     \/ \A i \in (IF first < 0 THEN 0 ELSE first) .. (IF last < Len(own) THEN last ELSE Len(own) - 1) :
          Alike(own[i + 1], kinds[((i - pointer[2]) % Len(kinds)) + 1])

LooksLike(m, pointer, kinds) ==
  \/ ~HasCells(m, pointer)
  \/ LET rest == Len(KindsOf(m, pointer[1])) - pointer[2]
     IN /\ pointer[2] >= 0
        /\ \A i \in 1 .. (IF rest < Len(kinds) THEN rest ELSE Len(kinds)) :
             Alike(KindsOf(m, pointer[1])[pointer[2] + i], kinds[i])

LOCAL As(kind, own, value) == IF kind.name = own.name \/ value = Undef THEN value ELSE Convert(kind, value)

\* Only where CanAccess.
Load(m, pointer, kind) ==
  LET area   == pointer[1]
      object == Object(m, area)
      own    == KindsOf(m, area)[pointer[2] + 1]
  IN As(kind, own, IF IsScalar(area) THEN object ELSE object[pointer[2]])

Store(m, pointer, kind, value) ==
  LET area == pointer[1]
      cell == As(KindsOf(m, area)[pointer[2] + 1], kind, value)
  IN Put(m, area, IF IsScalar(area) THEN cell ELSE [Object(m, area) EXCEPT ![pointer[2]] = cell])

(***************************************************************************)
(* Several cells at once, as struct assignments, memcpy and memset do.     *)
(* Only where CanReach.                                                    *)
(***************************************************************************)
\* The memory where the i-th cell from a pointer on is Cell(i), for i in 0 .. n - 1.
LOCAL PutCells(m, pointer, n, Cell(_)) ==
  LET area  == pointer[1]
      first == pointer[2]
      old   == Object(m, area)
  IN IF n = 0 THEN m
     ELSE IF IsScalar(area) THEN Put(m, area, Cell(0))
     ELSE Put(m, area, TLCEval([i \in DOMAIN old |-> IF first <= i /\ i < first + n THEN Cell(i - first) ELSE old[i]]))

LOCAL KindAt(m, pointer, i) == KindsOf(m, pointer[1])[pointer[2] + i + 1]

\* From and to may overlap.
CopyCells(m, to, from, n) ==
  IF n = 0 THEN m
  ELSE IF \A i \in 0 .. n - 1 : Alike(KindAt(m, to, i), KindAt(m, from, i))
  THEN LET source    == Object(m, from[1])
           Cell(i)   == IF IsScalar(from[1]) THEN source ELSE source[from[2] + i]
           Copied(i) == As(KindAt(m, to, i), KindAt(m, from, i), Cell(i))
       IN PutCells(m, to, n, Copied)
  ELSE Ends(m, "refused.a copy to memory of another type")

\* The value of a cell whose bytes are all the same, of kind UInt8.  Most are 0.
LOCAL Filled(kind, byte) ==
  IF byte = 0 THEN IF kind.name = "Pointer" THEN Null ELSE 0
  ELSE LET pair == byte * 257
           word == Wide(pair, pair, pair, pair)
       IN CASE kind.name = "Pointer" -> Number(word)
            [] kind.name = "Bool" -> byte
            [] OTHER -> Convert(kind, word)

\* The value is a byte, or Undef.
FillCells(m, to, n, value) ==
  LET byte == IF value = Undef THEN 0 ELSE Convert(UInt8, value)
      Cell(i) == IF value = Undef THEN Undef ELSE Filled(KindAt(m, to, i), byte)
  IN IF byte > 1 /\ \E i \in 0 .. n - 1 : KindAt(m, to, i).name = "Bool"
     THEN Ends(m, "refused.a value of type _Bool that is neither 0 nor 1")
     ELSE PutCells(m, to, n, Cell)

(***************************************************************************)
(* Allocation.  A block that is free is as if it had never been there, so  *)
(* programs that allocate and free in a loop have finitely many states.    *)
(***************************************************************************)
LOCAL NoBlock == [live |-> FALSE, kinds |-> <<>>, cells |-> <<>>]

\* A heap without the free blocks at its end.
LOCAL Trimmed(blocks) ==
  LET used == {i \in DOMAIN blocks : blocks[i].live \/ Len(blocks[i].kinds) > 0}
  IN SubSeq(blocks, 1, IF used = {} THEN 0 ELSE CHOOSE i \in used : \A j \in used : j <= i)

\* The number of the next new block: the lowest that is free.
LOCAL NextBlock(blocks) ==
  LET free == {i \in DOMAIN blocks : ~blocks[i].live /\ Len(blocks[i].kinds) = 0}
  IN IF free = {} THEN Len(blocks) + 1 ELSE CHOOSE i \in free : \A j \in free : i <= j

LOCAL Occupied(self, m, owner, number, kinds, fill) ==
  LET block  == [live |-> TRUE, kinds |-> kinds,
                 cells |-> TLCEval([i \in 0 .. Len(kinds) - 1 |->
                   IF fill = Undef THEN Undef ELSE Filled(kinds[i + 1], fill)])]
      blocks == m.heap[owner]
  IN [m EXCEPT !.heap[owner] = IF number > Len(blocks) THEN Append(blocks, block) ELSE [blocks EXCEPT ![number] = block],
               !.ret[self]   = Block(owner, number)]

\* A new block is returned, with cells of these kinds that are Undef or whose bytes are `fill'.
Allocate(self, m, kinds, fill) == {Occupied(self, m, self, NextBlock(m.heap[self]), kinds, fill)}

LOCAL CanFree(m, pointer) ==
  pointer # Undef /\ pointer # Null /\ InHeap(pointer[1]) /\ pointer[2] = 0 /\ Exists(m, pointer[1])

Free(self, m, pointer) ==
  IF pointer = Null THEN {m}
  ELSE IF ~CanFree(m, pointer) THEN {Ends(m, "refused.invalid free")}
  ELSE LET owner == pointer[1][2] - 1
       IN {[m EXCEPT !.heap[owner] = Trimmed([@ EXCEPT ![pointer[1][3]] = NoBlock])]}

(***************************************************************************)
(* The same for programs that can tell whether an address comes back,      *)
(* which it may do at any time, or not: a block that was freed waits, with *)
(* its kinds, as long as any pointer leads to it.                          *)
(***************************************************************************)
FreeWaiting(self, m, pointer) ==
  IF pointer = Null THEN {m}
  ELSE IF ~CanFree(m, pointer) THEN {Ends(m, "refused.invalid free")}
  ELSE {[m EXCEPT !.heap[pointer[1][2] - 1][pointer[1][3]] =
          [live |-> FALSE, kinds |-> BlockOf(m, pointer[1]).kinds, cells |-> <<>>]]}

\* Whether any pointer in the memory leads to the area.
LOCAL IsKnown(m, area) ==
  LET Leads(kind, value) == kind.name = "Pointer" /\ value # Undef /\ value # Null /\ value[1] = area
      InCells(kinds, cells) == \E i \in DOMAIN cells : Leads(kinds[i + 1], cells[i])
      InNamed(name, object) ==
        IF Layout[name].scalar THEN Leads(Layout[name].kinds[1], object) ELSE InCells(Layout[name].kinds, object)
  IN \/ \E name \in DOMAIN m.data : InNamed(name, m.data[name])
     \/ \E t \in DOMAIN m.stack : \E i \in DOMAIN m.stack[t] :
          \E name \in DOMAIN m.stack[t][i] : InNamed(name, m.stack[t][i][name])
     \/ \E t \in DOMAIN m.heap : \E i \in DOMAIN m.heap[t] : InCells(m.heap[t][i].kinds, m.heap[t][i].cells)

LOCAL Waits(block) == ~block.live /\ Len(block.kinds) > 0

\* The heap without the blocks that need not wait any more.
LOCAL Remembered(m) ==
  [t \in DOMAIN m.heap |->
    IF \E i \in DOMAIN m.heap[t] : Waits(m.heap[t][i])
    THEN Trimmed([i \in DOMAIN m.heap[t] |->
           IF Waits(m.heap[t][i]) /\ ~IsKnown(m, Block(t, i)[1]) THEN NoBlock ELSE m.heap[t][i]])
    ELSE m.heap[t]]

\* How much memory it is, in units of what allocators give out, 16 bytes.
RECURSIVE Bits(_)
LOCAL Bits(kinds) == IF kinds = <<>> THEN 0 ELSE Head(kinds).bits + Bits(Tail(kinds))
LOCAL Units(kinds) == (Bits(kinds) + 127) \div 128

\* A block is returned that is new, or waits and is as large.
AllocateReusing(self, m, kinds, fill) ==
  LET now   == [m EXCEPT !.heap = TLCEval(Remembered(m))]
      fresh == Occupied(self, now, self, NextBlock(now.heap[self]), kinds, fill)
      reused(t) == {Chosen(Chosen(Occupied(self, now, t, i, kinds, fill), t + 1), i) :
                      i \in {j \in DOMAIN now.heap[t] : Waits(now.heap[t][j]) /\ Units(now.heap[t][j].kinds) = Units(kinds)}}
  IN {Chosen(fresh, 0)} \cup UNION {reused(t) : t \in DOMAIN now.heap}

(***************************************************************************)
(* Statements of threads.                                                  *)
(***************************************************************************)
\* Where a call has led to these memories, thread self goes on at a label.
Then(self, memories, label) == {IF Runs(n) THEN Goto(self, n, label) ELSE n : n \in memories}

\* Something is left out here, and TLC prints what: its verdict does not say.
Noted(m, status) == IF PrintT(<<"cseq", "cut", status>>) THEN m ELSE m

\* Thread self cannot go on here, which a set of threads has to change: {} if any can, {-1} if it is the world outside.
\* There is no next memory, except for who asks why.
Asking(m) == m @@ [asks |-> TRUE]
Asks(m)   == "asks" \in DOMAIN m
WaitsFor(self, m, who) == IF Asks(m) THEN {[m EXCEPT !.ret[self] = who, !.status = "waits"]} ELSE {}
ThreadsOf(bits) == {k \in 0 .. 62 : BitAnd(UInt64, ShiftRight(UInt64, bits, k), 1) = 1}

EntersSection(self, m) == [m EXCEPT !.register[self][1].atomic = @ + 1]
LeavesSection(self, m) == [m EXCEPT !.register[self][1].atomic = @ - 1]

\* A thread calls a function, and comes back from it. The count of atomic sections is the thread's, not the function's.
Calls(self, m, frame, entry) ==
  [m EXCEPT !.register[self] = <<[pc |-> entry, atomic |-> Head(@).atomic]>> \o @, !.stack[self] = <<frame>> \o @]
Leaves(self, m) ==
  LET register == m.register[self] IN
  [m EXCEPT !.register[self] = <<[register[2] EXCEPT !.atomic = register[1].atomic]>> \o Tail(Tail(register)),
            !.stack[self] = Tail(@)]

\* The thread ends; the process ends, with all threads.
EndsThread(self, m) == [m EXCEPT !.register[self] = <<>>, !.stack[self] = <<>>]
Exits(m) ==
  [m EXCEPT !.register = [self \in DOMAIN @ |-> <<>>], !.stack = [self \in DOMAIN @ |-> <<>>], !.status = "ended"]

(***************************************************************************)
(* Sets of threads, as words with one bit for each.                        *)
(***************************************************************************)
IsIn(number, set) ==
  IF IsWide(set) \/ number > 30 THEN ~Same(BitAnd(UInt64, set, ShiftLeft(UInt64, 1, number)), 0)
  ELSE (set \div 2 ^ number) % 2 = 1

\* The numbers of the bits, and the bits, of those below n.
Members(set, n) == LET Is(number) == IsIn(number, set) IN SelectSeq([i \in 1 .. n |-> i - 1], Is)
BitsOf(set, n)  == LET found == Members(set, n) IN [i \in DOMAIN found |-> ShiftLeft(UInt64, 1, found[i])]

(***************************************************************************)
(* Sequences of kinds, for memory that holds several objects of a type.    *)
(***************************************************************************)
Repeated(kinds, n) == [i \in 1 .. n * Len(kinds) |-> kinds[((i - 1) % Len(kinds)) + 1]]

IsBetween(value, least, greatest) == ~IsWide(value) /\ least <= value /\ value <= greatest

\* Whether a pointer leads to a struct with cells of exactly these kinds, which are two or more.  Only then: a member of
\* it, which is the number of a cell, and the memory after a value of the member's kind has been stored there.
Holds(m, pointer, kinds) ==
  /\ CanReach(m, pointer, Len(kinds))
  /\ LET own == KindsOf(m, pointer[1])
     IN kinds = IF Len(own) = Len(kinds) THEN own ELSE SubSeq(own, pointer[2] + 1, pointer[2] + Len(kinds))

Field(m, pointer, member) == Object(m, pointer[1])[pointer[2] + member]

SetField(m, pointer, member, value) ==
  Put(m, pointer[1], [Object(m, pointer[1]) EXCEPT ![pointer[2] + member] = value])

\* Whether n cells from a pointer on have these kinds, again and again.
IsLaidOut(m, pointer, kinds, n) ==
  CanReach(m, pointer, n) /\ \A i \in 0 .. n - 1 : CanAccess(m, Shift(pointer, i), kinds[(i % Len(kinds)) + 1])
=============================================================================
