#if __has_include("../stdatomic.h")
#include "../stdatomic.h"
#else
#include_next <stdatomic.h>
#endif
