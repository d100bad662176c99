#ifndef _CSEQ_TIME_H
#define _CSEQ_TIME_H
#include <stddef.h>
typedef long time_t;
time_t time(time_t *result);
#endif
