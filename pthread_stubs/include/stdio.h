#ifndef _CSEQ_STDIO_H
#define _CSEQ_STDIO_H
#include <stdarg.h>
#include <stddef.h>
typedef struct _IO_FILE FILE;
typedef long fpos_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef long off_t;
extern FILE *stdin, *stdout, *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define L_tmpnam 20
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
int printf(const char *__format, ...);
int fprintf(FILE *__stream, const char *__format, ...);
int dprintf(int __file, const char *__format, ...);
int sprintf(char *__buffer, const char *__format, ...);
int snprintf(char *__buffer, size_t __size, const char *__format, ...);
int asprintf(char **__buffer, const char *__format, ...);
int vprintf(const char *__format, va_list __arguments);
int vfprintf(FILE *__stream, const char *__format, va_list __arguments);
int vdprintf(int __file, const char *__format, va_list __arguments);
int vsprintf(char *__buffer, const char *__format, va_list __arguments);
int vsnprintf(char *__buffer, size_t __size, const char *__format, va_list __arguments);
int vasprintf(char **__buffer, const char *__format, va_list __arguments);
int scanf(const char *__format, ...);
int fscanf(FILE *__stream, const char *__format, ...);
int sscanf(const char *__text, const char *__format, ...);
int vscanf(const char *__format, va_list __arguments);
int vfscanf(FILE *__stream, const char *__format, va_list __arguments);
int vsscanf(const char *__text, const char *__format, va_list __arguments);
int puts(const char *__text);
int fputs(const char *__text, FILE *__stream);
int putchar(int __character);
int putc(int __character, FILE *__stream);
int fputc(int __character, FILE *__stream);
int getchar(void);
int getc(FILE *__stream);
int fgetc(FILE *__stream);
int ungetc(int __character, FILE *__stream);
char *gets(char *__buffer);
char *fgets(char *__buffer, int __size, FILE *__stream);
ssize_t getline(char **__line, size_t *__size, FILE *__stream);
ssize_t getdelim(char **__line, size_t *__size, int __end, FILE *__stream);
size_t fread(void *__buffer, size_t __size, size_t __count, FILE *__stream);
size_t fwrite(const void *__buffer, size_t __size, size_t __count, FILE *__stream);
FILE *fopen(const char *__path, const char *__mode);
FILE *fdopen(int __file, const char *__mode);
FILE *freopen(const char *__path, const char *__mode, FILE *__stream);
FILE *popen(const char *__command, const char *__mode);
FILE *tmpfile(void);
int fclose(FILE *__stream);
int pclose(FILE *__stream);
int fflush(FILE *__stream);
int fseek(FILE *__stream, long __offset, int __from);
int fseeko(FILE *__stream, off_t __offset, int __from);
long ftell(FILE *__stream);
off_t ftello(FILE *__stream);
int fgetpos(FILE *__stream, fpos_t *__position);
int fsetpos(FILE *__stream, const fpos_t *__position);
void rewind(FILE *__stream);
int feof(FILE *__stream);
int ferror(FILE *__stream);
void clearerr(FILE *__stream);
int fileno(FILE *__stream);
void flockfile(FILE *__stream);
void funlockfile(FILE *__stream);
int setvbuf(FILE *__stream, char *__buffer, int __mode, size_t __size);
void setbuf(FILE *__stream, char *__buffer);
void setlinebuf(FILE *__stream);
void perror(const char *__text);
int remove(const char *__path);
int rename(const char *__from, const char *__to);
#endif
