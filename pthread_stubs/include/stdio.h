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
int printf(const char *format, ...);
int fprintf(FILE *stream, const char *format, ...);
int dprintf(int file, const char *format, ...);
int sprintf(char *buffer, const char *format, ...);
int snprintf(char *buffer, size_t size, const char *format, ...);
int asprintf(char **buffer, const char *format, ...);
int vprintf(const char *format, va_list arguments);
int vfprintf(FILE *stream, const char *format, va_list arguments);
int vdprintf(int file, const char *format, va_list arguments);
int vsprintf(char *buffer, const char *format, va_list arguments);
int vsnprintf(char *buffer, size_t size, const char *format, va_list arguments);
int vasprintf(char **buffer, const char *format, va_list arguments);
int scanf(const char *format, ...);
int fscanf(FILE *stream, const char *format, ...);
int sscanf(const char *text, const char *format, ...);
int vscanf(const char *format, va_list arguments);
int vfscanf(FILE *stream, const char *format, va_list arguments);
int vsscanf(const char *text, const char *format, va_list arguments);
int puts(const char *text);
int fputs(const char *text, FILE *stream);
int putchar(int character);
int putc(int character, FILE *stream);
int fputc(int character, FILE *stream);
int getchar(void);
int getc(FILE *stream);
int fgetc(FILE *stream);
int ungetc(int character, FILE *stream);
char *gets(char *buffer);
char *fgets(char *buffer, int size, FILE *stream);
ssize_t getline(char **line, size_t *size, FILE *stream);
ssize_t getdelim(char **line, size_t *size, int end, FILE *stream);
size_t fread(void *buffer, size_t size, size_t count, FILE *stream);
size_t fwrite(const void *buffer, size_t size, size_t count, FILE *stream);
FILE *fopen(const char *path, const char *mode);
FILE *fdopen(int file, const char *mode);
FILE *freopen(const char *path, const char *mode, FILE *stream);
FILE *popen(const char *command, const char *mode);
FILE *tmpfile(void);
int fclose(FILE *stream);
int pclose(FILE *stream);
int fflush(FILE *stream);
int fseek(FILE *stream, long offset, int from);
int fseeko(FILE *stream, off_t offset, int from);
long ftell(FILE *stream);
off_t ftello(FILE *stream);
int fgetpos(FILE *stream, fpos_t *position);
int fsetpos(FILE *stream, const fpos_t *position);
void rewind(FILE *stream);
int feof(FILE *stream);
int ferror(FILE *stream);
void clearerr(FILE *stream);
int fileno(FILE *stream);
void flockfile(FILE *stream);
void funlockfile(FILE *stream);
int setvbuf(FILE *stream, char *buffer, int mode, size_t size);
void setbuf(FILE *stream, char *buffer);
void setlinebuf(FILE *stream);
void perror(const char *text);
int remove(const char *path);
int rename(const char *from, const char *to);
#endif
