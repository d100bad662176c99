#ifndef _CSEQ_UNISTD_H
#define _CSEQ_UNISTD_H
#include <stddef.h>
typedef unsigned int useconds_t;
unsigned int sleep(unsigned int seconds);
int usleep(useconds_t microseconds);
int pause(void);
void _exit(int status);
#endif
