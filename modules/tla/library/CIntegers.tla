----------------------------- MODULE CIntegers -----------------------------
(***************************************************************************)
(* The integers of C, and their arithmetic.                                *)
(*                                                                         *)
(* TLC's own integers have 32 bits, and it is an error if a result has     *)
(* more.  So a value of C from -2147483648 to 2147483647 is that integer   *)
(* of TLA+, and any other is *wide*: a tuple <<a, b, c, d>> for            *)
(*                                                                         *)
(*   (a - 32769) * 2^48 + (b - 1) * 2^32 + (c - 1) * 2^16 + (d - 1)        *)
(*                                                                         *)
(* where b, c and d are in 1 .. 65536.  It does so for all values from     *)
(* -2^63 to 2^64 - 1, and equal numbers are equal values.  Nothing outside *)
(* of this module should look into a wide value.                           *)
(*                                                                         *)
(* TLC does not compare an integer with a tuple.  Where a value may be     *)
(* wide, that is, where its kind is UInt32, Int64 or UInt64, comparisons   *)
(* are Same, Less and LessEqual; elsewhere they are those of TLA+.         *)
(*                                                                         *)
(* Results wrap around as with gcc -fwrapv.  Operands of Plus(kind, a, b)  *)
(* and the other operators have that kind already: convert them first, as  *)
(* C does.  The one exception is what a value is shifted by.               *)
(***************************************************************************)
EXTENDS Integers, Sequences
LOCAL INSTANCE Bags

(***************************************************************************)
(* Kinds of values, here as in the cells of a memory.                      *)
(***************************************************************************)
Int8    == [name |-> "Int8",    bits |-> 8,  signed |-> TRUE]
UInt8   == [name |-> "UInt8",   bits |-> 8,  signed |-> FALSE]
Int16   == [name |-> "Int16",   bits |-> 16, signed |-> TRUE]
UInt16  == [name |-> "UInt16",  bits |-> 16, signed |-> FALSE]
Int32   == [name |-> "Int32",   bits |-> 32, signed |-> TRUE]
UInt32  == [name |-> "UInt32",  bits |-> 32, signed |-> FALSE]
Int64   == [name |-> "Int64",   bits |-> 64, signed |-> TRUE]
UInt64  == [name |-> "UInt64",  bits |-> 64, signed |-> FALSE]
Bool    == [name |-> "Bool",    bits |-> 8,  signed |-> FALSE]    \* of values, only 0 and 1
Pointer == [name |-> "Pointer", bits |-> 64, signed |-> FALSE]    \* no integers: see CMemory

(***************************************************************************)
(* Wide values.  To TLC, a tuple of positive integers is a bag, and an     *)
(* integer is not: it has no other test that takes both.                   *)
(***************************************************************************)
IsWide(a) == IsABag(a)

Wide(p, q, r, s) == <<p + 32769, q + 1, r + 1, s + 1>>    \* p * 2^48 + q * 2^32 + r * 2^16 + s

MaxInt == 2147483647
MinInt == -2147483647 - 1

LOCAL Half == 65536                  \* a limb is an integer of 16 bits; only the first may be negative

\* The four limbs of any value, the highest one first.
LOCAL Limbs(a) ==
  IF IsWide(a) THEN <<a[1] - 32769, a[2] - 1, a[3] - 1, a[4] - 1>>
  ELSE IF a < 0 THEN <<-1, Half - 1, (a \div Half) % Half, a % Half>>
  ELSE <<0, 0, a \div Half, a % Half>>

\* The value of four limbs that are in their ranges.
LOCAL Value(p, q, r, s) ==
  IF p = 0 /\ q = 0 /\ r < 32768 THEN r * Half + s
  ELSE IF p = -1 /\ q = Half - 1 /\ r >= 32768 THEN (r - Half) * Half + s
  ELSE Wide(p, q, r, s)

\* The value of a kind from limbs in their ranges, where a limb of the result may be lost.
LOCAL Cut(kind, p, q, r, s) ==
  CASE kind.bits = 64 -> Value(IF kind.signed /\ p % Half >= 32768 THEN (p % Half) - Half ELSE p % Half, q, r, s)
    [] kind.bits = 32 -> IF ~kind.signed THEN Value(0, 0, r, s)
                         ELSE IF r >= 32768 THEN (r - Half) * Half + s ELSE r * Half + s
    [] kind.bits = 16 -> IF kind.signed /\ s >= 32768 THEN s - Half ELSE s
    [] kind.bits = 8  -> IF kind.signed /\ s % 256 >= 128 THEN (s % 256) - 256 ELSE s % 256

\* The same from limbs that may be anything that the additions here do not exceed TLC's integers with.
LOCAL Wrapped(kind, p, q, r, s) ==
  LET t == r + s \div Half
      u == q + t \div Half
      v == p + u \div Half
  IN Cut(kind, v, u % Half, t % Half, s % Half)

(***************************************************************************)
(* Conversions.                                                            *)
(***************************************************************************)
\* Whether the integer a, which is not wide, is a value of the kind.
LOCAL Fits(kind, a) ==
  IF kind.bits >= 32 THEN kind.signed \/ a >= 0
  ELSE IF kind.bits = 16 THEN IF kind.signed THEN -32768 <= a /\ a < 32768 ELSE 0 <= a /\ a < 65536
  ELSE IF kind.signed THEN -128 <= a /\ a < 128 ELSE 0 <= a /\ a < IF kind.name = "Bool" THEN 2 ELSE 256

Convert(kind, a) ==
  IF IsABag(a)
  THEN IF kind.name = "Bool" THEN 1 ELSE LET l == Limbs(a) IN Cut(kind, l[1], l[2], l[3], l[4])
  ELSE IF kind.bits >= 32 /\ (kind.signed \/ a >= 0) THEN a
  ELSE IF Fits(kind, a) THEN a
  ELSE IF kind.name = "Bool" THEN 1
  ELSE LET l == Limbs(a) IN Cut(kind, l[1], l[2], l[3], l[4])

Min(kind) ==
  IF ~kind.signed THEN 0
  ELSE CASE kind.bits = 64 -> Wide(-32768, 0, 0, 0)
         [] kind.bits = 32 -> MinInt
         [] kind.bits = 16 -> -32768
         [] kind.bits = 8  -> -128

Max(kind) ==
  CASE kind.name = "Bool" -> 1
    [] kind.bits = 64 -> Wide(IF kind.signed THEN 32767 ELSE 65535, 65535, 65535, 65535)
    [] kind.bits = 32 -> IF kind.signed THEN MaxInt ELSE Wide(0, 0, 65535, 65535)
    [] kind.bits = 16 -> IF kind.signed THEN 32767 ELSE 65535
    [] kind.bits = 8 /\ kind.name # "Bool" -> IF kind.signed THEN 127 ELSE 255

(***************************************************************************)
(* Comparisons.                                                            *)
(***************************************************************************)
Same(a, b) == IF IsABag(a) THEN IsABag(b) /\ a = b ELSE ~IsABag(b) /\ a = b

Less(a, b) ==
  IF ~IsABag(a) /\ ~IsABag(b) THEN a < b
  ELSE LET l == Limbs(a)
           k == Limbs(b)
       IN \/ l[1] < k[1]
          \/ l[1] = k[1] /\ \/ l[2] < k[2]
                            \/ l[2] = k[2] /\ \/ l[3] < k[3]
                                              \/ l[3] = k[3] /\ l[4] < k[4]

LessEqual(a, b) == ~Less(b, a)

(***************************************************************************)
(* Sums, differences and products.  Most operands are small, and then the  *)
(* integers of TLC do.                                                     *)
(***************************************************************************)
LOCAL Addends == -1073741824 .. 1073741823    \* whose sums and differences are integers of TLC
LOCAL Factors == -46340 .. 46340              \* whose products are

LOCAL ArePlain(kind, a, b) == kind.name = "Int32" \/ (~IsABag(a) /\ ~IsABag(b))
LOCAL Fitted(kind, a) == IF kind.bits >= 32 /\ (kind.signed \/ a >= 0) THEN a ELSE Convert(kind, a)

Plus(kind, a, b) ==
  IF ArePlain(kind, a, b) /\ a \in Addends /\ b \in Addends THEN Fitted(kind, a + b)
  ELSE LET l == Limbs(a)
           k == Limbs(b)
       IN Wrapped(kind, l[1] + k[1], l[2] + k[2], l[3] + k[3], l[4] + k[4])

Minus(kind, a, b) ==
  IF ArePlain(kind, a, b) /\ a \in Addends /\ b \in Addends THEN Fitted(kind, a - b)
  ELSE LET l == Limbs(a)
           k == Limbs(b)
       IN Wrapped(kind, l[1] - k[1], l[2] - k[2], l[3] - k[3], l[4] - k[4])

Negated(kind, a) == Minus(kind, 0, a)

Complement(kind, a) == Minus(kind, -1, a)

\* The limbs of the product, modulo 2^64, of the limbs l and the number that the n highest bytes of the limbs k are.
RECURSIVE Product(_, _, _)
LOCAL Product(l, k, n) ==
  IF n = 0 THEN <<0, 0, 0, 0>>
  ELSE LET before == Product(l, k, n - 1)
           limb   == k[(n + 1) \div 2] % Half
           byte   == IF n % 2 = 1 THEN limb \div 256 ELSE limb % 256
           s == before[4] * 256 + l[4] * byte
           r == before[3] * 256 + l[3] * byte + s \div Half
           q == before[2] * 256 + l[2] * byte + r \div Half
           p == before[1] * 256 + l[1] * byte + q \div Half
       IN <<p % Half, q % Half, r % Half, s % Half>>

Times(kind, a, b) ==
  IF ArePlain(kind, a, b) /\ a \in Factors /\ b \in Factors THEN Fitted(kind, a * b)
  ELSE LET l == Product(Limbs(a), Limbs(b), 8) IN Cut(kind, l[1], l[2], l[3], l[4])

(***************************************************************************)
(* Shifts.  What C leaves open is as on x86: of the distance, only the     *)
(* lowest 5 bits count, or 6 if the kind has 64 bits; the sign of what is  *)
(* shifted to the right stays.                                             *)
(***************************************************************************)
LOCAL Distance(kind, n) == (IF IsWide(n) THEN n[4] - 1 ELSE n) % (IF kind.bits = 64 THEN 64 ELSE 32)

\* The limbs of 2^n.
LOCAL PowerLimbs(n) == [i \in 1 .. 4 |-> IF n \div 16 = 4 - i THEN 2 ^ (n % 16) ELSE 0]

ShiftLeft(kind, a, n) ==
  IF ~IsABag(a) /\ ~IsABag(n) /\ a \in 0 .. 32767 /\ n \in 0 .. 15 THEN Fitted(kind, a * 2 ^ n)    \* as most are: 1 << n
  ELSE LET l == Product(Limbs(a), PowerLimbs(Distance(kind, n)), 8) IN Cut(kind, l[1], l[2], l[3], l[4])

ShiftRight(kind, a, n) ==
  LET distance == Distance(kind, n)
  IN IF ~IsWide(a)
     THEN IF distance <= 30 THEN a \div 2 ^ distance ELSE IF a < 0 THEN -1 ELSE 0
     ELSE LET l     == Limbs(a)
              sign  == IF l[1] < 0 THEN -1 ELSE 0
              limbs == distance \div 16
              low   == 2 ^ (distance % 16)
              high  == 2 ^ (16 - (distance % 16))
              \* The limb i places above the lowest one, before and after the shift; above the highest one is the sign.
              Old(i) == IF i > 3 THEN sign ELSE l[4 - i]
              New(i) == (Old(i + limbs) % Half) \div low + (Old(i + limbs + 1) % low) * high
          IN Value(Old(3 + limbs) \div low, New(2), New(1), New(0))

(***************************************************************************)
(* Bits.  A negative integer has infinitely many leading ones, so ~a is    *)
(* -1 - a, and what is done with its bits is done with those of ~a.        *)
(***************************************************************************)
LOCAL Bit(a, b, n) == IF (a \div 2 ^ n) % 2 = 1 /\ (b \div 2 ^ n) % 2 = 1 THEN 2 ^ n ELSE 0

\* a & b at a * 32 + b + 1, for 5 bits each: a sequence, as TLC is slow to find an argument of a large function.
LOCAL Ands == <<0>> \o [n \in 1 .. 1023 |->
  LET a == n \div 32
      b == n % 32
  IN Bit(a, b, 0) + Bit(a, b, 1) + Bit(a, b, 2) + Bit(a, b, 3) + Bit(a, b, 4)]

\* a & b for integers that are not negative, 5 bits at a time until one has no more.
RECURSIVE And(_, _)
LOCAL And(a, b) ==
  IF a < 32 THEN Ands[a * 32 + (b % 32) + 1]
  ELSE IF b < 32 THEN Ands[(a % 32) * 32 + b + 1]
  ELSE Ands[(a % 32) * 32 + (b % 32) + 1] + 32 * And(a \div 32, b \div 32)

LOCAL PlainAnd(a, b) ==
  IF a >= 0
  THEN IF b >= 0 THEN And(a, b) ELSE a - And(a, -1 - b)
  ELSE IF b >= 0 THEN b - And(-1 - a, b)
       ELSE LET u == -1 - a
                v == -1 - b
            IN -1 - (u + (v - And(u, v)))

LOCAL PlainOr(a, b) ==
  IF a >= 0 /\ b >= 0 THEN a + (b - And(a, b)) ELSE -1 - PlainAnd(-1 - a, -1 - b)

LOCAL PlainXor(a, b) ==
  LET u == IF a >= 0 THEN a ELSE -1 - a
      v == IF b >= 0 THEN b ELSE -1 - b
      both == And(u, v)
      differ == (u - both) + (v - both)
  IN IF (a >= 0) = (b >= 0) THEN differ ELSE -1 - differ

BitAnd(kind, a, b) ==
  IF ~IsABag(a) /\ ~IsABag(b) THEN IF a >= 0 /\ b >= 0 THEN And(a, b) ELSE PlainAnd(a, b)
  ELSE LET l == Limbs(a)
           k == Limbs(b)
       IN Value(PlainAnd(l[1], k[1]), And(l[2], k[2]), And(l[3], k[3]), And(l[4], k[4]))

BitOr(kind, a, b) ==
  IF ~IsABag(a) /\ ~IsABag(b) THEN PlainOr(a, b)
  ELSE LET l == Limbs(a)
           k == Limbs(b)
       IN Value(PlainOr(l[1], k[1]), PlainOr(l[2], k[2]), PlainOr(l[3], k[3]), PlainOr(l[4], k[4]))

BitXor(kind, a, b) ==
  IF ~IsABag(a) /\ ~IsABag(b) THEN PlainXor(a, b)
  ELSE LET l == Limbs(a)
           k == Limbs(b)
       IN Value(PlainXor(l[1], k[1]), PlainXor(l[2], k[2]), PlainXor(l[3], k[3]), PlainXor(l[4], k[4]))

(***************************************************************************)
(* Quotients truncate, as in C, and the remainder has the sign of a.  The  *)
(* divisor is not 0.                                                       *)
(***************************************************************************)
\* a / b and a % b for integers that are not wide.  The quotient of MinInt and -1 is too large for TLC.
LOCAL PlainQuotient(a, b) ==
  IF b > 0 THEN IF a >= 0 THEN a \div b ELSE (a + (b - 1)) \div b
  ELSE IF b = MinInt THEN IF a = MinInt THEN 1 ELSE 0
  ELSE IF a >= 0 THEN -(a \div (-b)) ELSE -((a + (-b - 1)) \div (-b))

LOCAL PlainRemainder(a, b) ==
  IF b = MinInt THEN IF a = MinInt THEN 0 ELSE a
  ELSE LET divisor   == IF b > 0 THEN b ELSE -b
           remainder == a % divisor
       IN IF a >= 0 \/ remainder = 0 THEN remainder ELSE remainder - divisor

\* The limbs of the absolute value of four limbs.
LOCAL Magnitude(l) ==
  IF l[1] >= 0 THEN l
  ELSE LET s == -l[4]
           r == -l[3] + s \div Half
           q == -l[2] + r \div Half
       IN <<-l[1] + q \div Half, q % Half, r % Half, s % Half>>

LOCAL AtMost(l, k) ==
  \/ l[1] < k[1]
  \/ l[1] = k[1] /\ \/ l[2] < k[2]
                    \/ l[2] = k[2] /\ \/ l[3] < k[3]
                                      \/ l[3] = k[3] /\ l[4] <= k[4]

\* The limbs of l * n + byte, for a byte n or 256.  The first limb has no upper limit.
LOCAL Scaled(l, n, byte) ==
  LET s == l[4] * n + byte
      r == l[3] * n + s \div Half
      q == l[2] * n + r \div Half
  IN <<l[1] * n + q \div Half, q % Half, r % Half, s % Half>>

\* The greatest n in least .. least + 2 * step - 1, for a power of two, where n * k is at most l.
RECURSIVE Digit(_, _, _, _)
LOCAL Digit(l, k, least, step) ==
  IF step = 0 THEN least
  ELSE Digit(l, k, IF AtMost(Scaled(k, least + step, 0), l) THEN least + step ELSE least, step \div 2)

\* <<quotient, remainder>> of the number that the n highest bytes of the limbs l are, and the limbs k: as by hand.
RECURSIVE Division(_, _, _)
LOCAL Division(l, k, n) ==
  IF n = 0 THEN <<<<0, 0, 0, 0>>, <<0, 0, 0, 0>>>>
  ELSE LET before == Division(l, k, n - 1)
           limb   == l[(n + 1) \div 2]
           rest   == Scaled(before[2], 256, IF n % 2 = 1 THEN limb \div 256 ELSE limb % 256)
           digit  == Digit(rest, k, 0, 128)
           part   == Scaled(k, digit, 0)
           s == rest[4] - part[4]
           r == rest[3] - part[3] + s \div Half
           q == rest[2] - part[2] + r \div Half
       IN <<Scaled(before[1], 256, digit), <<rest[1] - part[1] + q \div Half, q % Half, r % Half, s % Half>>>>

\* The same for all of l and a divisor k < 2^15, limb by limb.
LOCAL ShortDivision(l, k) ==
  LET q == (l[1] % k) * Half + l[2]
      r == (q % k) * Half + l[3]
      s == (r % k) * Half + l[4]
  IN <<<<l[1] \div k, q \div k, r \div k, s \div k>>, <<0, 0, 0, s % k>>>>

\* <<quotient, remainder>> of absolute values.
LOCAL Divided(a, b) ==
  LET l == Magnitude(Limbs(a))
      k == Magnitude(Limbs(b))
  IN IF k[1] = 0 /\ k[2] = 0 /\ k[3] = 0 /\ k[4] < 32768 THEN ShortDivision(l, k[4]) ELSE Division(l, k, 8)

LOCAL Signed(kind, negative, l) ==
  IF negative THEN Wrapped(kind, -l[1], -l[2], -l[3], -l[4]) ELSE Cut(kind, l[1], l[2], l[3], l[4])

LOCAL IsNegative(a) == IF IsWide(a) THEN a[1] < 32769 ELSE a < 0

Quotient(kind, a, b) ==
  IF ~IsABag(a) /\ ~IsABag(b)
  THEN IF a >= 0 /\ b > 0 THEN a \div b
       ELSE IF a = MinInt /\ b = -1 THEN Negated(kind, a) ELSE PlainQuotient(a, b)
  ELSE Signed(kind, IsNegative(a) # IsNegative(b), Divided(a, b)[1])

Remainder(kind, a, b) ==
  IF ~IsABag(a) /\ ~IsABag(b) THEN IF a >= 0 /\ b > 0 THEN a % b ELSE PlainRemainder(a, b)
  ELSE Signed(kind, IsNegative(a), Divided(a, b)[2])
=============================================================================
