#error <signal.h> is not supported by this version of CSeq
