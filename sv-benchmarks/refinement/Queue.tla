---- MODULE Queue ----
(* A queue of at most two of the numbers 1, 2, 3. *)
EXTENDS Naturals, Sequences
VARIABLE queue
Put  == \E n \in 1..3 : Len(queue) < 2 /\ queue' = Append(queue, n)
Take == queue # <<>> /\ queue' = Tail(queue)
Spec == queue = <<>> /\ [][Put \/ Take]_queue
====
