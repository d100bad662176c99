#ifndef _CSEQ_STDALIGN_H
#define _CSEQ_STDALIGN_H
#define alignas _Alignas
#define alignof _Alignof
#endif
