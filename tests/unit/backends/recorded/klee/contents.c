int main(void)
{
  unsigned char *block = __CSEQ_allocate(2);
  unsigned char *zeroes = __CSEQ_zeroed(2);
  unsigned char next = __CSEQ_nondet_uchar();
  __CSEQ_assert(zeroes[1] == 0 && __CSEQ_size(zeroes) == 2, "assertion `zeroes`");
  __CSEQ_assert(block[1] != 7 || next != 200, "assertion `block[1] != 7`");
}
