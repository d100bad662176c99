/* What C demands of arithmetic, as far as it takes more than C to say so. */

#ifndef CSEQ_EXPLORER_CHECKED_H
#define CSEQ_EXPLORER_CHECKED_H

#define __CSEQ_overflow_plus(a, b) __builtin_add_overflow(a, b, &(__typeof__((a) + (b))){0})
#define __CSEQ_overflow_minus(a, b) __builtin_sub_overflow(a, b, &(__typeof__((a) - (b))){0})
#define __CSEQ_overflow_mult(a, b) __builtin_mul_overflow(a, b, &(__typeof__((a) * (b))){0})

#endif
