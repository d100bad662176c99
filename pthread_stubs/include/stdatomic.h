#error <stdatomic.h> is not supported by this version of CSeq
