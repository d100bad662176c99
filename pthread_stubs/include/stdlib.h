#ifndef _CSEQ_STDLIB_H
#define _CSEQ_STDLIB_H
#include <stddef.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void free(void *memory);
void exit(int status);
void _Exit(int status);
void abort(void);
int abs(int value);
int rand(void);
void srand(unsigned int seed);
#endif
