"""The compilers cseq-cc and cseq-c++."""
