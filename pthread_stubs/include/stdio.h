#ifndef _CSEQ_STDIO_H
#define _CSEQ_STDIO_H
#include <stddef.h>
typedef struct _IO_FILE FILE;
extern FILE *stdin, *stdout, *stderr;
#define EOF (-1)
int printf(const char *format, ...);
int fprintf(FILE *stream, const char *format, ...);
int puts(const char *text);
int fputs(const char *text, FILE *stream);
int putchar(int character);
int fflush(FILE *stream);
void perror(const char *text);
#endif
