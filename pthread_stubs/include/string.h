#ifndef _CSEQ_STRING_H
#define _CSEQ_STRING_H
#include <stddef.h>
#include <strings.h>
void *memset(void *memory, int value, size_t size);
void *memcpy(void *to, const void *from, size_t size);
void *mempcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
int memcmp(const void *a, const void *b, size_t size);
void *memchr(const void *memory, int byte, size_t size);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t most);
char *strcpy(char *to, const char *from);
char *stpcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t size);
char *strcat(char *to, const char *from);
char *strncat(char *to, const char *from, size_t most);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t most);
int strcoll(const char *a, const char *b);
char *strchr(const char *text, int character);
char *strrchr(const char *text, int character);
char *strstr(const char *text, const char *part);
char *strpbrk(const char *text, const char *set);
size_t strspn(const char *text, const char *set);
size_t strcspn(const char *text, const char *set);
char *strdup(const char *text);
char *strndup(const char *text, size_t most);
char *strchrnul(const char *text, int character);
char *strcasestr(const char *text, const char *part);
void *memrchr(const void *memory, int byte, size_t size);
void *memccpy(void *to, const void *from, int byte, size_t size);
char *stpncpy(char *to, const char *from, size_t size);
#if defined _GNU_SOURCE && !defined basename
char *basename(const char *path);
#endif
char *strtok(char *text, const char *set);
char *strtok_r(char *text, const char *set, char **state);
char *strsep(char **text, const char *set);
char *strerror(int number);
int strerror_r(int number, char *buffer, size_t size);
char *strsignal(int number);
void explicit_bzero(void *memory, size_t size);
#endif
