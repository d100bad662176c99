/* What a program may offer besides the interface; null where it was not made for it. */

#ifndef CSEQ_EXPLORER_HOOKS_H
#define CSEQ_EXPLORER_HOOKS_H

#define CS_OFFERED __attribute__((weak))

/* Which of the enabled threads the scheduler lets run. */
CS_OFFERED unsigned long long __CSEQ_runnable(unsigned long long enabled);

/* The text of an invariant that does not hold, or null. */
CS_OFFERED const char *__CSEQ_invariant(void);

/* Writes the abstract state, which is all that is matched, and returns its length. */
CS_OFFERED unsigned int __CSEQ_abstract(unsigned char *to, unsigned int most);

/* How promising the state is; larger ones are looked at first. */
CS_OFFERED long long __CSEQ_metric(void);

/* The propositions of a temporal formula. */
CS_OFFERED int __CSEQ_proposition(unsigned int number);
CS_OFFERED extern const unsigned int __CSEQ_propositions;

/* The memory that invariants and propositions read; a count of ~0u, or none, is all memory. */
struct cs_watched {
    const void *at;
    unsigned long size;
};
CS_OFFERED extern const struct cs_watched __CSEQ_watched[];
CS_OFFERED extern const unsigned int __CSEQ_watched_count;

#endif
