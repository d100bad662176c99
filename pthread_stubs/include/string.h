#ifndef _CSEQ_STRING_H
#define _CSEQ_STRING_H
#include <stddef.h>
void *memset(void *memory, int value, size_t size);
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
int memcmp(const void *a, const void *b, size_t size);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
char *strcpy(char *to, const char *from);
#endif
