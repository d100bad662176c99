#ifndef _CSEQ_STRINGS_H
#define _CSEQ_STRINGS_H
#include <stddef.h>
int bcmp(const void *__a, const void *__b, size_t __size);
void bcopy(const void *__from, void *__to, size_t __size);
void bzero(void *__memory, size_t __size);
char *index(const char *__text, int __character);
char *rindex(const char *__text, int __character);
int strcasecmp(const char *__a, const char *__b);
int strncasecmp(const char *__a, const char *__b, size_t __most);
int ffs(int __value);
int ffsl(long __value);
int ffsll(long long __value);
#endif
