#if __has_include("../semaphore.h")
#include "../semaphore.h"
#else
#include_next <semaphore.h>
#endif
