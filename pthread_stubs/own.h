/* What replaces the system's declarations in a program that is already preprocessed: all our declarations about
 * threads and, as objects called __cs_initial_TYPE_KIND, the expansions of the macros for static initialisers. KIND
 * numbers the kinds of mutexes as glibc does. */
#include <pthread.h>
#if __has_include(<semaphore.h>)
#include <semaphore.h>
#endif
#if __has_include(<threads.h>)
#include <threads.h>
#endif

pthread_mutex_t __cs_initial_pthread_mutex_t_0 = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t __cs_initial_pthread_mutex_t_1 = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
pthread_mutex_t __cs_initial_pthread_mutex_t_2 = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
pthread_mutex_t __cs_initial_pthread_mutex_t_3 = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
pthread_cond_t __cs_initial_pthread_cond_t_0 = PTHREAD_COND_INITIALIZER;
#ifdef PTHREAD_RWLOCK_INITIALIZER
pthread_rwlock_t __cs_initial_pthread_rwlock_t_0 = PTHREAD_RWLOCK_INITIALIZER;
#endif
#ifdef PTHREAD_ONCE_INIT
pthread_once_t __cs_initial_pthread_once_t_0 = PTHREAD_ONCE_INIT;
#endif
#ifdef ONCE_FLAG_INIT
once_flag __cs_initial_once_flag_0 = ONCE_FLAG_INIT;
#endif
