#error <setjmp.h> is not supported by this version of CSeq
