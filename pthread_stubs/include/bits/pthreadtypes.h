/* What glibc's own headers include for the types of <pthread.h>. */
#include <pthread.h>
