#ifndef _CSEQ_X86INTRIN_H
#define _CSEQ_X86INTRIN_H
#include <immintrin.h>
#define __rdtsc() __builtin_ia32_rdtsc()
#endif
