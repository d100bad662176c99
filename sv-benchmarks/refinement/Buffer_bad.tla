---- MODULE Buffer_bad ----
(* The queue that the program's buffer stands for: what was put and not taken yet. *)
EXTENDS buffer_bad
Held    == [i \in 1 .. put - taken |-> slots[(taken + i - 1) % 2]]
Queue   == INSTANCE Queue WITH queue <- Held
Refines == Queue!Spec
====
