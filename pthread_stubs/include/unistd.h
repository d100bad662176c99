#ifndef _CSEQ_UNISTD_H
#define _CSEQ_UNISTD_H
#include <stddef.h>
typedef unsigned int useconds_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef long off_t;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#define _SC_ARG_MAX 0
#define _SC_CLK_TCK 2
#define _SC_OPEN_MAX 4
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PHYS_PAGES 85
#define _POSIX_VERSION 200809L
#define _POSIX_THREADS 200809L
unsigned int sleep(unsigned int seconds);
int usleep(useconds_t microseconds);
unsigned int alarm(unsigned int seconds);
int pause(void);
_Noreturn void _exit(int status);
ssize_t read(int file, void *buffer, size_t size);
ssize_t write(int file, const void *buffer, size_t size);
ssize_t pread(int file, void *buffer, size_t size, off_t offset);
ssize_t pwrite(int file, const void *buffer, size_t size, off_t offset);
int close(int file);
off_t lseek(int file, off_t offset, int from);
int dup(int file);
int dup2(int file, int other);
int pipe(int files[2]);
int fsync(int file);
int fdatasync(int file);
void sync(void);
int ftruncate(int file, off_t size);
int truncate(const char *path, off_t size);
int isatty(int file);
int access(const char *path, int mode);
int unlink(const char *path);
int link(const char *from, const char *to);
int symlink(const char *from, const char *to);
int rmdir(const char *path);
int chdir(const char *path);
char *getcwd(char *buffer, size_t size);
int chown(const char *path, uid_t owner, gid_t group);
int gethostname(char *name, size_t size);
pid_t getpid(void);
pid_t getppid(void);
pid_t gettid(void);
pid_t getpgrp(void);
pid_t setsid(void);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
gid_t getegid(void);
int setuid(uid_t user);
int setgid(gid_t group);
pid_t fork(void);
pid_t vfork(void);
int execl(const char *path, const char *argument, ...);
int execlp(const char *file, const char *argument, ...);
int execle(const char *path, const char *argument, ...);
int execv(const char *path, char *const arguments[]);
int execvp(const char *file, char *const arguments[]);
int execve(const char *path, char *const arguments[], char *const environment[]);
long sysconf(int name);
long pathconf(const char *path, int name);
int getpagesize(void);
int nice(int increment);
int lockf(int file, int command, off_t size);
void *sbrk(__INTPTR_TYPE__ increment);
int brk(void *end);
long syscall(long number, ...);
extern char *optarg;
extern int optind, opterr, optopt;
int getopt(int count, char *const arguments[], const char *options);
#endif
