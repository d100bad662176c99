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
unsigned int sleep(unsigned int __seconds);
int usleep(useconds_t __microseconds);
unsigned int alarm(unsigned int __seconds);
int pause(void);
_Noreturn void _exit(int __status);
ssize_t read(int __file, void *__buffer, size_t __size);
ssize_t write(int __file, const void *__buffer, size_t __size);
ssize_t pread(int __file, void *__buffer, size_t __size, off_t __offset);
ssize_t pwrite(int __file, const void *__buffer, size_t __size, off_t __offset);
int close(int __file);
off_t lseek(int __file, off_t __offset, int __from);
int dup(int __file);
int dup2(int __file, int __other);
int pipe(int __files[2]);
int fsync(int __file);
int fdatasync(int __file);
void sync(void);
int ftruncate(int __file, off_t __size);
int truncate(const char *__path, off_t __size);
int isatty(int __file);
int access(const char *__path, int __mode);
int unlink(const char *__path);
int link(const char *__from, const char *__to);
int symlink(const char *__from, const char *__to);
int rmdir(const char *__path);
int chdir(const char *__path);
char *getcwd(char *__buffer, size_t __size);
int chown(const char *__path, uid_t __owner, gid_t __group);
int gethostname(char *__name, size_t __size);
pid_t getpid(void);
pid_t getppid(void);
pid_t gettid(void);
pid_t getpgrp(void);
pid_t setsid(void);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
gid_t getegid(void);
int setuid(uid_t __user);
int setgid(gid_t __group);
pid_t fork(void);
pid_t vfork(void);
int execl(const char *__path, const char *__argument, ...);
int execlp(const char *__file, const char *__argument, ...);
int execle(const char *__path, const char *__argument, ...);
int execv(const char *__path, char *const __arguments[]);
int execvp(const char *__file, char *const __arguments[]);
int execve(const char *__path, char *const __arguments[], char *const __environment[]);
long sysconf(int __name);
long pathconf(const char *__path, int __name);
int getpagesize(void);
int nice(int __increment);
int lockf(int __file, int __command, off_t __size);
void *sbrk(__INTPTR_TYPE__ __increment);
int brk(void *__end);
long syscall(long __number, ...);
extern char *optarg;
extern int optind, opterr, optopt;
int getopt(int __count, char *const __arguments[], const char *__options);
#endif
