#ifndef _CSEQ_STRING_H
#define _CSEQ_STRING_H
#include <stddef.h>
#include <strings.h>
void *memset(void *__memory, int __value, size_t __size);
void *memcpy(void *__to, const void *__from, size_t __size);
void *mempcpy(void *__to, const void *__from, size_t __size);
void *memmove(void *__to, const void *__from, size_t __size);
int memcmp(const void *__a, const void *__b, size_t __size);
void *memchr(const void *__memory, int __byte, size_t __size);
size_t strlen(const char *__text);
size_t strnlen(const char *__text, size_t __most);
char *strcpy(char *__to, const char *__from);
char *stpcpy(char *__to, const char *__from);
char *strncpy(char *__to, const char *__from, size_t __size);
char *strcat(char *__to, const char *__from);
char *strncat(char *__to, const char *__from, size_t __most);
int strcmp(const char *__a, const char *__b);
int strncmp(const char *__a, const char *__b, size_t __most);
int strcoll(const char *__a, const char *__b);
char *strchr(const char *__text, int __character);
char *strrchr(const char *__text, int __character);
char *strstr(const char *__text, const char *__part);
char *strpbrk(const char *__text, const char *__set);
size_t strspn(const char *__text, const char *__set);
size_t strcspn(const char *__text, const char *__set);
char *strdup(const char *__text);
char *strndup(const char *__text, size_t __most);
char *strchrnul(const char *__text, int __character);
char *strcasestr(const char *__text, const char *__part);
void *memrchr(const void *__memory, int __byte, size_t __size);
void *memccpy(void *__to, const void *__from, int __byte, size_t __size);
char *stpncpy(char *__to, const char *__from, size_t __size);
#if defined _GNU_SOURCE && !defined basename
char *basename(const char *__path);
#endif
char *strtok(char *__text, const char *__set);
char *strtok_r(char *__text, const char *__set, char **__state);
char *strsep(char **__text, const char *__set);
char *strerror(int __number);
int strerror_r(int __number, char *__buffer, size_t __size);
char *strsignal(int __number);
void explicit_bzero(void *__memory, size_t __size);
#endif
