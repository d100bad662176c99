#undef assert
#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
#define assert(expression) __CSEQ_check((expression), "assertion: " #expression)
#endif
#ifndef _CSEQ_ASSERT_H
#define _CSEQ_ASSERT_H
void __CSEQ_check(int __holds, const char *__what);
#if __STDC_VERSION__ < 202311L
#define static_assert _Static_assert
#endif
#endif
