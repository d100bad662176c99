#ifndef _CSEQ_EMMINTRIN_H
#define _CSEQ_EMMINTRIN_H
#include <xmmintrin.h>
#define _mm_lfence() __builtin_ia32_lfence()
#define _mm_mfence() __builtin_ia32_mfence()
#endif
