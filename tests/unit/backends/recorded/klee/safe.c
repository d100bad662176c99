int main(void)
{
  int i = __CSEQ_nondet_int();
  __CSEQ_assume(i > 3);
  __CSEQ_assert(i != 3, "assertion `i != 3`");
}
