#ifndef _CSEQ_STDNORETURN_H
#define _CSEQ_STDNORETURN_H
#define noreturn _Noreturn
#endif
