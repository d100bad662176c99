#ifndef _CSEQ_STDLIB_H
#define _CSEQ_STDLIB_H
#include <stddef.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX 1
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
void *malloc(size_t __size);
void *calloc(size_t __count, size_t __size);
void *realloc(void *__memory, size_t __size);
void *reallocarray(void *__memory, size_t __count, size_t __size);
void free(void *__memory);
void *aligned_alloc(size_t __alignment, size_t __size);
void *memalign(size_t __alignment, size_t __size);
void *valloc(size_t __size);
int posix_memalign(void **__result, size_t __alignment, size_t __size);
void *alloca(size_t __size);
_Noreturn void exit(int __status);
_Noreturn void _Exit(int __status);
_Noreturn void quick_exit(int __status);
_Noreturn void abort(void);
int atexit(void (*__function)(void));
int at_quick_exit(void (*__function)(void));
int on_exit(void (*__function)(int, void *), void *__argument);
int system(const char *__command);
char *getenv(const char *__name);
char *secure_getenv(const char *__name);
int setenv(const char *__name, const char *__value, int __replace);
int unsetenv(const char *__name);
int putenv(char *__setting);
int abs(int __value);
long labs(long __value);
long long llabs(long long __value);
div_t div(int __left, int __right);
ldiv_t ldiv(long __left, long __right);
lldiv_t lldiv(long long __left, long long __right);
int atoi(const char *__text);
long atol(const char *__text);
long long atoll(const char *__text);
double atof(const char *__text);
long strtol(const char *__text, char **__end, int __base);
long long strtoll(const char *__text, char **__end, int __base);
unsigned long strtoul(const char *__text, char **__end, int __base);
unsigned long long strtoull(const char *__text, char **__end, int __base);
float strtof(const char *__text, char **__end);
double strtod(const char *__text, char **__end);
long double strtold(const char *__text, char **__end);
int rand(void);
int rand_r(unsigned int *__seed);
void srand(unsigned int __seed);
long random(void);
void srandom(unsigned int __seed);
double drand48(void);
double erand48(unsigned short __state[3]);
long lrand48(void);
long mrand48(void);
void srand48(long __seed);
void qsort(void *__base, size_t __count, size_t __size, int (*__compare)(const void *, const void *));
void *bsearch(const void *__key, const void *__base, size_t __count, size_t __size, int (*__compare)(const void *, const void *));
void qsort_r(void *__base, size_t __count, size_t __size, int (*__compare)(const void *, const void *, void *), void *__argument);
int mkstemp(char *__pattern);
int getloadavg(double __averages[], int __count);
#endif
