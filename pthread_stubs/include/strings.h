#ifndef _CSEQ_STRINGS_H
#define _CSEQ_STRINGS_H
#include <stddef.h>
int bcmp(const void *a, const void *b, size_t size);
void bcopy(const void *from, void *to, size_t size);
void bzero(void *memory, size_t size);
char *index(const char *text, int character);
char *rindex(const char *text, int character);
int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t most);
int ffs(int value);
int ffsl(long value);
int ffsll(long long value);
#endif
