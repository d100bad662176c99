int main(void)
{
  unsigned char n = __CSEQ_nondet_uchar();
  char *block = __CSEQ_allocate(n);
  __CSEQ_assert(block != 0 && n < 256, "assertion `n < 256`");
}
