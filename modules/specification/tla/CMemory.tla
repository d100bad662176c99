------------------------------ MODULE CMemory ------------------------------
(***************************************************************************)
(* The memory of a C program with threads, and what its statements do with *)
(* it.  A memory is a record:                                              *)
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
EXTENDS Integers, Sequences, CIntegers

CONSTANTS
  Undef,    \* the value of an object that nothing has been stored in
  Null,     \* the null pointer
  Layout    \* the kinds of the cells of each named object: a record of sequences

(* Where objects are.  All areas have the same shape, so that TLC can compare them. *)

Global(name)       == <<<<name, 0, 0>>, 0>>                                 \* an object of the program
Local(self, m, name) == <<<<name, self + 1, Len(m.stack[self])>>, 0>>       \* an object of the current frame
Block(self, number)  == <<<<"heap", self + 1, number>>, 0>>                 \* memory that a thread has allocated
Code(name)         == <<<<name, -1, 0>>, 0>>                                \* a function
Number(value)      == IF value = 0 THEN Null ELSE <<<<"number", -2, 0>>, value>>   \* a number converted to a pointer

IsNumber(pointer)  == pointer # Null /\ pointer[1][2] = -2

(* Control. *)

Pc(self, m)          == Head(m.register[self]).pc
Goto(self, m, label) == [m EXCEPT !.register[self][1].pc = label]
Ends(m, status)      == [m EXCEPT !.status = status]
Runs(m)              == m.status = "runs"
=============================================================================
