#ifndef _CSEQ_XMMINTRIN_H
#define _CSEQ_XMMINTRIN_H
#define _mm_pause() __builtin_ia32_pause()
#define _mm_sfence() __builtin_ia32_sfence()
#endif
