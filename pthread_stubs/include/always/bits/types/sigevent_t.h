/* What glibc's own headers include, where it says what a `pthread_attr_t` is. */
#include <pthread.h>
#define __have_pthread_attr_t 1
#include_next <bits/types/sigevent_t.h>
