#ifndef _CSEQ_SEMAPHORE_H
#define _CSEQ_SEMAPHORE_H
#include <time.h>
typedef struct { unsigned char __cs_state; unsigned char __cs_opened; unsigned int __cs_value; } sem_t;
#define SEM_FAILED ((sem_t *)0)
#define SEM_VALUE_MAX (2147483647)
int sem_init(sem_t *__semaphore, int __pshared, unsigned int __value);
int sem_destroy(sem_t *__semaphore);
int sem_wait(sem_t *__semaphore);
int sem_trywait(sem_t *__semaphore);
int sem_timedwait(sem_t *__semaphore, const struct timespec *__time);
int sem_clockwait(sem_t *__semaphore, clockid_t __clock, const struct timespec *__time);
int sem_post(sem_t *__semaphore);
int sem_getvalue(sem_t *__semaphore, int *__value);
sem_t *sem_open(const char *__name, int __flags, ...);
int sem_close(sem_t *__semaphore);
int sem_unlink(const char *__name);
#endif
