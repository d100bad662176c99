#ifndef _CSEQ_IMMINTRIN_H
#define _CSEQ_IMMINTRIN_H
#include <emmintrin.h>
#define _rdtsc() __builtin_ia32_rdtsc()
#endif
